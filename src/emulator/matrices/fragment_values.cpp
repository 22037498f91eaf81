#include "emulator/matrices/fragment_values.h"

#include <bit>
#include <cstring>

#include <fmt/format.h>

namespace optiml::emulator {

void read_registers(Executor& executor, std::uint32_t first, std::uint32_t registers, std::uint32_t register_bytes, FragmentBytes& to) {
    for (std::uint32_t number = 0; number < registers; ++number) {
        const Row row = executor.frame().row_of(executor.program().slots[first + number]);
        for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
            const std::uint8_t* from = static_cast<const std::uint8_t*>(row.data) + lane * (row.width == 64 ? 8 : 4);
            std::memcpy(&to.bytes[lane][number * register_bytes], from, register_bytes);
        }
    }
}

void write_registers(Executor& executor, std::uint32_t first, std::uint32_t registers, std::uint32_t register_bytes, LaneMask lanes,
                     const FragmentBytes& from) {
    for (std::uint32_t number = 0; number < registers; ++number) {
        const Slot& slot = executor.program().slots[first + number];
        const Row row = executor.frame().row_of(slot);
        for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
            std::memcpy(static_cast<std::uint8_t*>(row.data) + lane * (row.width == 64 ? 8 : 4), &from.bytes[lane][number * register_bytes],
                        register_bytes);
        }
        executor.frame().taint.clear(slot.row, lanes);
    }
}

void check_whole_warp(Executor& executor, const Operation& operation, LaneMask active) {
    if (active == ~LaneMask{0}) return;
    executor.report(executor.finding(FindingKind::shuffle, operation, static_cast<std::uint32_t>(std::countr_zero(active)),
                                     fmt::format("matrix instruction executed by {} of the 32 lanes of a warp", std::popcount(active))));
}

}  // namespace optiml::emulator
