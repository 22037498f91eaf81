#include "evaluation/build.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "cuda_source/device_text.h"
#include "cuda_source/parse.h"
#include "cuda_source/prelude.h"
#include "ptx/normalize.h"
#include "ptx/parser.h"

namespace optiml::evaluation {
namespace {

std::vector<std::string> launched_kernels(const task::LaunchPlan& plan) {
    std::vector<std::string> names;
    for (const task::Step& step : plan.steps) {
        if (step.kind != task::Step::Kind::launch) continue;
        if (std::find(names.begin(), names.end(), step.launch.kernel) == names.end()) names.push_back(step.launch.kernel);
    }
    return names;
}

// Options that change results, and are therefore the user's to give (task::Allowances), as NVRTC spells them.
bool is_fast_math(std::string_view option) {
    constexpr std::array<std::string_view, 4> names{"use_fast_math", "ftz=true", "prec-div=false", "prec-sqrt=false"};
    return std::any_of(names.begin(), names.end(), [&](std::string_view name) { return option.find(name) != std::string_view::npos; });
}

std::optional<Finding> check_options(const task::Task& task, const task::Candidate& candidate) {
    if (task.allowances.fast_math) return std::nullopt;
    for (const std::string& option : candidate.compile.extra) {
        const auto& given = task.compile.extra;
        if (!is_fast_math(option) || std::find(given.begin(), given.end(), option) != given.end()) continue;
        return Finding{FindingKind::compile, fmt::format("the option {} changes results and the task does not allow fast math", option),
                       task.source_file};
    }
    return std::nullopt;
}

Finding compile_finding(const gpu::CompileOutcome& outcome, const std::string& file) {
    Finding finding{FindingKind::compile, outcome.log, file};
    const auto error = std::find_if(outcome.messages.begin(), outcome.messages.end(),
                                    [](const gpu::CompilerMessage& message) { return message.is_error; });
    if (error != outcome.messages.end()) {
        finding.message = error->text;
        finding.line = error->line;
    }
    return finding;
}

tl::unexpected<BuildFailure> failure(Finding finding) { return tl::make_unexpected(BuildFailure{std::move(finding)}); }

KernelBuild build_of(const gpu::CompiledKernel& kernel) {
    return {kernel.name,        kernel.lowered_name,      kernel.registers,       kernel.static_shared,
            kernel.local_bytes, kernel.spill_store_bytes, kernel.spill_load_bytes};
}

// A file may hold the program around its kernels, which NVRTC refuses: it is blanked. Parsing costs some 12 ms, so only where
// something looks like host code.
std::string without_host_code(const gpu::Compiler& compiler, const task::Task& task, const task::Candidate& candidate) {
    const auto holds = [&](std::string_view text) { return candidate.source.find(text) != std::string::npos; };
    if (!holds("<<<") && !holds("main(") && !holds("#include") && !holds("cudaMalloc")) return candidate.source;
    cuda_source::ParseOptions options;
    options.file_name = task.source_file.empty() ? "kernel.cu" : task.source_file;
    options.defines = candidate.compile.defines;
    options.include_paths = candidate.compile.include_paths;
    options.standard = candidate.compile.standard;
    options.cuda_include = compiler.include_directory();
    const auto parsed = cuda_source::parse(candidate.source, options);
    return parsed ? cuda_source::device_text(*parsed) : candidate.source;
}

}  // namespace

gpu::CompileRequest compile_request(const gpu::Compiler& compiler, const task::Task& task, const task::Candidate& candidate,
                                    std::uint32_t compute_capability) {
    gpu::CompileRequest request;
    request.source = without_host_code(compiler, task, candidate);
    request.file_name = task.source_file.empty() ? "kernel.cu" : task.source_file;
    request.name_expressions = launched_kernels(candidate.plan);
    for (const std::string& define : candidate.compile.defines) request.options.push_back("--define-macro=" + define);
    request.options.insert(request.options.end(), candidate.compile.extra.begin(), candidate.compile.extra.end());
    request.include_paths = candidate.compile.include_paths;
    request.prelude = cuda_source::nvrtc_prelude();
    request.standard = candidate.compile.standard;
    request.compute_capability = compute_capability;
    return request;
}

const KernelBuild* Build::find(std::string_view kernel) const {
    const auto found = std::find_if(kernels.begin(), kernels.end(), [&](const KernelBuild& b) { return b.kernel == kernel; });
    return found == kernels.end() ? nullptr : &*found;
}

emulator::KernelResources Build::resources(std::string_view kernel) const {
    const KernelBuild* found = find(kernel);
    if (found == nullptr) return {};
    return {found->registers, found->static_shared, found->local_bytes, found->spill_store_bytes, found->spill_load_bytes};
}

tl::expected<Build, BuildFailure> build(gpu::Compiler& compiler, const task::Task& task, const task::Candidate& candidate,
                                        std::uint32_t compute_capability) {
    if (auto finding = check_options(task, candidate)) return failure(std::move(*finding));
    const gpu::CompileRequest request = compile_request(compiler, task, candidate, compute_capability);
    gpu::CompileOutcome outcome = compiler.compile(request);
    if (!outcome.compiled) return tl::make_unexpected(BuildFailure{compile_finding(outcome, request.file_name), outcome.is_inconclusive});
    auto module = ptx::parse(outcome.ptx);
    if (!module) return failure({FindingKind::unsupported, module.error().message, request.file_name});

    Build result;
    result.source = candidate.source;
    result.file = request.file_name;
    result.toolkit_headers = compiler.include_directory();
    result.ptx = digest_of(ptx::normalized_text(*module));
    for (const gpu::CompiledKernel& kernel : outcome.kernels) result.kernels.push_back(build_of(kernel));
    result.module = std::make_shared<const ptx::Module>(std::move(*module));
    if (auto machine_code = emulator::read_cubin(outcome.cubin)) {
        result.machine_code = std::make_shared<const emulator::MachineCode>(std::move(*machine_code));
    }
    for (const std::string& name : request.name_expressions) {
        const KernelBuild* kernel = result.find(name);
        if (kernel != nullptr && result.module->find_kernel(kernel->lowered_name) != nullptr) continue;
        return failure({FindingKind::compile, fmt::format("the source has no kernel {}", name), request.file_name});
    }
    return result;
}

bool has_variables(const ptx::Module& module) {
    return std::any_of(module.variables.begin(), module.variables.end(), [](const ptx::Variable& variable) {
        return variable.space == ptx::Space::global && !variable.name.starts_with("$str");
    });
}

std::uint32_t line_of_kernel(std::string_view source, std::string_view kernel) {
    const std::string_view name = unqualified_name(kernel);
    for (std::size_t at = source.find("__global__"); at != std::string_view::npos; at = source.find("__global__", at + 1)) {
        const std::size_t body = source.find_first_of("{;", at);
        const std::string_view head = source.substr(at, body == std::string_view::npos ? body : body - at);
        if (const std::size_t found = find_whole_word(head, name); found != std::string_view::npos) return line_at(source, at + found);
    }
    return 0;
}

}  // namespace optiml::evaluation
