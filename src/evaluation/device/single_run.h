#pragma once
// One run of a candidate's plan and nothing else, for tools that watch a whole process: Nsight Compute and compute-sanitizer.

#include "base/disk.h"
#include "evaluation/device/device_program.h"
#include "gpu/device.h"
#include "task/resolved.h"

namespace optiml::evaluation::device {

// Buffers have exactly the bytes that the plan gives them and outputs hold nothing, so that accesses outside and reads of what was
// never written are visible to the tool. The run lies between cuProfilerStart and cuProfilerStop. Values are the task's own.
// A launch that is refused or fails is a Finding in the value. Errors: (user) the plan does not resolve, values cannot be made;
// (environment) the code does not load, too little memory.
Result<std::optional<Finding>> run_once(gpu::Device& device, const task::Task& task, const CompiledCandidate& candidate,
                                        const task::Sizes& sizes, const Disk& disk);

// The kernels of a plan's launches in order, as DeviceProgram enqueues them. Errors: as task::resolve.
Result<std::vector<std::string>> launched_kernels(const task::Task& task, const task::LaunchPlan& plan, const task::Sizes& sizes);

}  // namespace optiml::evaluation::device
