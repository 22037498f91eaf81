#include "evaluation/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "evaluation/compare.h"
#include "evaluation/instruction_limits.h"
#include "evaluation/plan_run.h"
#include "evaluation/tolerance.h"

namespace optiml::evaluation {
namespace {

// Outputs of fewer floats than this are judged by more than one run, with other values.
constexpr std::uint64_t kFewElements = 16;
constexpr std::uint64_t kAdditionalRuns = 4;
constexpr std::uint64_t kRepetitionFactor = 32;  // of the original in another order, or after itself

// What is run for its results: the original, or the second reference that the user names.
struct Program {
    const task::Task* task;
    const Build* build;
    const task::ResolvedPlan* plan;
};

struct OriginalRun {
    PlanRun run;
    std::vector<Output> outputs;
    std::vector<WideOutput> wide;
};

// Whether anything is computed in 16-bit floats, beyond loading, storing and converting them.
bool computes_in_halves(const ptx::Module& module) {
    const auto is_half = [](ptx::Type type) {
        return type == ptx::Type::f16 || type == ptx::Type::f16x2 || type == ptx::Type::bf16 || type == ptx::Type::bf16x2;
    };
    for (const ptx::Function& function : module.functions) {
        for (const ptx::Instruction& instruction : function.instructions) {
            const bool converts = instruction.opcode == ptx::Opcode::cvt || instruction.opcode == ptx::Opcode::mov;
            if (!converts && is_half(instruction.modifiers.type)) return true;
        }
    }
    return false;
}

// Values that the task does not speak of: an original that they harm is not at fault.
bool is_beyond_task(task::ValuePattern pattern) { return pattern == task::ValuePattern::magnitudes || pattern == task::ValuePattern::huge; }

bool has_atomics(const ptx::Module& module) {
    for (const ptx::Function& function : module.functions) {
        for (const ptx::Instruction& instruction : function.instructions) {
            if (instruction.opcode == ptx::Opcode::atom || instruction.opcode == ptx::Opcode::red) return true;
        }
    }
    return false;
}

class ReferenceMaker {
public:
    ReferenceMaker(const VerificationContext& context, const InputChoice& choice, const task::ResolvedPlan& plan)
        : context_(context), choice_(choice), plan_(plan), original_{context.task, context.original, &plan} {
        if (!is_small()) instruction_limit_ = static_cast<std::uint64_t>(context.thread_instruction_limit) / kMeanActiveLanes;
    }

    Result<Reference> make() {
        return run(original_, choice_, schedule(0), true).and_then([&](OriginalRun first) -> Result<Reference> {
            Reference reference;
            reference.thread_instructions = first.run.thread_instructions;
            if (is_small()) instruction_limit_ = instruction_limit(first.run.thread_instructions, kRepetitionFactor);
            if (!is_small() && ends_at_limit(first.run)) {
                reference.too_expensive = true;
                return reference;
            }
            reference.findings = std::move(first.run.findings);
            if (!reference.findings.empty()) return reference;
            for (std::size_t i = 0; i < first.outputs.size(); ++i) {
                reference.outputs.push_back({std::move(first.outputs[i]), std::move(first.wide[i]), {}});
            }
            start_evidence(reference);
            return add_other_schedule(reference)
                .and_then([&] { return add_perturbation(reference); })
                .and_then([&] { return add_other_values(reference); })
                .and_then([&]() -> Status {
                    if (!reference.findings.empty() || reference.too_expensive) return {};
                    set_bounds(reference);
                    return agree_with_second(reference);
                })
                .and_then([&] { return repeat(reference); })
                .map([&] { return std::move(reference); });
        });
    }

private:
    bool is_small() const { return choice_.sizes == context_.task->small_sizes(); }

    static bool ends_at_limit(const PlanRun& run) {
        return std::any_of(run.findings.begin(), run.findings.end(),
                           [](const Finding& f) { return f.kind == FindingKind::time_limit; });
    }

    // Another run of the original that does not end where the first did: with part of its results nothing can be said.
    bool is_stopped(const OriginalRun& other, Reference& reference) const {
        if (other.run.completed) return false;
        if (!is_small()) {
            reference.too_expensive = true;
            return true;
        }
        reference.findings = other.run.findings;
        for (Finding& finding : reference.findings) {
            if (finding.kind == FindingKind::time_limit) finding.message += fmt::format(" of a run in another order or with inputs a last place off; its first run took some {}",
                                                                                        reference.thread_instructions / kMeanActiveLanes);
        }
        return true;
    }

