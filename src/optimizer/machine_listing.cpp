#include "optimizer/machine_listing.h"

#include "emulator/device_model.h"
#include "evaluation/build.h"
#include "gpu/device.h"
#include "gpu/machine_code_listing.h"
#include "optimizer/evaluators.h"
#include "optimizer/task_loading.h"
#include "optiml/one_evaluation.h"

namespace optiml::optimizer {

Result<std::string> list_machine_code(gpu::Compiler& compiler, const task::Task& task, const task::Candidate& candidate,
                                      std::uint32_t compute_capability) {
    const gpu::CompileOutcome code = compiler.compile(evaluation::compile_request(compiler, task, candidate, compute_capability));
    if (!code.compiled) return user_error("the kernel does not compile: " + code.log, {task.source_file, 0, 0});
    return gpu::list_machine_code(code.cubin);
}

Result<std::uint32_t> compute_capability_of(const std::string& device) {
    if (!device.starts_with("cuda:")) {
        return emulator::find_device_model(device.substr(device.find(':') + 1)).map([](const emulator::DeviceModel& model) { return model.compute_capability; });
    }
    const auto ordinals = device_ordinals(device);
    if (!ordinals) return tl::make_unexpected(ordinals.error());
    return gpu::Device::describe(ordinals->front()).map([](const gpu::DeviceProperties& card) { return card.compute_capability; });
}

Result<std::string> machine_listing(const TaskChoice& choice, const std::string& device) {
    const RealDisk disk;
    const Result<task::Task> task = load_task(choice, disk);
    if (!task) return tl::make_unexpected(task.error());
    const auto compiler = gpu::load_compiler();
    if (!compiler) return tl::make_unexpected(compiler.error());
    const auto compute_capability = compute_capability_of(device);
    if (!compute_capability) return tl::make_unexpected(compute_capability.error());
    return list_machine_code(**compiler, *task, task::original_of(*task), *compute_capability);
}

}  // namespace optiml::optimizer
