#include <algorithm>

#include "evaluation/verify.h"

namespace optiml::evaluation {
namespace {

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

}  // namespace

double work_of(const task::Sizes& sizes) {
    double product = 1;
    for (const auto& [name, value] : sizes) product *= static_cast<double>(std::max<std::int64_t>(value, 1));
    return product;
}

std::vector<Trial> trials_of(const task::Task& task, const std::vector<task::Sizes>& sizes, std::uint64_t seed) {
    std::vector<task::Sizes> by_work = sizes;
    std::stable_sort(by_work.begin(), by_work.end(), [](const task::Sizes& a, const task::Sizes& b) { return work_of(a) < work_of(b); });
    // Empty inputs last: what is wrong there is rarely what is wrong in the first place.
    std::stable_partition(by_work.begin(), by_work.end(), [](const task::Sizes& choice) {
        return std::none_of(choice.begin(), choice.end(), [](const auto& size) { return size.second == 0; });
    });
    std::vector<Trial> trials;
    const auto add = [&](const task::Sizes& choice, task::ValuePattern pattern) {
        const std::uint64_t own = seed * 1000 + number_of(choice, pattern);
        trials.push_back({{choice, pattern, own}, own});
    };
    for (const task::Sizes& choice : by_work) add(choice, task::ValuePattern::declared);
    // The small sizes once more, in another order of execution.
    const auto small = std::find_if(trials.begin(), trials.end(), [&](const Trial& trial) { return trial.choice.sizes == sizes.front(); });
    Trial again = *small;
    again.schedule_seed += 1000;
    again.repeats = true;
    trials.push_back(again);
    if (!has_inputs(task)) return trials;
    for (int pattern = 1; pattern < task::kValuePatterns; ++pattern) add(sizes.front(), static_cast<task::ValuePattern>(pattern));
    return trials;
}

}  // namespace optiml::evaluation
