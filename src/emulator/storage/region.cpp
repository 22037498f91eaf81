#include "emulator/storage/region.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "emulator/checks/access_history.h"
#include "emulator/values/shadow_page.h"

namespace optiml::emulator {

Page::Page() = default;
Page::~Page() = default;

Region::Region(BufferSpec spec, std::uint64_t slot, std::uint64_t stagger)
    : spec_(std::move(spec)),
      address_((slot << kSlotShift) + kRegionStart + stagger + spec_.misalignment),
      first_page_(address_ >> kPageShift),
      page_slots_(((address_ + std::max<std::uint64_t>(spec_.bytes, 1) - 1) >> kPageShift) - first_page_ + 1),
      pages_(static_cast<Page**>(std::calloc(page_slots_, sizeof(Page*)))) {
    if (pages_ == nullptr) throw std::bad_alloc();
}

Region::Region(Region& original)
    : may_be_written(original.may_be_written),
      // Without the generator, which may hold much: the original makes the bytes.
      spec_{.name = original.spec_.name,
            .bytes = original.spec_.bytes,
            .element_bytes = original.spec_.element_bytes,
            .misalignment = original.spec_.misalignment,
            .initialized = original.spec_.initialized},
      address_(original.address_),
      first_page_(original.first_page_),
      page_slots_(original.page_slots_),
      pages_(static_cast<Page**>(std::calloc(page_slots_, sizeof(Page*)))),
      fill_(original.fill_),
      released_(original.released_),
      original_(&original) {
    if (pages_ == nullptr) throw std::bad_alloc();
}

Region::~Region() {
    drop_pages();
    std::free(pages_);
}

void Region::drop_pages() {
    for (const std::uint64_t index : made_) {
        delete pages_[index];
        pages_[index] = nullptr;
    }
    made_.clear();
}

// What the page holds as long as nobody writes it.
void Region::initial_bytes(std::uint64_t page_index, std::uint8_t* bytes) const {
    const std::uint64_t page_start = (first_page_ + page_index) << kPageShift;
    if (original_ != nullptr) {
        const Page* page = original_->existing_page(page_start);
        if (page != nullptr) std::memcpy(bytes, page->bytes.data(), kPageBytes);
        else original_->initial_bytes(page_index, bytes);
        return;
    }
    const std::uint64_t begin = std::max(page_start, address_);
    const std::uint64_t end = std::min(page_start + kPageBytes, address_ + spec_.bytes);
    std::memset(bytes, fill_.value_or(spec_.initialized ? 0 : kPoison), kPageBytes);
    if (spec_.initialized && !fill_ && spec_.generator && begin < end)
        spec_.generator(begin - address_, end - begin, bytes + (begin - page_start));
}

std::unique_ptr<Page> Region::new_page(std::uint64_t index) const {
    auto page = std::make_unique_for_overwrite<Page>();
    initial_bytes(index, page->bytes.data());
    const Page* source = original_ == nullptr ? nullptr : original_->pages_[index];
    if (source != nullptr ? source->written != nullptr : !initially_written())
        page->written = std::make_unique<WrittenBytes[]>(kGranulesPerPage);
    if (source != nullptr && source->written) std::memcpy(page->written.get(), source->written.get(), kGranulesPerPage);
    if (source != nullptr && source->shadow) page->shadow = std::make_unique<ShadowPage>(*source->shadow);
    return page;
}

Page& Region::make_page(std::uint64_t index) {
    if (original_ != nullptr && !may_be_written) return *(pages_[index] = &original_->page((first_page_ + index) << kPageShift));
    const std::lock_guard lock(making_);
    if (pages_[index] != nullptr) return *pages_[index];
    std::unique_ptr<Page> page = new_page(index);
    made_.push_back(index);
    std::atomic_ref(pages_[index]).store(page.release(), std::memory_order_release);
    return *pages_[index];
}

void Region::replace_page(std::uint64_t index, std::unique_ptr<Page> page) {
    if (pages_[index] == nullptr) made_.push_back(index);
    delete std::exchange(pages_[index], page.release());
}

void Region::write(std::uint64_t offset, const std::uint8_t* bytes, std::uint64_t count) {
    while (count > 0) {
        const std::uint64_t address = address_ + offset;
        const std::uint32_t within = address % kPageBytes;
        const std::uint64_t part = std::min<std::uint64_t>(count, kPageBytes - within);
        Page& target = page_to_modify(address);
        std::memcpy(target.bytes.data() + within, bytes, part);
        if (target.written)
            for (std::uint32_t byte = within; byte < within + part; ++byte)
                target.written[byte / kGranuleBytes] |= static_cast<WrittenBytes>(1u << byte % kGranuleBytes);
        target.shadow.reset();
        offset += part;
        bytes += part;
        count -= part;
    }
}

void Region::read(std::uint64_t offset, std::uint8_t* bytes, std::uint64_t count) const {
    std::array<std::uint8_t, kPageBytes> scratch;
    while (count > 0) {
        const std::uint64_t address = address_ + offset;
        const std::uint32_t within = address % kPageBytes;
        const std::uint64_t part = std::min<std::uint64_t>(count, kPageBytes - within);
        const Page* page = existing_page(address);
        if (page == nullptr) initial_bytes(page_index(address), scratch.data());
        std::memcpy(bytes, (page != nullptr ? page->bytes.data() : scratch.data()) + within, part);
        offset += part;
        bytes += part;
        count -= part;
    }
}

void Region::fill(std::uint8_t value) {
    drop_pages();
    fill_ = value;
}

void Region::reset() {
    drop_pages();
    fill_.reset();
}

bool Region::is_written(std::uint64_t offset) const {
    const std::uint64_t address = address_ + offset;
    const Page* page = existing_page(address);
    if (page == nullptr) return initially_written();
    return !page->written || (page->written[address % kPageBytes / kGranuleBytes] >> address % kGranuleBytes & 1) != 0;
}

void Region::release_unmodified_pages() {
    std::erase_if(made_, [&](std::uint64_t index) {
        if (pages_[index]->modified) return false;
        delete pages_[index];
        pages_[index] = nullptr;
        return true;
    });
}

}  // namespace optiml::emulator
