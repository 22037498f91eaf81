#pragma once
// Steps that loads, stores and atomics have in common.

#include <bit>

#include "emulator/execution/executor.h"
#include "emulator/storage/address_space.h"

namespace optiml::emulator {

// The lanes of a generic request that point into the same window as the first of `rest`, as a request of its own.
// These lanes leave `rest`.
Request take_window(const Request& whole, LaneMask& rest);

// Calls act(Request&) for the request, or for each of its windows where its addresses are generic. Returns the lanes that are left in
// the requests afterwards: those whose access was no fault.
template <class Act>
LaneMask for_each_part(Request& request, Act act) {
    if (request.space != ptx::Space::generic) {
        act(request);
        return request.active;
    }
    LaneMask done = 0;
    for (LaneMask rest = request.active; rest != 0;) {
        Request part = take_window(request, rest);
        act(part);
        done |= part.active;
    }
    return done;
}

// What a faulty access would have read is not known; zero keeps later findings few.
void clear_staging(Executor& executor, std::uint32_t lane_bytes, LaneMask lanes);

// The spans' bytes are initialised from now on.
void mark_written(const Spans& spans);

}  // namespace optiml::emulator
