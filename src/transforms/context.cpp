#include <algorithm>

#include "transforms/kernel_tree.h"
#include "transforms/transformation.h"

namespace optiml::transforms {
namespace {

cuda_source::ParseOptions with_compile_options(cuda_source::ParseOptions options, const task::CompileOptions& compile) {
    options.defines.insert(options.defines.end(), compile.defines.begin(), compile.defines.end());
    options.include_paths.insert(options.include_paths.end(), compile.include_paths.begin(), compile.include_paths.end());
    options.standard = compile.standard;
    return options;
}

void add_called_functions(Context& context) {
    std::vector<cuda_source::FunctionId> called;
    for (const Context::Kernel& kernel : context.kernels) {
        for (const auto callee : callees_of(context.source, kernel.function)) {
            const bool is_defined = context.source.functions[callee].body != cuda_source::none;
            if (is_defined && std::find(called.begin(), called.end(), callee) == called.end()) called.push_back(callee);
        }
    }
    for (const auto callee : called) {
        context.kernels.push_back({.function = callee, .facts = cuda_source::analyze(context.source, callee), .steps = {}});
    }
}

// Templates as the plan launches them.
std::vector<std::string> instantiations_of(const task::LaunchPlan& plan) {
    std::vector<std::string> names;
    for (const task::Step& step : plan.steps) {
        const std::string& name = step.launch.kernel;
        const bool is_new = std::find(names.begin(), names.end(), name) == names.end();
        if (step.kind == task::Step::Kind::launch && is_new && name.find('<') != std::string::npos) names.push_back(name);
    }
    return names;
}

}  // namespace

Result<Context> make_context(const task::Task& task, const task::Candidate& candidate, const cuda_source::ParseOptions& options) {
    cuda_source::ParseOptions parse_options = with_compile_options(options, candidate.compile);
    parse_options.instantiations = instantiations_of(candidate.plan);
    auto source = cuda_source::parse(candidate.source, parse_options);
    if (!source) return tl::unexpected(source.error());
    if (const Status status = cuda_source::first_error(*source); !status) return tl::unexpected(status.error());

    Context context{.task = &task, .candidate = &candidate, .source = std::move(*source), .kernels = {}};
    for (std::size_t step = 0; step < candidate.plan.steps.size(); ++step) {
        if (candidate.plan.steps[step].kind != task::Step::Kind::launch) continue;
        const auto function = context.source.find_kernel(candidate.plan.steps[step].launch.kernel);
        if (!function) return tl::unexpected(function.error());
        auto kernel = std::find_if(context.kernels.begin(), context.kernels.end(),
                                   [&](const Context::Kernel& known) { return known.function == *function; });
        if (kernel == context.kernels.end()) {
            context.kernels.push_back({.function = *function, .facts = cuda_source::analyze(context.source, *function), .steps = {}});
            kernel = context.kernels.end() - 1;
        }
        kernel->steps.push_back(step);
        const auto& name = candidate.plan.steps[step].launch.kernel;
        kernel->is_one_instance = kernel->steps.size() == 1 || (kernel->is_one_instance && name == candidate.plan.steps[kernel->steps.front()].launch.kernel);
    }
    add_called_functions(context);
    return context;
}

}  // namespace optiml::transforms