    // The emulator knows when it was to stop, not how long that was.
    void name_limit(std::vector<Finding>& findings) const {
        for (Finding& finding : findings) {
            if (finding.kind == FindingKind::time_limit) finding.message = fmt::format("stopped after {:.0f} s", context_.seconds_at_small_sizes);
        }
    }

    std::uint64_t schedule(std::uint64_t number) const { return context_.seed * 16 + number; }

    Result<OriginalRun> run(const Program& program, const InputChoice& choice, std::uint64_t schedule_seed, bool checks) const {
        auto workspace = make_workspace(*program.task, *program.plan, choice, *context_.disk);
        if (!workspace) return tl::make_unexpected(std::move(workspace.error()));
        PlanRunOptions options;
        options.domain = has_float_outputs() ? emulator::ValueDomain::wider_shadow : emulator::ValueDomain::bits;
        options.checks = checks;
        options.schedule_seed = schedule_seed;
        options.host_threads = context_.host_threads;
        const SteadyClock clock;
        const bool is_other_program = &program != &original_;
        options.instruction_limit = is_small() && is_other_program ? 0 : instruction_limit_;
        if (options.instruction_limit == 0) options.deadline = Deadline(clock, context_.seconds_at_small_sizes);
        OriginalRun result{run_plan(*program.build, *program.plan, *workspace, *context_.device, options)};
        if (options.instruction_limit == 0) name_limit(result.run.findings);
        result.outputs = read_outputs(*program.plan, *workspace);
        for (const Output& output : result.outputs) result.wide.push_back(read_wide(output, *workspace));
        return result;
    }

    bool has_float_outputs() const {
        return std::any_of(plan_.buffers.begin(), plan_.buffers.end(), [](const task::ResolvedBuffer& buffer) {
            return buffer.role != task::Role::input && task::is_float(buffer.type);
        });
    }

    bool has_float_inputs() const {
        return std::any_of(plan_.buffers.begin(), plan_.buffers.end(), [](const task::ResolvedBuffer& buffer) {
            return buffer.role != task::Role::output && task::is_float(buffer.type);
        });
    }

    void start_evidence(const Reference& reference) {
        for (const OutputReference& output : reference.outputs) {
            ErrorEvidence evidence;
            for (std::size_t i = 0; i < output.exact.high.size(); ++i) {
                const double value = output.original.value(i);
                const bool says_something =
                    output.original.written[i] && std::isfinite(value) && std::isfinite(output.exact.high[i]);
                evidence.magnitude.push_back(says_something ? std::fabs(output.exact.high[i])
                                                            : std::numeric_limits<double>::quiet_NaN());
                evidence.error.push_back(std::fabs(distance(value, output.exact.high[i], output.exact.low[i])));
            }
            evidence_.push_back(std::move(evidence));
        }
        ties_.resize(reference.outputs.size());
        additional_error_.resize(reference.outputs.size());
    }

    // Another order of blocks and warps: results that hang on it are spread, or no results at all. Without atomics, and without
    // races, which the first run has shown, the order means nothing.
    Status add_other_schedule(Reference& reference) {
        if (!has_atomics(*context_.original->module)) return {};
        auto other = run(original_, choice_, schedule(1), false);
        if (!other) return tl::make_unexpected(std::move(other.error()));
        if (is_stopped(*other, reference)) return {};
        for (std::size_t o = 0; o < reference.outputs.size(); ++o) {
            const OutputReference& output = reference.outputs[o];
            for (std::uint64_t i = 0; i < output.original.elements; ++i) {
                if (!output.original.written[i] || same(output.original, other->outputs[o], i)) continue;
                if (!task::is_float(output.original.type)) {
                    reference.findings.push_back(order_finding(output.original, i));
                    return {};
                }
                const double error = std::fabs(distance(other->outputs[o].value(i), output.exact.high[i], output.exact.low[i]));
                evidence_[o].error[i] = std::max(evidence_[o].error[i], error);
            }
        }
        return {};
    }

    // A second run, with the module's variables as the first left them: results that hang on them are no results.
    Status repeat(Reference& reference) const {
        const bool is_wanted = is_small() && choice_.pattern == task::ValuePattern::declared && has_variables(*context_.original->module);
        if (!is_wanted || !reference.findings.empty()) return {};
        auto workspace = make_workspace(*context_.task, plan_, choice_, *context_.disk);
        if (!workspace) return tl::make_unexpected(std::move(workspace.error()));
        PlanRunOptions options;
        options.checks = false;
        options.schedule_seed = schedule(0);
        options.host_threads = context_.host_threads;
        options.instruction_limit = instruction_limit_;
        run_plan(*context_.original, plan_, *workspace, *context_.device, options);
        for (const emulator::BufferId buffer : workspace->buffers) workspace->memory.reset(buffer);
        if (!run_plan(*context_.original, plan_, *workspace, *context_.device, options).completed) {
            reference.findings.push_back(repeat_finding("does not end"));
        } else if (const auto deviation = compare(reference, read_outputs(plan_, *workspace), context_.task->checks)) {
            reference.findings.push_back(repeat_finding("gives other results: " + deviation->message));
        }
        return {};
    }

