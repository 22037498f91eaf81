#include "emulator/execution/special_rows.h"

#include <algorithm>

#include "base/random.h"

namespace optiml::emulator {
namespace {

using enum ptx::SpecialRegister;

void fill(const Row& row, std::uint64_t value) {
    if (row.width == 64)
        std::fill_n(row.longs(), kLanes, value);
    else
        std::fill_n(row.words(), kLanes, static_cast<std::uint32_t>(row.width == 16 ? value & 0xffff : value));
}

template <class ValueOf>
void fill_lanes(const Row& row, ValueOf value_of) {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        const std::uint32_t value = value_of(lane);
        if (row.width == 64)
            row.longs()[lane] = value;
        else
            row.words()[lane] = row.width == 16 ? value & 0xffff : value;
    }
}

void fill_thread_index(const Row& row, int dimension, const Dim3& threads, std::uint32_t first) {
    std::uint32_t place[3] = {first % threads.x, first / threads.x % threads.y, first / threads.x / threads.y};
    fill_lanes(row, [&](std::uint32_t) {
        const std::uint32_t value = place[dimension];
        if (++place[0] == threads.x) {
            place[0] = 0;
            if (++place[1] == threads.y) {
                place[1] = 0;
                ++place[2];
            }
        }
        return value;
    });
}

std::uint32_t lane_mask(ptx::SpecialRegister special, std::uint32_t lane) {
    const LaneMask bit = LaneMask{1} << lane;
    switch (special) {
        case lanemask_eq: return bit;
        case lanemask_lt: return bit - 1;
        case lanemask_le: return (bit - 1) | bit;
        case lanemask_gt: return ~((bit - 1) | bit);
        default: return ~(bit - 1);
    }
}

// Streams of random numbers.
constexpr std::uint64_t kClockStream = 1, kTimerStream = 2, kSmStream = 3, kWarpStream = 4;

std::uint64_t random_of(const LaunchState& state, std::uint64_t stream) { return random_bits(state.options.schedule_seed, stream); }

// Cycles: an SM's clock has run for up to some hours when the launch begins.
std::uint64_t clock_of(const LaunchState& state, std::uint32_t sm, std::uint64_t issued) {
    return (random_of(state, kClockStream) << 12) + random_bits(sm, kClockStream) % 4096 + issued;
}

// Nanoseconds since 1970, in some year after 2023.
std::uint64_t timer_of(const LaunchState& state, std::uint64_t issued) {
    return 1'700'000'000'000'000'000 + (random_of(state, kTimerStream) << 27) + issued;
}

std::uint64_t warps_per_sm(const LaunchState& state) { return state.device.max_threads_per_sm / kLanes; }

// Of those that are the same for all lanes of a warp. Where a block or warp lands on the device differs from schedule to schedule.
std::uint64_t uniform_value(ptx::SpecialRegister special, const LaunchState& state, const Block& block, const Warp& warp) {
    const Dim3& grid = state.launch.grid;
    const Dim3& threads = state.launch.block;
    switch (special) {
        case ntid_x: return threads.x;
        case ntid_y: return threads.y;
        case ntid_z: return threads.z;
        case ctaid_x: case clusterid_x: return block.place[0];
        case ctaid_y: case clusterid_y: return block.place[1];
        case ctaid_z: case clusterid_z: return block.place[2];
        case nctaid_x: case nclusterid_x: return grid.x;
        case nctaid_y: case nclusterid_y: return grid.y;
        case nctaid_z: case nclusterid_z: return grid.z;
        case cluster_nctaid_x: case cluster_nctaid_y: case cluster_nctaid_z: case cluster_nctarank: return 1;
        case warpid: return (std::uint64_t{block.slot} * state.warps_per_block() + warp.number() + random_of(state, kWarpStream)) % warps_per_sm(state);
        case nwarpid: return warps_per_sm(state);
        case nsmid: return state.device.sm_count;
        case dynamic_smem_size: return state.launch.dynamic_shared;
        case total_smem_size: return state.kernel.shared.packed_bytes + state.launch.dynamic_shared;
        case warp_size: return kLanes;
        default: return 0;
    }
}

}  // namespace

void fill_special_row(const Row& row, ptx::SpecialRegister special, const LaunchState& state, const Block& block, const Warp& warp,
                      std::uint32_t sm, std::uint64_t issued) {
    const Dim3& threads = state.launch.block;
    const std::uint32_t first = warp.number() * kLanes;
    switch (special) {
        case tid_x: return fill_thread_index(row, 0, threads, first);
        case tid_y: return threads.y == 1 ? fill(row, 0) : fill_thread_index(row, 1, threads, first);
        case tid_z: return threads.z == 1 ? fill(row, 0) : fill_thread_index(row, 2, threads, first);
        case laneid: return fill_lanes(row, [](std::uint32_t lane) { return lane; });
        case lanemask_eq: case lanemask_lt: case lanemask_le: case lanemask_gt: case lanemask_ge:
            return fill_lanes(row, [&](std::uint32_t lane) { return lane_mask(special, lane); });
        case smid: return fill(row, (sm + random_of(state, kSmStream)) % state.device.sm_count);
        case clock: case clock64: return fill(row, clock_of(state, sm, issued));
        case clock_hi: return fill(row, clock_of(state, sm, issued) >> 32);
        case globaltimer: case globaltimer_lo: return fill(row, timer_of(state, issued));
        case globaltimer_hi: return fill(row, timer_of(state, issued) >> 32);
        default: return fill(row, uniform_value(special, state, block, warp));
    }
}

}  // namespace optiml::emulator
