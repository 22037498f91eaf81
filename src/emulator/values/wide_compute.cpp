// Instructions that compute, with their shadows.

#include <algorithm>
#include <cstring>

#include "emulator/execution/executor.h"
#include "emulator/values/shadow_flow.h"

namespace optiml::emulator {
namespace {

// What shadow functions read of sources that are destinations as well: they want them as they were.
struct SavedSource {
    alignas(64) std::array<std::uint64_t, 2 * kLanes> bits;
    std::array<double, kLanes> high;
    std::array<double, kLanes> low;
    LaneMask valid = 0;
};

std::size_t bytes_of(const Row& row) { return row.width == 1 ? sizeof(LaneMask) : std::max(row.width, 32u) / 8 * kLanes; }

}  // namespace

void Executor::compute_wide(const Operation& operation, LaneMask active) {
    Frame& frame = *path_->frame;
    bind(operation);
    if (operation.shadow == nullptr) {
        operation.compute(operands_, active);
        shadow_flow::forget_destinations(*this, operation, active);
        return;
    }
    std::array<SavedSource, 4> saved;
    std::size_t next_saved = 0;
    LaneOperands before = operands_;
    const Slot* slots = frame.program->slots_of(operation);
    const Slot* destinations_end = slots + operation.destination_count;
    for (int source = 0; source < operation.source_count; ++source) {
        const Slot& slot = destinations_end[source];
        ShadowRow shadow = frame.shadows.row(slot.row);
        const bool is_destination = slot.row != kNoRow && std::any_of(slots, destinations_end, [&](const Slot& other) { return other.row == slot.row; });
        if (is_destination && next_saved < saved.size()) {
            SavedSource& copy = saved[next_saved++];
            std::memcpy(copy.bits.data(), operands_.sources[source].data, bytes_of(operands_.sources[source]));
            std::copy_n(shadow.high, kLanes, copy.high.begin());
            std::copy_n(shadow.low, kLanes, copy.low.begin());
            copy.valid = *shadow.valid;
            before.sources[source].data = copy.bits.data();
            shadow = {.high = copy.high.data(), .low = copy.low.data(), .valid = &copy.valid};
        }
        shadow_operands_.sources[source] = shadow;
    }
    for (int destination = 0; destination < operation.destination_count; ++destination)
        shadow_operands_.destinations[destination] = frame.shadows.row(slots[destination].row);
    operation.compute(operands_, active);
    operation.shadow(before, shadow_operands_, active);
    frame.shadows.clear_sink();
}

}  // namespace optiml::emulator
