#include "gpu/environment.h"

#include <optional>

#include <fmt/format.h>

#include "gpu/card_check.h"
#include "gpu/clocks.h"
#include "gpu/compiler.h"
#include "gpu/counter_permission.h"
#include "gpu/device.h"
#include "gpu/helper_kernels.h"
#include "gpu/metrics.h"
#include "gpu/nsight/ncu.h"
#include "gpu/profiler.h"
#include "gpu/toolkit.h"
#include "process/sandbox.h"

namespace optiml::gpu {
namespace {

EnvironmentCheck missing(std::string name, std::string needed_for, const Error& error) {
    return {std::move(name), CheckState::missing, error.message, std::move(needed_for), error.remedy};
}

EnvironmentCheck check_compiler() {
    const std::string purpose = "compiling candidates, with and without a GPU";
    const auto compiler = load_compiler();
    if (!compiler) return missing("NVRTC", purpose, compiler.error());
    return {"NVRTC", CheckState::present, (*compiler)->version(), purpose, ""};
}

EnvironmentCheck check_headers() {
    const std::string headers = find_cuda_headers();
    EnvironmentCheck check{"CUDA headers", CheckState::present, headers, "kernels that include CUDA's headers", ""};
    if (headers.empty()) {
        check.state = CheckState::missing;
        check.detail = "no cuda_runtime.h was found";
        check.remedy = "Run ./demo once, or install a CUDA toolkit and set CUDA_HOME.";
    }
    return check;
}

EnvironmentCheck check_program(const char* name, const std::string& path, const char* purpose, const char* remedy) {
    if (path.empty()) return {name, CheckState::missing, "not found", purpose, remedy};
    return {name, CheckState::present, path, purpose, ""};
}

EnvironmentCheck check_toolkit_program(const char* name, const char* purpose, const char* remedy) {
    return check_program(name, find_toolkit_program(name), purpose, remedy);
}

// Its tables of metrics work without a driver.
EnvironmentCheck check_cupti() {
    const std::string purpose = "hardware counters in process, where there is a card";
    const auto tables = MetricTables::load();
    if (!tables) return missing("CUPTI", purpose, tables.error());
    return {"CUPTI", CheckState::present, (*tables)->library_path(), purpose, ""};
}

EnvironmentCheck check_sandbox() {
    const std::string purpose = "keeping workers from files, network and devices";
    const process::Sandbox& sandbox = process::Sandbox::get();
    if (sandbox.works()) return {"sandbox", CheckState::present, "bubblewrap around workers, system calls filtered within", purpose, ""};
    return {"sandbox", CheckState::missing, sandbox.why_not() + (process::Sandbox::is_wanted() ? "; workers give up rights and system calls by themselves" : ""), purpose,
            "Install bubblewrap; in a container it needs permission to make namespaces. Nothing depends on it."};
}

std::optional<ClockReading> read_clocks(const std::string& uuid) {
    const auto clocks = Clocks::open(uuid);
    if (!clocks) return std::nullopt;
    return (*clocks)->read();
}

std::string words_of(CounterPermission permission) {
    switch (permission) {
        case CounterPermission::everybody: return "for all users";
        case CounterPermission::administrators: return "for administrators only";
        case CounterPermission::unknown: break;
    }
    return "permission unknown";
}

Status read_one_counter(Profiler& profiler, Device& device) {
    const auto compiler = load_compiler();
    if (!compiler) return tl::make_unexpected(compiler.error());
    const auto cubin = HelperKernels::compile(**compiler, device.properties().compute_capability, {});
    if (!cubin) return tl::make_unexpected(cubin.error());
    const auto kernels = HelperKernels::load(device, *cubin);
    if (!kernels) return tl::make_unexpected(kernels.error());
    const std::vector<std::string> metrics = {"smsp__inst_executed.sum"};
    return profiler.collect(metrics, {{1, [] { return DeviceStatus(); }, [&] { return (*kernels)->flush_l2(); }}}).map([](const auto&) {});
}

// Setting up the library does not need the permission that reading does: one small kernel decides.
EnvironmentCheck check_counters(Device& device) {
    const std::string name = fmt::format("counters of cuda:{}", device.properties().ordinal);
    const std::string purpose = "hardware counters";
    const auto profiler = Profiler::open(device);
    if (!profiler) return missing(name, purpose, profiler.error());
    if (const Status read = read_one_counter(**profiler, device); !read) return missing(name, purpose, read.error());
    return {name, CheckState::present, fmt::format("CUPTI, chip {}, {}", (*profiler)->chip(), words_of(counter_permission())), purpose, ""};
}

void check_devices(std::vector<EnvironmentCheck>& checks) {
    const std::string purpose = "measuring; without one OptiML models times on its emulator";
    const auto count = Device::count();
    if (!count) {
        checks.push_back(missing("NVIDIA driver", purpose, count.error()));
        return;
    }
    const auto first = Device::describe(0);
    checks.push_back(check_driver(first ? first->driver_version : 0, *count));
    for (int ordinal = 0; ordinal < *count; ++ordinal) {
        auto device = Device::open(ordinal);
        if (!device) {
            checks.push_back(missing(fmt::format("cuda:{}", ordinal), purpose, device.error()));
            continue;
        }
        const DeviceProperties& properties = (*device)->properties();
        checks.push_back(check_card({properties, (*device)->free_memory().value_or(0), read_clocks(properties.uuid)}));
        checks.push_back(check_counters(**device));
    }
}

}  // namespace

std::vector<EnvironmentCheck> check_environment() {
    std::vector<EnvironmentCheck> checks = {check_compiler(), check_headers()};
    checks.push_back(check_toolkit_program("nvdisasm", "listings of machine code with source lines (profile --sass)",
                                           "Run ./demo once: it brings nvdisasm into .toolchain."));
    checks.push_back(check_cupti());
    check_devices(checks);
    checks.push_back(check_program("ncu", nsight::find_ncu(), "--profiler ncu, and diagnose of .ncu-rep files",
                                   "Install Nsight Compute; counters in process need only CUPTI, and diagnose reads its CSV."));
    checks.push_back(check_toolkit_program("compute-sanitizer", "verify --second-opinion compute-sanitizer",
                                           "It comes with the CUDA toolkit; or in the checkout: pip install --no-deps --target .toolchain nvidia-cuda-sanitizer-api"));
    checks.push_back(check_sandbox());
    return checks;
}

}  // namespace optiml::gpu
