#include "emulator/storage/memory_view.h"

#include <algorithm>
#include <bit>

#include "emulator/checks/access_history.h"
#include "emulator/execution/module_image.h"
#include "emulator/storage/page_merge.h"

namespace optiml::emulator {
namespace {

// A page that a view made.
struct ViewedPage {
    std::uint64_t index = 0;
    Region* view = nullptr;

    Page& page() const { return view->made_page(index); }
};

// Of one region of the original: the pages of all views, those of one index side by side.
std::vector<ViewedPage> viewed_pages(const std::vector<MemoryView>& views, std::size_t region) {
    std::vector<ViewedPage> pages;
    for (const MemoryView& view : views)
        for (const std::uint64_t index : view->regions[region].made_pages()) pages.push_back({index, &view->regions[region]});
    std::ranges::stable_sort(pages, {}, &ViewedPage::index);
    return pages;
}

// Calls act(pages of one index) until it returns false; whether it never did.
template <class Act>
bool for_each_index(const std::vector<ViewedPage>& pages, Act act) {
    for (auto first = pages.begin(); first != pages.end();) {
        const auto end = std::ranges::find_if(first, pages.end(), [&](const ViewedPage& page) { return page.index != first->index; });
        if (!act(std::ranges::subrange(first, end))) return false;
        first = end;
    }
    return true;
}

bool are_independent(const std::vector<ViewedPage>& pages) {
    return for_each_index(pages, [](auto group) {
        std::vector<Page*> of_index;
        for (const ViewedPage& viewed : group) of_index.push_back(&viewed.page());
        return may_merge(of_index);
    });
}

void merge_region(Region& original, const std::vector<ViewedPage>& pages) {
    for_each_index(pages, [&](auto group) {
        std::unique_ptr<Page> merged;
        for (const ViewedPage& viewed : group) {
            if (!viewed.page().modified) continue;
            if (merged == nullptr) merged = viewed.view->take_page(viewed.index);
            else copy_written(viewed.page(), *merged);
        }
        if (merged != nullptr) original.replace_page(group.begin()->index, std::move(merged));
        return true;
    });
}

}  // namespace

MemoryView make_view(Memory::Implementation& original) {
    auto view = std::make_unique<Memory::Implementation>();
    for (Region& region : original.regions) view->regions.emplace_back(region);
    view->textures = original.textures;
    return view;
}

bool merge_views(Memory::Implementation& original, const std::vector<MemoryView>& views) {
    std::vector<std::vector<ViewedPage>> pages;
    for (std::size_t region = 0; region < original.regions.size(); ++region) {
        pages.push_back(viewed_pages(views, region));
        if (!are_independent(pages.back())) return false;
    }
    for (std::size_t region = 0; region < original.regions.size(); ++region) merge_region(original.regions[region], pages[region]);
    return true;
}

}  // namespace optiml::emulator
