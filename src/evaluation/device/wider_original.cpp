#include "evaluation/device/wider_original.h"

#include <algorithm>

#include "evaluation/build.h"
#include "evaluation/device/wider_source.h"

namespace optiml::evaluation::device {
namespace {

// Doubles take twice the registers: with at most so many, blocks of any size can still be launched.
constexpr const char* kFewRegisters = "--maxrregcount=64";

// Sets another hang limit as long as it lives.
class HangLimit {
public:
    HangLimit(gpu::Device& device, double seconds) : device_(device), before_(device.hang_limit()) { device_.set_hang_limit(seconds); }
    ~HangLimit() { device_.set_hang_limit(before_); }
    HangLimit(const HangLimit&) = delete;
    HangLimit& operator=(const HangLimit&) = delete;

private:
    gpu::Device& device_;
    const double before_;
};

bool has_other_floats_or_textures(const task::Task& task) {
    return std::any_of(task.arguments.begin(), task.arguments.end(), [](const task::Argument& argument) {
        return argument.texture || (task::is_float(argument.type) && argument.type != task::ScalarType::f32);
    });
}

bool has_float_results(const task::Task& task) {
    return std::any_of(task.arguments.begin(), task.arguments.end(), [](const task::Argument& argument) {
        return argument.type == task::ScalarType::f32 && (argument.role == task::Role::output || argument.role == task::Role::inout);
    });
}

task::ScalarType wider(task::ScalarType type) { return type == task::ScalarType::f32 ? task::ScalarType::f64 : type; }

gpu::DeviceFailure failure(std::string name, std::string message) { return {"the original in f64", std::move(name), std::move(message), false}; }

// The compiler takes one limit.
bool limits_registers(const std::string& option) { return option.find("maxrregcount") != std::string::npos; }

bool is_result(const task::ResolvedBuffer& buffer) { return buffer.role == task::Role::output || buffer.role == task::Role::inout; }

}  // namespace

task::Task wider_task(const task::Task& task, const task::LaunchPlan& plan) {
    task::Task result = task;
    result.plan = plan;
    for (task::Argument& argument : result.arguments) {
        // A scalar is the f32 that the original gets.
        if (argument.type == task::ScalarType::f32) argument.float_value = static_cast<float>(argument.float_value);
        argument.type = wider(argument.type);
        argument.alignment_offset = task::Expression(0);
    }
    for (task::Scratch& scratch : result.plan.scratch) scratch.type = wider(scratch.type);
    for (task::Step& step : result.plan.steps) {
        for (task::LaunchArgument& argument : step.launch.arguments) argument.type = wider(argument.type);
    }
    return result;
}

tl::expected<std::unique_ptr<WiderOriginal>, std::string> WiderOriginal::make(gpu::Device& device, gpu::HelperKernels& kernels, const task::Task& task,
                                                                              const task::Candidate& original, double hang_seconds) {
    if (has_other_floats_or_textures(task) || !has_float_results(task)) return tl::make_unexpected("the task has other floats than f32, textures, or no float results");
    const auto compiler = gpu::load_compiler();
    if (!compiler) return tl::make_unexpected(compiler.error().text());
    gpu::CompileRequest request = compile_request(**compiler, task, original, device.properties().compute_capability);
    const auto source = wider_source(request.source);
    if (!source) return tl::make_unexpected("the original looks at the bits of its floats");
    request.source = *source;
    request.options.erase(std::remove_if(request.options.begin(), request.options.end(), limits_registers), request.options.end());
    request.options.emplace_back(kFewRegisters);
    gpu::CompileOutcome outcome = (*compiler)->compile(request);
    if (!outcome.compiled) return tl::make_unexpected("the original does not compile with doubles for floats: " + outcome.log);
    auto module = device.load(outcome.cubin);
    if (!module) return tl::make_unexpected(module.error().text());
    std::unique_ptr<WiderOriginal> made(new WiderOriginal(device, kernels, hang_seconds));
    made->task_ = wider_task(task, original.plan);
    made->compiled_ = {original, std::move(outcome.cubin), std::move(outcome.kernels)};
    made->module_ = std::make_unique<gpu::DeviceModule>(std::move(*module));
    return made;
}

gpu::DeviceStatus WiderOriginal::run(const task::Sizes& sizes, const Buffers& inputs, const std::vector<gpu::DeviceAddress>& to) {
    auto plan = task::resolve(task_, task_.plan, sizes);
    if (!plan) return tl::make_unexpected(failure("PLAN", plan.error().text()));
    for (task::ResolvedStep& step : plan->steps) step.dynamic_shared *= 2;
    auto buffers = allocate(device_, *plan, 0, plan->buffers.size());
    if (!buffers) return tl::make_unexpected(buffers.error());
    std::vector<gpu::DeviceAddress> addresses;
    for (const GuardedBuffer& buffer : *buffers) addresses.push_back(buffer.data());
    auto program = DeviceProgram::make(device_, *module_, compiled_, *plan, addresses);
    if (!program) return tl::make_unexpected(failure("LAUNCH", program.error().message));
    const HangLimit limit(device_, hang_seconds_);
    auto done = lay_out(*plan, *buffers, inputs);
    if (done) done = program->enqueue();
    if (done) done = hand_over(*plan, *buffers, to);
    // Freed memory goes to candidates.
    for (std::size_t i = 0; i < buffers->size(); ++i) {
        const auto wiped = is_result(plan->buffers[i]) ? (*buffers)[i].poison() : gpu::DeviceStatus{};
        if (done) done = wiped;
    }
    const auto finished = device_.synchronize();
    has_lost_device_ = !finished && finished.error().sticky;
    // Freeing would wait for a kernel that never ends.
    if (has_lost_device_) (void)std::make_unique<Buffers>(std::move(*buffers)).release();
    return finished ? done : finished;
}

gpu::DeviceStatus WiderOriginal::lay_out(const task::ResolvedPlan& plan, Buffers& buffers, const Buffers& inputs) {
    gpu::DeviceStatus done;
    for (std::size_t i = 0; i < buffers.size() && done; ++i) {
        const task::ResolvedBuffer& buffer = plan.buffers[i];
        if (i >= inputs.size() || buffer.role == task::Role::output) {
            done = buffers[i].poison();
        } else if (buffer.type == task::ScalarType::f64) {
            done = kernels_.widen(inputs[i].data(), buffers[i].data(), buffer.elements);
        } else {
            done = device_.copy(buffers[i].data(), inputs[i].data(), buffers[i].bytes());
        }
    }
    return done;
}

gpu::DeviceStatus WiderOriginal::hand_over(const task::ResolvedPlan& plan, Buffers& buffers, const std::vector<gpu::DeviceAddress>& to) {
    gpu::DeviceStatus done;
    for (std::size_t i = 0; i < to.size() && done; ++i) {
        const task::ResolvedBuffer& buffer = plan.buffers[i];
        if (to[i] == 0) continue;
        done = buffer.type == task::ScalarType::f64 ? kernels_.narrow(buffers[i].data(), to[i], buffer.elements)
                                                    : device_.copy(to[i], buffers[i].data(), buffers[i].bytes());
    }
    return done;
}

}  // namespace optiml::evaluation::device
