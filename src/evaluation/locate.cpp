#include "evaluation/locate.h"

#include <algorithm>
#include <map>
#include <vector>

#include "evaluation/parameter_flow.h"
#include "evaluation/plan_run.h"

namespace optiml::evaluation {
namespace {

// Accesses beyond a buffer's end by step of the findings' order, kernel and line.
using WritesByLine = std::map<std::pair<std::string, std::uint32_t>, std::uint64_t>;

bool is_write(const emulator::Finding& finding, const std::string& buffer) {
    if (finding.kind != emulator::FindingKind::out_of_bounds || finding.buffer != buffer) return false;
    return finding.message.find("write") != std::string::npos || finding.message.find("atomic") != std::string::npos;
}

class WriterSearch {
public:
    WriterSearch(const VerificationContext& context, const Build& build, const task::ResolvedPlan& plan, const InputChoice& choice,
                 std::size_t buffer, std::uint64_t instruction_limit)
        : context_(context), build_(build), plan_(plan), choice_(choice), buffer_(buffer), instruction_limit_(instruction_limit) {}

    Result<StorePlace> find(std::uint64_t element) {
        auto with = writes_beyond(element);
        if (!with) return tl::make_unexpected(std::move(with.error()));
        auto without = writes_beyond(element + 1);
        if (!without) return tl::make_unexpected(std::move(without.error()));
        StorePlace place;
        for (const auto& [where, count] : *with) {
            const auto other = without->find(where);
            if (other != without->end() && other->second == count) continue;
            place = {where.first, where.second};
        }
        return place;
    }

private:
    Result<WritesByLine> writes_beyond(std::uint64_t elements) const {
        task::ResolvedPlan plan = plan_;
        plan.buffers[buffer_].elements = elements;
        auto workspace = make_workspace(*context_.task, plan, choice_, *context_.disk);
        if (!workspace) return tl::make_unexpected(std::move(workspace.error()));
        PlanRunOptions options;
        options.instruction_limit = instruction_limit_;
        options.stop_at_findings = false;
        const PlanRun run = run_plan(build_, plan, *workspace, *context_.device, options);
        WritesByLine writes;
        for (std::size_t i = 0; i < run.emulator_findings.size(); ++i) {
            const emulator::Finding& finding = run.emulator_findings[i];
            if (is_write(finding, plan.buffers[buffer_].name)) writes[{finding.kernel, finding.line}] += finding.occurrences;
        }
        return writes;
    }

    const VerificationContext& context_;
    const Build& build_;
    const task::ResolvedPlan& plan_;
    const InputChoice& choice_;
    std::size_t buffer_;
    std::uint64_t instruction_limit_;
};

}  // namespace

Result<StorePlace> writer_of(const VerificationContext& context, const Build& build, const task::LaunchPlan& plan,
                             const InputChoice& choice, std::size_t buffer, std::uint64_t element, std::uint64_t instruction_limit) {
    const auto resolved = task::resolve(*context.task, plan, choice.sizes);
    if (!resolved) return tl::make_unexpected(resolved.error());
    auto place = WriterSearch(context, build, *resolved, choice, buffer, instruction_limit).find(element);
    if (!place) return place;
    // The emulator knows kernels by their names in PTX.
    for (const KernelBuild& kernel : build.kernels) {
        if (kernel.lowered_name == place->kernel) place->kernel = kernel.kernel;
    }
    return place;
}

StorePlace last_store(const Build& build, const task::ResolvedPlan& plan, std::size_t buffer) {
    StorePlace fallback;
    for (auto step = plan.steps.rbegin(); step != plan.steps.rend(); ++step) {
        if (step->is_clear) continue;
        if (fallback.kernel.empty()) fallback = {step->kernel, line_of_kernel(build.source, step->kernel)};
        const ptx::Function* kernel = build.module->find_kernel(build.find(step->kernel)->lowered_name);
        for (std::uint32_t i = 0; i < step->arguments.size(); ++i) {
            if (!step->arguments[i].is_buffer || step->arguments[i].buffer != buffer) continue;
            const std::uint32_t line = ParameterFlow(*kernel).last_store_line(i);
            if (line != 0) return {step->kernel, line};
        }
    }
    return fallback;
}

}  // namespace optiml::evaluation
