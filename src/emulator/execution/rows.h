#pragma once
// Between rows and staging.

#include "emulator/execution/executor.h"

namespace optiml::emulator {

// Fills the destination rows of a load's active lanes from executor.staging, with sign or zero extension to the rows' width.
void unpack(Executor& executor, const Operation& operation, LaneMask active);
// Fills executor.staging from the rows of a store's values: its last sources, for all lanes.
void pack(Executor& executor, const Operation& operation);

// The lanes, addresses and size of the operation's access; the second form for another of its addresses.
void form_request(Executor& executor, const Operation& operation, LaneMask active, Request& request);
void form_request(Executor& executor, const Operation& operation, const AddressForm& form, ptx::Space space, LaneMask active,
                  Request& request);

// The word of a lane in a row, whatever its width (128 bits: the low half).
inline std::uint64_t lane_value(const Row& row, std::uint32_t lane) {
    switch (row.width) {
        case 1: return *row.words() >> lane & 1;
        case 64: return row.longs()[lane];
        case 128: return row.longs()[2 * lane];
        default: return row.words()[lane];
    }
}

inline void set_lane_value(const Row& row, std::uint32_t lane, std::uint64_t value) {
    switch (row.width) {
        case 0: break;
        case 1: *row.words() = (*row.words() & ~(1u << lane)) | static_cast<std::uint32_t>(value & 1) << lane; break;
        case 16: row.words()[lane] = static_cast<std::uint32_t>(value & 0xffff); break;
        case 64: row.longs()[lane] = value; break;
        case 128:
            row.longs()[2 * lane] = value;
            row.longs()[2 * lane + 1] = 0;
            break;
        default: row.words()[lane] = static_cast<std::uint32_t>(value); break;
    }
}

}  // namespace optiml::emulator
