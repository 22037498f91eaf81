#include "evaluation/device/device_tools.h"

#include <future>

#include "gpu/compiler.h"

namespace optiml::evaluation::device {
namespace {

Result<std::vector<std::uint8_t>> compile_helpers(std::uint32_t compute_capability, const std::set<gpu::ElementType>& types) {
    const auto compiler = gpu::load_compiler();
    if (!compiler) return tl::make_unexpected(compiler.error());
    return gpu::HelperKernels::compile(**compiler, compute_capability, types);
}

}  // namespace

Result<std::unique_ptr<DeviceTools>> DeviceTools::open(int ordinal, std::vector<std::uint8_t> helper_cubin, const std::set<gpu::ElementType>& types) {
    auto tools = std::make_unique<DeviceTools>();
    const auto properties = gpu::Device::describe(ordinal);
    if (!properties) return tl::make_unexpected(properties.error());
    auto compiled = std::async(std::launch::async, [&]() -> Result<std::vector<std::uint8_t>> {
        return helper_cubin.empty() ? compile_helpers(properties->compute_capability, types) : helper_cubin;
    });
    auto device = gpu::Device::open(ordinal);
    auto cubin = compiled.get();
    if (!device) return tl::make_unexpected(device.error());
    if (!cubin) return tl::make_unexpected(cubin.error());
    tools->device = std::move(*device);
    tools->helper_cubin = std::move(*cubin);
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
