#pragma once
// A candidate's compiled code with the steps of its plan at one choice of sizes, over one set of buffers, ready to be enqueued.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "evaluation/device/guarded_buffer.h"
#include "evaluation/evaluation.h"
#include "gpu/compiler.h"
#include "gpu/device.h"
#include "gpu/device_texture.h"
#include "task/resolved.h"

namespace optiml::evaluation::device {

// A candidate as the compile workers hand it over.
struct CompiledCandidate {
    task::Candidate candidate;
    std::vector<std::uint8_t> cubin;
    std::vector<gpu::CompiledKernel> kernels;
};

// The buffers of a plan in its order: the task's own, then scratch.
using Buffers = std::vector<GuardedBuffer>;

// Allocates buffers [first, last) of a plan.
gpu::DeviceResult<Buffers> allocate(gpu::Device& device, const task::ResolvedPlan& plan, std::size_t first, std::size_t last);

class DeviceProgram {
public:
    // A launch that no device can make, a texture that it cannot make, or a kernel that the module lacks, is a Finding of kind launch.
    static tl::expected<DeviceProgram, Finding> make(gpu::Device& device, const gpu::DeviceModule& module, const CompiledCandidate& compiled,
                                                     const task::ResolvedPlan& plan, const std::vector<gpu::DeviceAddress>& addresses);
    // Copies the textures' texels from their buffers, as they are then: after the inputs were laid out.
    gpu::DeviceStatus load_textures();
    // Copies what kernels wrote to surfaces into their buffers: before anything looks at those.
    gpu::DeviceStatus store_surfaces();
    // Enqueues the steps on the device's stream, up to that many launches; returns the first failure, with the step's kernel in
    // failed_kernel().
    gpu::DeviceStatus enqueue(std::size_t most_launches = SIZE_MAX);
    std::uint32_t launch_count() const { return launch_count_; }
    const std::string& failed_kernel() const { return failed_kernel_; }
    // Kernel names in launch order, as the plan names them.
    std::vector<std::string> launched_kernels() const;
    // What each launch is, in order; valid while this program lives.
    struct LaunchView {
        const std::string* kernel;
        void* function;
        const gpu::LaunchShape* shape;
    };
    std::vector<LaunchView> launches() const;

private:
    struct Step {
        bool is_clear = false;
        gpu::DeviceAddress address = 0;  // clear
        std::uint64_t bytes = 0;
        std::uint8_t value = 0;
        std::string kernel;              // launch
        void* function = nullptr;
        gpu::LaunchShape shape;
        std::vector<std::vector<std::uint8_t>> arguments;
    };

    gpu::Device* device_ = nullptr;
    std::map<std::uint32_t, gpu::DeviceTexture> textures_;  // by buffer of the plan
    std::vector<Step> steps_;
    std::uint32_t launch_count_ = 0;
    std::string failed_kernel_;
};

}  // namespace optiml::evaluation::device