    Finding repeat_finding(const std::string& what) const {
        return {FindingKind::nondeterministic, "a second run, with the module's variables as the first left them, " + what, context_.original->file,
                line_of_kernel(context_.original->source, context_.task->kernel), context_.task->kernel};
    }

    static bool same(const Output& a, const Output& b, std::uint64_t element) {
        return std::equal(a.at(element), a.at(element) + task::bytes_of(a.type), b.at(element));
    }

    Finding order_finding(const Output& output, std::uint64_t element) const {
        return {FindingKind::nondeterministic,
                fmt::format("element {} of '{}' depends on the order in which blocks and warps run", element, output.name),
                context_.original->file, line_of_kernel(context_.original->source, context_.task->kernel), context_.task->kernel};
    }

    Status add_perturbation(Reference& reference) {
        if (!has_float_inputs()) return {};
        InputChoice moved_choice = choice_;
        moved_choice.perturbed = true;
        auto moved = run(original_, moved_choice, schedule(0), false);
        if (!moved) return tl::make_unexpected(std::move(moved.error()));
        if (is_stopped(*moved, reference)) return {};
        for (std::size_t o = 0; o < reference.outputs.size(); ++o) {
            const OutputReference& output = reference.outputs[o];
            ties_[o].resize(output.original.elements);
            for (std::uint64_t i = 0; i < output.original.elements; ++i) {
                if (!task::is_float(output.original.type)) {
                    ties_[o][i] = !same(output.original, moved->outputs[o], i);
                    continue;
                }
                const double movement = std::fabs(distance(moved->wide[o].high[i], output.exact.high[i], output.exact.low[i]));
                if (std::isfinite(movement)) evidence_[o].error[i] = std::max(evidence_[o].error[i], movement);
            }
        }
        return {};
    }

    Status add_other_values(Reference& reference) {
        for (std::uint64_t number = 1; number <= kAdditionalRuns; ++number) {
            const bool wanted = std::any_of(evidence_.begin(), evidence_.end(), [](const ErrorEvidence& evidence) {
                return !evidence.error.empty() && evidence.error.size() < kFewElements;
            });
            if (!wanted) return {};
            InputChoice other_choice = choice_;
            other_choice.seed = choice_.seed + 1000 * number;
            auto other = run(original_, other_choice, schedule(number + 1), false);
            if (!other) return tl::make_unexpected(std::move(other.error()));
            if (is_stopped(*other, reference)) return {};
            for (std::size_t o = 0; o < evidence_.size(); ++o) pool_other_run(o, *other);
        }
        return {};
    }

    void pool_other_run(std::size_t o, const OriginalRun& other) {
        if (evidence_[o].error.empty() || evidence_[o].error.size() >= kFewElements) return;
        for (std::uint64_t i = 0; i < other.outputs[o].elements; ++i) {
            const double error = std::fabs(distance(other.outputs[o].value(i), other.wide[o].high[i], other.wide[o].low[i]));
            if (std::isfinite(error)) additional_error_[o] = std::max(additional_error_[o], error);
        }
    }

    void set_bounds(Reference& reference) {
        const task::Checks& checks = context_.task->checks;
        for (std::size_t o = 0; o < reference.outputs.size(); ++o) {
            OutputReference& output = reference.outputs[o];
            if (!task::is_float(output.original.type)) {
                output.bounds.assign(output.original.elements, 0);
                for (std::size_t i = 0; i < ties_[o].size(); ++i) {
                    if (ties_[o][i]) output.bounds[i] = std::numeric_limits<double>::infinity();
                }
            } else if (checks.bitwise || checks.absolute || checks.relative) {
                use_given_bounds(output, checks);
            } else if (task::bytes_of(output.original.type) == 2 && !computes_in_halves(*context_.original->module)) {
                use_one_spacing(output);
            } else {
                output.bounds = bounds_from(evidence_[o], output.original.type, checks.tolerance_factor, additional_error_[o]);
            }
        }
    }

    // Halves that were computed in single precision and rounded once: another order of operations may round to the neighbour, no
    // more. What moving an input that is itself a half does to them says nothing.
    static void use_one_spacing(OutputReference& output) {
        output.bounds.resize(output.original.elements);
        for (std::uint64_t i = 0; i < output.original.elements; ++i) {
            output.bounds[i] = 1.01 * spacing(output.original.type, output.original.value(i));
        }
    }

