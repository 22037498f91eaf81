#include "evaluation/device/device_tools.h"

#include "gpu/compiler.h"

namespace optiml::evaluation::device {
namespace {

Result<std::vector<std::uint8_t>> compile_helpers(const gpu::Device& device) {
    const auto compiler = gpu::load_compiler();
    if (!compiler) return tl::make_unexpected(compiler.error());
    return gpu::HelperKernels::compile(**compiler, device.properties().compute_capability);
}

}  // namespace

Result<std::unique_ptr<DeviceTools>> DeviceTools::open(int ordinal, std::vector<std::uint8_t> helper_cubin) {
    auto tools = std::make_unique<DeviceTools>();
    auto device = gpu::Device::open(ordinal);
    if (!device) return tl::make_unexpected(device.error());
    tools->device = std::move(*device);
    if (helper_cubin.empty()) {
        auto compiled = compile_helpers(*tools->device);
        if (!compiled) return tl::make_unexpected(compiled.error());
        helper_cubin = std::move(*compiled);
    }
    tools->helper_cubin = std::move(helper_cubin);
    auto kernels = gpu::HelperKernels::load(*tools->device, tools->helper_cubin);
    if (!kernels) return tl::make_unexpected(kernels.error());
    tools->kernels = std::move(*kernels);
    tools->clocks = gpu::Clocks::open(tools->device->properties().uuid).value_or(nullptr);
    auto timer = gpu::Timer::make(*tools->device, *tools->kernels, tools->clocks.get(), tools->clock);
    if (!timer) return environment_error(timer.error().text());
    tools->timer = std::move(*timer);
    return tools;
}

gpu::Profiler* DeviceTools::profiler() {
    if (profiler_ != nullptr || attempts_left_ == 0) return profiler_.get();
    auto opened = gpu::Profiler::open(*device);
    if (opened) {
        profiler_ = std::move(*opened);
        no_counters_because_.clear();
        return profiler_.get();
    }
    no_counters_because_ = opened.error().text();
    attempts_left_ = opened.error().kind == ErrorKind::environment ? 0 : attempts_left_ - 1;
    return nullptr;
}

}  // namespace optiml::evaluation::device
