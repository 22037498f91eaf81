#include "emulator/checks/access_history.h"

#include <algorithm>

namespace optiml::emulator {
namespace {

std::vector<AccessRecord> repeat_each(const std::vector<AccessRecord>& cells, std::uint32_t times) {
    std::vector<AccessRecord> repeated(cells.size() * times);
    for (std::size_t cell = 0; cell < cells.size(); ++cell) std::fill_n(repeated.begin() + cell * times, times, cells[cell]);
    return repeated;
}

}  // namespace

void AccessHistory::refine(std::uint32_t shift) {
    if (shift >= cell_shift_) return;
    const std::uint32_t times = 1u << (cell_shift_ - shift);
    writes = repeat_each(writes, times);
    reads = repeat_each(reads, times);
    decltype(other_reads) finer;
    for (const auto& [cell, records] : other_reads)
        for (std::uint32_t part = 0; part < times; ++part) finer[cell * times + part] = records;
    other_reads = std::move(finer);
    cell_shift_ = shift;
}

void AccessHistory::clear() {
    std::fill(writes.begin(), writes.end(), 0);
    std::fill(reads.begin(), reads.end(), 0);
    other_reads.clear();
}

}  // namespace optiml::emulator
