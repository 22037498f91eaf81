#include "gpu/removed_features.h"

#include <map>
#include <regex>

#include <fmt/format.h>

namespace optiml::gpu {
namespace {

struct Removal {
    const char* complaint;  // of NVRTC or of the ptxas inside it; its first group stands for {0} in what follows
    const char* feature;
    const char* replacement;
    std::vector<std::string> words = {};
    // Where the complaint fits names that never were as well: those that the group may be, and what stands for {1}.
    std::map<std::string, const char*> successors = {};
};

const std::vector<Removal>& removals() {
    static const std::vector<Removal> all = {
        {R"x(^texture is not a template$)x", "texture references (texture<...>)",
         "give the kernel a cudaTextureObject_t and fetch with tex2D<float>(object, x, y) and the like"},
        {R"x(^surface is not a template$)x", "surface references (surface<...>)",
         "give the kernel a cudaSurfaceObject_t and call surf2Dread and surf2Dwrite with it"},
        {R"x(^identifier "__shfl(|_up|_down|_xor)" is undefined$)x", "__shfl{0} without a mask",
         "call __shfl{0}_sync, whose first argument says which lanes take part (0xffffffff: all)"},
        {R"x('vote' without '\.sync')x",
         "__any, __all and __ballot without a mask",
         "call __any_sync, __all_sync or __ballot_sync, whose first argument says which lanes take part (0xffffffff: all)",
         {"__any", "__all", "__ballot"}},
        {R"x(^identifier "cudaThreadSynchronize" is undefined$)x", "cudaThreadSynchronize",
         "call cudaDeviceSynchronize, on the host; launches of one stream wait for each other by themselves"},
        {R"x(^identifier "(cudaThread\w+)" is undefined$)x",
         "{0}",
         "call {1}, on the host",
         {},
         {{"cudaThreadExit", "cudaDeviceReset"},
          {"cudaThreadGetLimit", "cudaDeviceGetLimit"},
          {"cudaThreadSetLimit", "cudaDeviceSetLimit"},
          {"cudaThreadGetCacheConfig", "cudaDeviceGetCacheConfig"},
          {"cudaThreadSetCacheConfig", "cudaDeviceSetCacheConfig"}}},
        {R"x(^class "cudaDeviceProp" has no member "(\w+)"$)x",
         "cudaDeviceProp::{0}",
         "ask cudaDeviceGetAttribute for {1} on the host and pass the value to the kernel",
         {},
         {{"clockRate", "cudaDevAttrClockRate"},
          {"computeMode", "cudaDevAttrComputeMode"},
          {"deviceOverlap", "cudaDevAttrGpuOverlap"},
          {"kernelExecTimeoutEnabled", "cudaDevAttrKernelExecTimeout"},
          {"maxTexture1DLinear", "cudaDevAttrMaxTexture1DLinearWidth"},
          {"memoryClockRate", "cudaDevAttrMemoryClockRate"},
          {"singleToDoublePrecisionPerfRatio", "cudaDevAttrSingleToDoublePrecisionPerfRatio"}}},
        {R"x(^class "cudaDeviceProp" has no member "cooperativeMultiDeviceLaunch"$)x", "cudaDeviceProp::cooperativeMultiDeviceLaunch",
         "write 0 in its place; cooperative launches over several devices are gone as well"},
    };
    return all;
}

std::string filled(const char* text, const std::string& name, const char* successor) {
    return fmt::format(fmt::runtime(text), name, successor);
}

RemovedFeature told(const std::string& feature, const std::string& replacement, const std::string& complaint, const std::vector<std::string>& words) {
    return {fmt::format("CUDA no longer has {}: {}. What the kernel computes is not at fault. (The compiler says: {})", feature, replacement, complaint),
            words};
}

// The complaint about an architecture does not say which.
std::optional<RemovedFeature> removed_architecture(const std::string& complaint, const std::vector<std::string>& options) {
    if (!complaint.starts_with("invalid value for --gpu-architecture")) return std::nullopt;
    static const std::regex before_sm_75(R"(^(?:-arch=|--gpu-architecture=)?((?:sm|compute)_(?:[1-6]\d|7[0-4]))$)");
    for (const std::string& option : options) {
        std::smatch parts;
        if (!std::regex_match(option, parts, before_sm_75)) continue;
        return told(parts[1].str() + ", nor any other architecture before sm_75",
                    "leave -arch out of `options` in the task file's [compile]; the code is built for the device that it is evaluated on", complaint, {});
    }
    return std::nullopt;
}

}  // namespace

std::optional<RemovedFeature> removed_feature(const std::string& complaint, const std::vector<std::string>& options) {
    static const std::vector<std::regex> patterns = [] {
        std::vector<std::regex> compiled;
        for (const Removal& removal : removals()) compiled.emplace_back(removal.complaint);
        return compiled;
    }();
    for (std::size_t i = 0; i < patterns.size(); ++i) {
        std::smatch parts;
        if (!std::regex_search(complaint, parts, patterns[i])) continue;
        const Removal& removal = removals()[i];
        const std::string name = parts.size() > 1 ? parts[1].str() : "";
        const auto successor = removal.successors.find(name);
        if (!removal.successors.empty() && successor == removal.successors.end()) continue;
        const char* instead = removal.successors.empty() ? "" : successor->second;
        return told(filled(removal.feature, name, instead), filled(removal.replacement, name, instead), complaint, removal.words);
    }
    return removed_architecture(complaint, options);
}

}  // namespace optiml::gpu
