#pragma once
// The original computed once more with doubles for its floats: the exact result, where the original's own rounding spoils it.

#include <memory>
#include <string>

#include "evaluation/device/device_program.h"
#include "gpu/device.h"
#include "gpu/helper_kernels.h"
#include "task/resolved.h"

namespace optiml::evaluation::device {

class WiderOriginal {
public:
    // Compiles it. hang_seconds: a run that takes longer never ends. Error, in words: why there is none (it has floats of other types or
    // textures, it does not compile).
    static tl::expected<std::unique_ptr<WiderOriginal>, std::string> make(gpu::Device& device, gpu::HelperKernels& kernels, const task::Task& task,
                                                                          const task::Candidate& original, double hang_seconds);
    // Runs it on these inputs, and waits. to: by the task's buffers, where results go as the task's types (floats rounded to f32); 0: not
    // wanted. Takes twice the memory of the task's buffers meanwhile, and leaves nothing of the results in it.
    gpu::DeviceStatus run(const task::Sizes& sizes, const Buffers& inputs, const std::vector<gpu::DeviceAddress>& to);
    // A run of it took the device away, as code may that counts on the size of a float.
    bool has_lost_device() const { return has_lost_device_; }

private:
    WiderOriginal(gpu::Device& device, gpu::HelperKernels& kernels, double hang_seconds) : device_(device), kernels_(kernels), hang_seconds_(hang_seconds) {}

    gpu::DeviceStatus lay_out(const task::ResolvedPlan& plan, Buffers& buffers, const Buffers& inputs);
    gpu::DeviceStatus hand_over(const task::ResolvedPlan& plan, Buffers& buffers, const std::vector<gpu::DeviceAddress>& to);

    gpu::Device& device_;
    gpu::HelperKernels& kernels_;
    const double hang_seconds_;
    task::Task task_;  // the wider one
    CompiledCandidate compiled_;
    std::unique_ptr<gpu::DeviceModule> module_;
    bool has_lost_device_ = false;
};

// The task with f64 for f32 in all that its kernels get.
task::Task wider_task(const task::Task& task, const task::LaunchPlan& plan);

}  // namespace optiml::evaluation::device
