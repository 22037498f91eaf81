#include "emulator/checks/access_history.h"

#include <algorithm>

namespace optiml::emulator {
namespace {

void repeat_each(std::vector<AccessRecord>& cells, std::uint32_t times) {
    std::vector<AccessRecord> repeated(cells.size() * times);
    for (std::size_t cell = 0; cell < cells.size(); ++cell)
        std::fill_n(repeated.begin() + static_cast<std::ptrdiff_t>(cell * times), times, cells[cell]);
    cells = std::move(repeated);
}

}  // namespace

void AccessHistory::refine(std::uint32_t shift) {
    if (shift >= cell_shift_) return;
    const std::uint32_t times = 1u << (cell_shift_ - shift);
    repeat_each(writes, times);
    repeat_each(reads, times);
    repeat_each(earlier_reads, times);
    repeat_each(noncoherent_reads, times);
    decltype(readers) finer;
    for (const auto& [cell, list] : readers)
        for (std::uint32_t part = 0; part < times; ++part) finer[cell * times + part] = list;
    readers = std::move(finer);
    decltype(in_flight) finer_flights;
    for (const auto& [cell, record] : in_flight)
        for (std::uint32_t part = 0; part < times; ++part) finer_flights[cell * times + part] = record;
    in_flight = std::move(finer_flights);
    cell_shift_ = shift;
}

void AccessHistory::clear() {
    std::fill(writes.begin(), writes.end(), 0);
    std::fill(reads.begin(), reads.end(), 0);
    std::fill(earlier_reads.begin(), earlier_reads.end(), 0);
    noncoherent_reads.clear();
    readers.clear();
    in_flight.clear();
}

}  // namespace optiml::emulator
