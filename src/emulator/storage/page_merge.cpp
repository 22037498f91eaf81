#include "emulator/storage/page_merge.h"

#include <algorithm>

#include "emulator/checks/access_history.h"
#include "emulator/values/shadow_page.h"

namespace optiml::emulator {
namespace {

// The greatest size that the cells of all histories can have.
std::uint32_t common_shift(std::span<Page* const> pages) {
    std::uint32_t shift = 2;
    for (const Page* page : pages)
        if (page->history) shift = std::min(shift, page->history->cell_shift());
    return shift;
}

void copy_initialized(const Page& from, Page& to, std::uint32_t offset, std::uint32_t bytes) {
    if (from.written == nullptr && to.written == nullptr) return;
    if (to.written == nullptr) {
        to.written = std::make_unique<WrittenBytes[]>(kGranulesPerPage);
        std::fill_n(to.written.get(), kGranulesPerPage, kAllWritten);
    }
    const std::uint32_t granule = offset / kGranuleBytes;
    const auto cell = static_cast<WrittenBytes>(((1u << bytes) - 1) << offset % kGranuleBytes);
    const WrittenBytes initialized = from.written == nullptr ? kAllWritten : from.written[granule];
    to.written[granule] = static_cast<WrittenBytes>((to.written[granule] & ~cell) | (initialized & cell));
}

void copy_shadow(const ShadowPage& from, Page& to, std::uint32_t offset) {
    for (const std::uint32_t bytes : {4u, 8u}) {
        const ShadowValue* value = from.find(offset, bytes);
        if (value == nullptr) continue;
        if (to.shadow == nullptr) to.shadow = std::make_unique<ShadowPage>();
        to.shadow->set(offset, bytes, *value);
    }
}

// act(offset in the page, bytes) for each cell that was written.
template <class Act>
void for_each_written(const Page& page, Act act) {
    const AccessHistory& history = *page.history;
    const std::uint32_t bytes = 1u << history.cell_shift();
    for (std::uint32_t cell = 0; cell < history.writes.size(); ++cell)
        if (history.writes[cell] != 0) act(cell * bytes, bytes);
}

}  // namespace

bool may_merge(std::span<Page* const> pages) {
    const bool is_written = std::ranges::any_of(pages, [](const Page* page) { return page->modified; });
    if (pages.size() < 2 || !is_written) return true;
    const std::uint32_t shift = common_shift(pages);
    const std::uint32_t cells = kPageBytes >> shift;
    std::vector<std::uint8_t> written(cells), accessed(cells);
    for (Page* page : pages) {
        if (page->history == nullptr) {
            if (page->modified) return false;
            continue;
        }
        AccessHistory& history = *page->history;
        history.refine(shift);
        std::uint8_t conflict = 0;
        for (std::uint32_t cell = 0; cell < cells; ++cell) {
            const std::uint8_t writes = history.writes[cell] != 0;
            const std::uint8_t accesses = writes | (history.reads[cell] != 0);
            conflict |= (writes & accessed[cell]) | (accesses & written[cell]);
            written[cell] |= writes;
            accessed[cell] |= accesses;
        }
        if (conflict != 0) return false;
    }
    return true;
}

void copy_written(const Page& from, Page& to) {
    for_each_written(from, [&](std::uint32_t offset, std::uint32_t bytes) {
        std::memcpy(to.bytes.data() + offset, from.bytes.data() + offset, bytes);
        copy_initialized(from, to, offset, bytes);
        if (to.shadow) to.shadow->forget(offset, bytes);
    });
    // After all are forgotten: a shadow may stand for two cells.
    if (from.shadow) for_each_written(from, [&](std::uint32_t offset, std::uint32_t) { copy_shadow(*from.shadow, to, offset); });
}

}  // namespace optiml::emulator