    // The user's bounds are on the difference to the original.
    static void use_given_bounds(OutputReference& output, const task::Checks& checks) {
        output.bounds.resize(output.original.elements);
        for (std::uint64_t i = 0; i < output.original.elements; ++i) {
            output.exact.high[i] = output.original.value(i);
            output.exact.low[i] = 0;
            const double relative = checks.relative.value_or(0) * std::fabs(output.exact.high[i]);
            output.bounds[i] = checks.bitwise ? 0 : checks.absolute.value_or(0) + (std::isfinite(relative) ? relative : 0);
        }
    }

    // The original has to give what the second reference gives, within what candidates are allowed; from then on that is the truth.
    Status agree_with_second(Reference& reference) const {
        if (context_.second == nullptr) return {};
        const task::Task& task = *context_.task->reference;
        const auto plan = task::resolve(task, task.plan, choice_.sizes);
        if (!plan) return tl::make_unexpected(plan.error());
        auto second = run({&task, context_.second, &*plan}, choice_, schedule(0), true);
        if (!second) return tl::make_unexpected(std::move(second.error()));
        reference.findings = std::move(second->run.findings);
        if (!reference.findings.empty()) return {};
        for (std::size_t o = 0; o < second->outputs.size(); ++o) round_wide(second->wide[o], second->outputs[o]);
        const std::optional<Deviation> deviation = compare(reference, second->outputs, context_.task->checks);
        if (deviation) {
            reference.findings.push_back(
                {deviation->kind, "the original and the reference disagree; of the reference: " + deviation->message,
                 context_.original->file, line_of_kernel(context_.original->source, context_.task->kernel), context_.task->kernel});
            return {};
        }
        for (std::size_t o = 0; o < reference.outputs.size(); ++o) {
            OutputReference& output = reference.outputs[o];
            const bool is_given = context_.task->checks.bitwise || context_.task->checks.absolute || context_.task->checks.relative;
            if (!is_given) output.exact = std::move(second->wide[o]);
        }
        return {};
    }

    // The program's own rounding is no disagreement: each value is that of the wider arithmetic.
    static void round_wide(const WideOutput& wide, Output& output) {
        for (std::size_t i = 0; i < wide.high.size(); ++i) {
            if (std::isfinite(wide.high[i]))
                task::store_float(output.type, wide.high[i], output.bytes.data() + i * task::bytes_of(output.type));
        }
    }

    const VerificationContext& context_;
    const InputChoice& choice_;
    const task::ResolvedPlan& plan_;
    const Program original_;
    std::uint64_t instruction_limit_ = 0;   // warp instructions a launch; 0: the clock decides
    std::vector<ErrorEvidence> evidence_;   // by output
    std::vector<std::vector<bool>> ties_;   // by output and element: an integer that changes with the last place of an input
    std::vector<double> additional_error_;  // by output
};

}  // namespace

Result<Reference> make_reference(const VerificationContext& context, const InputChoice& choice) {
    const auto plan = task::resolve(*context.task, context.task->plan, choice.sizes);
    if (!plan) return tl::make_unexpected(plan.error());
    auto reference = ReferenceMaker(context, choice, *plan).make();
    if (!reference) return reference;
    for (Finding& finding : reference->findings) {
        finding.sizes = choice.sizes;
        finding.pattern = task::name_of(choice.pattern);
    }
    return reference;
}

Result<const Reference*> References::find(const InputChoice& choice) {
    std::shared_ptr<Entry> entry;
    {
        const std::lock_guard lock(mutex_);
        auto& slot = entries_[choice];
        if (slot == nullptr) slot = std::make_shared<Entry>();
        entry = slot;
    }
    std::call_once(entry->once, [&] {
        auto reference = make_reference(context_, choice);
        const std::lock_guard lock(mutex_);
        entry->reference = std::move(reference);
    });
    if (!*entry->reference) return tl::make_unexpected(entry->reference->error());
    return &**entry->reference;
}

std::vector<Finding> References::original_findings() const {
    const std::lock_guard lock(mutex_);
    std::vector<Finding> findings;
    for (const auto& [choice, entry] : entries_) {
        if (!entry->reference || !*entry->reference || is_beyond_task(choice.pattern)) continue;
        const std::vector<Finding>& found = (*entry->reference)->findings;
        findings.insert(findings.end(), found.begin(), found.end());
    }
    return findings;
}

}  // namespace optiml::evaluation
