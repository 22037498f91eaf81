#include "emulator/counting/memory_traffic.h"

#include <algorithm>

#include "emulator/counting/coalescing.h"

namespace optiml::emulator {
namespace {

// Sums over buffers, each no more than its size.
struct RequestFootprint {
    double read = 0;
    double written = 0;
    double written_pairs = 0;
    double partially_written = 0;
    double read_in_waves = 0;  // if each wave must fetch again what all of its blocks read
    double wave = 0;           // read by the blocks of one wave
};

RequestFootprint whole_footprint(const TrafficInput& input) {
    MemoryHistory all(0, 0);
    for (const MemoryHistory* group : input.groups) all.merge(*group);
    RequestFootprint sum;
    for (const BufferRange& buffer : input.buffers) {
        const TouchedBytes touched = all.touched(buffer.begin, buffer.begin + buffer.bytes);
        sum.read += static_cast<double>(touched.read);
        sum.written += static_cast<double>(touched.written);
        sum.written_pairs += static_cast<double>(touched.written_pairs);
        sum.partially_written += static_cast<double>(touched.partially_written);
    }
    sum.read_in_waves = sum.wave = sum.read;
    return sum;
}

// Groups of the sample stand for those that did not run; what they share shows only in that a buffer ends.
RequestFootprint sampled_footprint(const TrafficInput& input) {
    const double groups = static_cast<double>(input.groups.size());
    const double groups_a_wave = std::min<double>(input.device->sm_count, groups * input.scale);
    RequestFootprint sum;
    for (const BufferRange& buffer : input.buffers) {
        const auto size = static_cast<double>(buffer.bytes);
        TouchedBytes touched;
        for (const MemoryHistory* group : input.groups) {
            const TouchedBytes here = group->touched(buffer.begin, buffer.begin + buffer.bytes);
            touched.read += here.read;
            touched.written += here.written;
            touched.written_pairs += here.written_pairs;
            touched.partially_written += here.partially_written;
        }
        const double read = static_cast<double>(touched.read) * input.scale;
        const double wave = std::min(size, static_cast<double>(touched.read) / groups * groups_a_wave);
        sum.read += std::min(size, read);
        sum.wave += wave;
        sum.read_in_waves += std::max(std::min(size, read), std::min(read, wave * input.waves));
        sum.written += std::min(size, static_cast<double>(touched.written) * input.scale);
        sum.written_pairs += std::min(size, static_cast<double>(touched.written_pairs) * input.scale);
        sum.partially_written += std::min(size, static_cast<double>(touched.partially_written) * input.scale);
    }
    return sum;
}

}  // namespace

RetentionLimits retention_limits(const DeviceModel& device, std::uint64_t busy_sms) {
    const double sectors_an_sm = static_cast<double>(device.l2_bytes) / kSectorBytes / static_cast<double>(std::max<std::uint64_t>(1, busy_sms));
    return {device.parameter("l2_retained_share") * sectors_an_sm, device.parameter("l2_forgotten_share") * sectors_an_sm};
}

MemoryTraffic model_traffic(const TrafficInput& input) {
    const DeviceModel& device = *input.device;
    const RequestFootprint footprint = input.sampled ? sampled_footprint(input) : whole_footprint(input);
    const double retained = device.parameter("l2_retained_share") * static_cast<double>(device.l2_bytes);
    double forgotten_reads = 0;
    double forgotten_writes = 0;
    double scattered = 0;
    for (const MemoryHistory* group : input.groups) {
        scattered += group->scattered_bytes() * input.scale;
        forgotten_reads += group->forgotten_reads() * kSectorBytes * input.scale;
        forgotten_writes += group->forgotten_writes() * kSectorBytes * input.scale;
    }
    const bool waves_share = footprint.read <= retained || footprint.wave <= retained;
    const double written = footprint.written + forgotten_writes;
    const double kept_dirty = device.parameter("l2_dirty_share") * static_cast<double>(device.l2_bytes);
    MemoryTraffic traffic;
    traffic.footprint_bytes = footprint.read + footprint.written;
    traffic.dram_write_bytes = std::max(0.0, written - kept_dirty);
    const double evicted_share = written > 0 ? traffic.dram_write_bytes / written : 0;
    traffic.dram_read_bytes = (waves_share ? footprint.read : footprint.read_in_waves) + forgotten_reads + footprint.partially_written * evicted_share;
    const double pairs_a_sector = footprint.written > 0 ? std::max(1.0, footprint.written_pairs / footprint.written) : 1;
    traffic.moved_bytes = traffic.dram_read_bytes + traffic.dram_write_bytes * pairs_a_sector;
    traffic.scattered_bytes = std::min(scattered, traffic.dram_read_bytes);
    return traffic;
}

}  // namespace optiml::emulator
