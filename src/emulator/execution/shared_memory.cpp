#include "emulator/execution/shared_memory.h"

#include <algorithm>
#include <cstring>

#include "emulator/checks/access_history.h"
#include "emulator/values/shadow_page.h"

namespace optiml::emulator {
namespace {

constexpr std::uint64_t kOutsideOfEight = 0xf0f0f0f0f0f0f0f0;

}  // namespace

void SharedMemory::begin_block(const SharedLayout& layout, std::uint32_t dynamic_bytes) {
    if (pages_.empty()) {
        variables_ = layout.variables;
        if (dynamic_bytes > 0) variables_.push_back({"dynamic shared memory", layout.dynamic_offset, dynamic_bytes});
        bytes_ = variables_.empty() ? 0 : variables_.back().offset + variables_.back().bytes;
        pages_ = std::vector<Page>((bytes_ + kPageBytes - 1) / kPageBytes);
        for (Page& page : pages_) page.written = std::make_unique_for_overwrite<WrittenBytes[]>(kGranulesPerPage);
    }
    for (Page& page : pages_) {
        page.bytes.fill(kPoison);
        std::fill_n(page.written.get(), kGranulesPerPage, kAllOutside);
        if (page.history) page.history->clear();
        page.shadow.reset();
    }
    mark_variables();
}

void SharedMemory::mark_variables() {
    for (const SharedVariable& variable : variables_) {
        for (std::uint32_t byte = variable.offset; byte < variable.offset + variable.bytes; ++byte)
            page(byte).written[byte % kPageBytes / kGranuleBytes] &=
                static_cast<WrittenBytes>(~(1u << (kOutsideShift + byte % kGranuleBytes)));
    }
}

bool SharedMemory::contains(std::uint64_t offset, std::uint32_t count) {
    if (offset >= bytes_ || count > bytes_ - offset) return false;
    for (std::uint64_t byte = offset; byte < offset + count;) {
        const WrittenBytes* written = &page(byte).written[byte % kPageBytes / kGranuleBytes];
        const std::uint64_t left = offset + count - byte;
        if (byte % (8 * kGranuleBytes) == 0 && left >= 8 * kGranuleBytes) {
            std::uint64_t granules;
            std::memcpy(&granules, written, sizeof granules);
            if ((granules & kOutsideOfEight) != 0) return false;
            byte += 8 * kGranuleBytes;
            continue;
        }
        if ((*written >> (kOutsideShift + byte % kGranuleBytes) & 1) != 0) return false;
        const bool whole = byte % kGranuleBytes == 0 && left >= kGranuleBytes;
        if (whole && (*written & kAllOutside) != 0) return false;
        byte += whole ? kGranuleBytes : 1;
    }
    return true;
}

const SharedVariable* SharedMemory::variable_near(std::uint64_t offset) const {
    const auto after = std::find_if(variables_.begin(), variables_.end(),
                                    [&](const SharedVariable& variable) { return variable.offset > offset; });
    if (after != variables_.begin()) return &*(after - 1);
    return variables_.empty() ? nullptr : &variables_.front();
}

}  // namespace optiml::emulator
