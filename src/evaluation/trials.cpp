#include "evaluation/trials.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "evaluation/size_constants.h"

namespace optiml::evaluation {
namespace {

// The share of all instructions that the shared edge sizes may take; the rest is for values, and for a candidate's own edges.
constexpr double kEdgeShare = 0.5;
constexpr double kOwnEdgeShare = 0.3;
constexpr double kConstantShare = 0.1;
// Values are varied at sizes that cost the original at most this.
constexpr double kCheapRun = 1e6;
// Of such a run, what one with nothing but infinity may cost: one size serves as well as another.
constexpr double kInfinityShare = 0.25;
constexpr std::uint32_t kRunsInARow = 2;

// Differs from choice to choice, and hangs on the choice alone: candidates share references.
std::uint64_t number_of(const task::Sizes& sizes, task::ValuePattern pattern) {
    Hasher hasher;
    for (const auto& [name, value] : sizes) hasher.add(name).add(static_cast<std::uint64_t>(value));
    return hasher.add(static_cast<std::uint64_t>(pattern)).finish().low % 1000;
}

bool has_inputs(const task::Task& task) {
    return std::any_of(task.arguments.begin(), task.arguments.end(), [](const task::Argument& argument) {
        return argument.role == task::Role::input || argument.role == task::Role::inout;
    });
}

bool is_empty(const task::Sizes& sizes) {
    return std::any_of(sizes.begin(), sizes.end(), [](const auto& size) { return size.second == 0; });
}

// All results, as computed and in wider arithmetic.
bool is_finite(const Reference& reference) {
    for (const OutputReference& output : reference.outputs) {
        for (std::size_t i = 0; i < output.exact.high.size(); ++i) {
            if (output.original.written[i] && !(std::isfinite(output.original.value(i)) && std::isfinite(output.exact.high[i]))) return false;
        }
    }
    return true;
}

// Such a run has little to say: what NaN spoils is looked at elsewhere.
bool is_nothing_but_nan(const Reference& reference) {
    for (const OutputReference& output : reference.outputs) {
        const Output& original = output.original;
        for (std::size_t i = 0; i < original.written.size(); ++i) {
            if (original.written[i] && !(task::is_float(original.type) && std::isnan(original.value(i)))) return false;
        }
    }
    return true;
}

// Those come with sizes or seeds of their own, or to some tasks only.
bool is_made_apart(task::ValuePattern pattern) {
    switch (pattern) {
        case task::ValuePattern::often_special:
        case task::ValuePattern::one_nan:
        case task::ValuePattern::minus_infinity:
        case task::ValuePattern::plus_infinity: return true;
        default: return false;
    }
}

bool has(const std::vector<InputChoice>& choices, const task::Sizes& sizes) {
    return std::any_of(choices.begin(), choices.end(), [&](const InputChoice& choice) { return choice.sizes == sizes; });
}

}  // namespace

Result<Trials> Trials::make(References& references, const TrialLimits& limits) {
    Trials trials(references, limits);
    trials.first_ = trials.choice(references.context().task->small_sizes(), task::ValuePattern::declared);
    const auto first = references.find(trials.first_);
    if (!first) return tl::make_unexpected(first.error());
    trials.choices_.push_back(trials.first_);
    trials.instructions_ = static_cast<double>((*first)->thread_instructions);
    trials.pattern_sizes_ = trials.first_.sizes;
    if (!(*first)->findings.empty()) return trials;
    trials.add_edges();
    trials.add_patterns();
    return trials;
}

InputChoice Trials::choice(const task::Sizes& sizes, task::ValuePattern pattern) const {
    return {sizes, pattern, references_->context().seed * 1000 + number_of(sizes, pattern), false};
}

// Whether the original could be run there.
bool Trials::add(const InputChoice& choice, std::vector<InputChoice>& choices, double& instructions) const {
    const auto reference = references_->find(choice);
    if (!reference || (*reference)->too_expensive) return false;
    instructions += static_cast<double>((*reference)->thread_instructions);
    if ((*reference)->findings.empty()) choices.push_back(choice);
    return (*reference)->findings.empty();
}

void Trials::add_edges() {
    const task::Task& task = *references_->context().task;
    const double most = instructions_ + kEdgeShare * limits_.thread_instructions;
    for (const task::Sizes& sizes : task::edge_sizes(task, task.plan, limits_.edge_sizes + 1)) {
        if (sizes != first_.sizes && instructions_ < most) add(choice(sizes, task::ValuePattern::declared), choices_, instructions_);
    }
}

double Trials::instructions_at(const InputChoice& choice) const {
    return static_cast<double>((*references_->find(choice))->thread_instructions);
}

task::Sizes Trials::largest_sizes(double most) const {
    task::Sizes sizes = first_.sizes;
    double largest = 0;
    for (const InputChoice& candidate : choices_) {
        const double instructions = instructions_at(candidate);
        if (instructions <= largest || instructions > most || is_empty(candidate.sizes)) continue;
        largest = instructions;
        sizes = candidate.sizes;
    }
    return sizes;
}

void Trials::add_patterns() {
    if (!has_inputs(*references_->context().task)) return;
    pattern_sizes_ = largest_sizes(kCheapRun);
    for (int pattern = 1; pattern < task::kValuePatterns; ++pattern) {
        const InputChoice made = choice(pattern_sizes_, static_cast<task::ValuePattern>(pattern));
        if (is_made_apart(made.pattern) || !add(made, choices_, instructions_)) continue;
        // Where the original overflows, another order of operations may do so elsewhere.
        if (made.pattern == task::ValuePattern::huge && !is_finite(**references_->find(made))) choices_.pop_back();
    }
    add_special_values();
}

// Many NaNs leave nothing else of sums: what a single one spoils, and what it must not, shows by itself. From which number a maximum starts
// shows where there is nothing but -infinity. And where a size is 1, an element is all that there is of a row.
void Trials::add_special_values() {
    InputChoice one = choice(pattern_sizes_, task::ValuePattern::one_nan);
    for (const std::uint64_t seed : task::seeds_of_one_nan(*references_->context().task, one.seed)) {
        one.seed = seed;
        add(one, choices_, instructions_);
    }
    const task::Task& task = *references_->context().task;
    const double cheap = instructions_at(choice(pattern_sizes_, task::ValuePattern::declared));
    const task::Sizes sizes_of_infinity = largest_sizes(kInfinityShare * cheap);
    for (const task::ValuePattern pattern : task::patterns_of_infinity(task)) {
        const InputChoice made = choice(sizes_of_infinity, pattern);
        if (add(made, choices_, instructions_) && is_nothing_but_nan(**references_->find(made))) choices_.pop_back();
    }
    for (const task::NamedSize& size : task.sizes) {
        task::Sizes sizes = first_.sizes;
        sizes[size.name] = 1;
        if (!task::check_sizes(task, sizes)) continue;
        // An original that is at fault there whatever the values is told so once.
        const auto declared = references_->find(choice(sizes, task::ValuePattern::declared));
        if (declared && (*declared)->findings.empty()) add(choice(sizes, task::ValuePattern::often_special), choices_, instructions_);
    }
}

void Trials::add_own_edges(const task::LaunchPlan& plan, std::vector<InputChoice>& choices) const {
    double own = 0;
    const std::size_t most = choices.size() + limits_.own_edge_sizes;
    for (const task::Sizes& sizes : task::edge_sizes(*references_->context().task, plan, limits_.edge_sizes + limits_.own_edge_sizes + 1)) {
        if (choices.size() >= most || own > kOwnEdgeShare * limits_.thread_instructions) break;
        if (!has(choices, sizes)) add(choice(sizes, task::ValuePattern::declared), choices, own);
    }
}

// Each size at each number that the code compares with, and one above: both sides of the comparison.
void Trials::add_constants(const ptx::Module& module, std::vector<InputChoice>& choices) const {
    const task::Task& task = *references_->context().task;
    double own = 0;
    std::size_t tried = 0;
    for (const std::int64_t constant : size_constants(module, *references_->context().original->module)) {
        for (const std::int64_t value : {constant, constant + 1}) {
            for (const task::NamedSize& size : task.sizes) {
                task::Sizes sizes = first_.sizes;
                sizes[size.name] = value;
                if (has(choices, sizes) || !task::check_sizes(task, sizes)) continue;
                if (tried++ == limits_.constant_sizes || own > kConstantShare * limits_.thread_instructions) return;
                add(choice(sizes, task::ValuePattern::declared), choices, own);
            }
        }
    }
}

std::vector<Trial> Trials::of(const task::LaunchPlan& plan, const ptx::Module& module) const {
    std::vector<InputChoice> choices = choices_;
    add_own_edges(plan, choices);
    add_constants(module, choices);
    const bool keeps_state = has_variables(module);
    std::stable_sort(choices.begin(), choices.end(), [&](const InputChoice& a, const InputChoice& b) {
        const auto key = [&](const InputChoice& choice) {
            return std::tuple(is_empty(choice.sizes), choice.pattern != task::ValuePattern::declared,
                              (*references_->find(choice))->thread_instructions);
        };
        return key(a) < key(b);
    });
    std::vector<Trial> trials;
    for (const InputChoice& choice : choices) trials.push_back({choice, choice.seed, false, keeps_state && choice == first_ ? kRunsInARow : 1});
    for (std::size_t i = 1; i < limits_.schedules; ++i) trials.push_back({first_, first_.seed + 1000 * i, true});
    trials.push_back({.choice = first_, .schedule_seed = 0, .repeats = true, .is_crowded = true});
    return trials;
}

}  // namespace optiml::evaluation
