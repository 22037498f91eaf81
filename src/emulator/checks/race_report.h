#pragma once

#include "emulator/checks/access_record.h"
#include "emulator/execution/executor.h"

namespace optiml::emulator {

struct Race {
    std::uint32_t lane = 0;           // that accesses now
    std::uint64_t address = 0;        // in the request's space
    AccessRecord other = 0;
    bool other_wrote = false;
    bool noncoherent = false;         // one of the two reads through the read-only cache
};

void report_race(Executor& executor, const Operation& operation, const Request& request, const Race& race);

}  // namespace optiml::emulator
