#include "gpu/removed_features.h"

#include <regex>

#include <fmt/format.h>

namespace optiml::gpu {
namespace {

struct Removal {
    const char* complaint;  // of NVRTC or of the ptxas inside it; its first group stands for {} in what follows
    const char* feature;
    const char* replacement;
    std::vector<std::string> words = {};
};

const std::vector<Removal>& removals() {
    static const std::vector<Removal> all = {
        {R"x(^texture is not a template$)x", "texture references (texture<...>)",
         "give the kernel a cudaTextureObject_t and fetch with tex2D<float>(object, x, y) and the like"},
        {R"x(^surface is not a template$)x", "surface references (surface<...>)",
         "give the kernel a cudaSurfaceObject_t and call surf2Dread and surf2Dwrite with it"},
        {R"x(^identifier "__shfl(|_up|_down|_xor)" is undefined$)x", "__shfl{} without a mask",
         "call __shfl{}_sync, whose first argument says which lanes take part (0xffffffff: all)"},
        {R"x('vote' without '\.sync')x",
         "__any, __all and __ballot without a mask",
         "call __any_sync, __all_sync or __ballot_sync, whose first argument says which lanes take part (0xffffffff: all)",
         {"__any", "__all", "__ballot"}},
        {R"x(^identifier "cudaThread(\w+)" is undefined$)x", "cudaThread{}",
         "call cudaDevice{}, on the host; launches of one stream wait for each other by themselves"},
        {R"x(^class "cudaDeviceProp" has no member "(\w+)"$)x", "cudaDeviceProp::{}",
         "ask cudaDeviceGetAttribute on the host and pass the value to the kernel"},
        {R"x(^invalid value for --gpu-architecture)x", "architectures before sm_75, such as sm_60 and sm_70",
         "leave -arch out of `extra` in the task file's [compile]; the code is built for the device that it is evaluated on"},
    };
    return all;
}

std::string filled(const char* text, const std::string& name) { return fmt::format(fmt::runtime(text), name); }

}  // namespace

std::optional<RemovedFeature> removed_feature(const std::string& complaint) {
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
        return RemovedFeature{
            fmt::format("CUDA no longer has {}: {}. What the kernel computes is not at fault. (The compiler says: {})",
                        filled(removal.feature, name), filled(removal.replacement, name), complaint),
            removal.words};
    }
    return std::nullopt;
}

}  // namespace optiml::gpu
