#pragma once
// Findings about addresses.

#include "emulator/execution/executor.h"

namespace optiml::emulator {

void report_out_of_bounds(Executor& executor, const Operation& operation, const Request& request, std::uint32_t lane);
void report_misaligned(Executor& executor, const Operation& operation, const Request& request, std::uint32_t lane);

// The buffer that an address belongs to and the offset in it, for findings.
struct PlaceInBuffer {
    std::string buffer;
    std::uint64_t offset = 0;
};
PlaceInBuffer place_of(Executor& executor, ptx::Space space, std::uint64_t address);

}  // namespace optiml::emulator
