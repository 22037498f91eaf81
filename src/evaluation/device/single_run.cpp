#include "evaluation/device/single_run.h"

#include <algorithm>

#include "evaluation/device/bench.h"

namespace optiml::evaluation::device {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr std::uint64_t kChunk = 1 << 24;  // elements made on the host at once

// Device memory of exactly the bytes wanted (at least 1); frees itself.
class PlainBuffer {
public:
    static gpu::DeviceResult<PlainBuffer> make(gpu::Device& device, std::uint64_t bytes, std::uint32_t misalignment) {
        auto base = device.allocate(std::max<std::uint64_t>(bytes + misalignment, 1));
        if (!base) return tl::make_unexpected(base.error());
        return PlainBuffer(device, *base, misalignment);
    }
    PlainBuffer(PlainBuffer&& other) noexcept
        : device_(other.device_), base_(std::exchange(other.base_, 0)), misalignment_(other.misalignment_) {}
    PlainBuffer& operator=(PlainBuffer&&) = delete;
    ~PlainBuffer() {
        if (base_ != 0) device_->release(base_);
    }
    gpu::DeviceAddress data() const { return base_ + misalignment_; }

private:
    PlainBuffer(gpu::Device& device, gpu::DeviceAddress base, std::uint32_t misalignment) : device_(&device), base_(base), misalignment_(misalignment) {}

    gpu::Device* device_;
    gpu::DeviceAddress base_;
    std::uint32_t misalignment_;
};

Status write_values(gpu::Device& device, const PlainBuffer& buffer, const task::ResolvedBuffer& plan, const task::ElementGenerator& generator) {
    const std::uint64_t width = task::bytes_of(plan.type);
    std::vector<std::uint8_t> bytes;
    for (std::uint64_t first = 0; first < plan.elements; first += kChunk) {
        const std::uint64_t count = std::min(kChunk, plan.elements - first);
        bytes.resize(count * width);
        generator(first, count, bytes.data());
        auto written = device.write(buffer.data() + first * width, bytes.data(), bytes.size());
        if (written) written = device.synchronize();
        if (!written) return environment_error(written.error().text());
    }
    return {};
}

Result<std::vector<PlainBuffer>> lay_out(gpu::Device& device, const task::Task& task, const task::ResolvedPlan& plan, const task::Sizes& sizes, const Disk& disk) {
    std::vector<PlainBuffer> buffers;
    for (const task::ResolvedBuffer& wanted : plan.buffers) {
        auto buffer = PlainBuffer::make(device, wanted.elements * task::bytes_of(wanted.type), wanted.misalignment);
        if (!buffer) return environment_error("too little device memory: " + buffer.error().text(), "Use smaller sizes (--set, --size small).");
        buffers.push_back(std::move(*buffer));
        if (wanted.is_scratch || wanted.role == task::Role::output) continue;
        const auto generator = task::generator_of(task, *task.find_argument(wanted.name), sizes, task::ValuePattern::declared, kSeed, disk);
        if (!generator) return tl::make_unexpected(generator.error());
        if (const Status written = write_values(device, buffers.back(), wanted, *generator); !written) return tl::make_unexpected(written.error());
    }
    return buffers;
}

gpu::DeviceStatus run(gpu::Device& device, DeviceProgram& program) {
    if (const auto loaded = program.load_textures(); !loaded) return loaded;
    if (const auto started = device.start_profiling(); !started) return started;
    auto enqueued = program.enqueue();
    const auto finished = device.synchronize();
    const auto stopped = device.stop_profiling();
    if (!enqueued) return enqueued;
    return finished ? stopped : finished;
}

}  // namespace

Result<std::optional<Finding>> run_once(gpu::Device& device, const task::Task& task, const CompiledCandidate& candidate,
                                        const task::Sizes& sizes, const Disk& disk) {
    const auto plan = task::resolve(task, candidate.candidate.plan, sizes);
    if (!plan) return tl::make_unexpected(plan.error());
    const auto module = device.load(candidate.cubin);
    if (!module) return environment_error("the code does not load on the device: " + module.error().text());
    const auto buffers = lay_out(device, task, *plan, sizes, disk);
    if (!buffers) return tl::make_unexpected(buffers.error());
    std::vector<gpu::DeviceAddress> addresses;
    for (const PlainBuffer& buffer : *buffers) addresses.push_back(buffer.data());
    auto program = DeviceProgram::make(device, *module, candidate, *plan, addresses);
    if (!program) return program.error();
    const auto ran = run(device, *program);
    if (!ran) return finding_of(ran.error(), program->failed_kernel());
    return std::nullopt;
}

Result<std::vector<std::string>> launched_kernels(const task::Task& task, const task::LaunchPlan& plan, const task::Sizes& sizes) {
    const auto resolved = task::resolve(task, plan, sizes);
    if (!resolved) return tl::make_unexpected(resolved.error());
    std::vector<std::string> kernels;
    for (const task::ResolvedStep& step : resolved->steps) {
        if (!step.is_clear && step.grid[0] * step.grid[1] * step.grid[2] != 0) kernels.push_back(step.kernel);
    }
    return kernels;
}

}  // namespace optiml::evaluation::device
