#include "evaluation/launch_groups.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "evaluation/plan_run.h"

namespace optiml::evaluation {
namespace {

using Shape = std::tuple<std::string, std::array<std::uint64_t, 3>, std::array<std::uint64_t, 3>, std::uint64_t>;

// The logarithms of a launch's scalar arguments: a doubled stride is as far from its half as from its double.
std::vector<double> coordinates(const task::ResolvedStep& step) {
    std::vector<double> result;
    for (const task::ResolvedArgument& argument : step.arguments) {
        if (argument.is_buffer) continue;
        std::uint64_t bits = 0;
        std::copy(argument.bytes.begin(), argument.bytes.end(), reinterpret_cast<std::uint8_t*>(&bits));
        result.push_back(std::log2(1.0 + static_cast<double>(bits)));
    }
    return result;
}

double points_apart(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::fabs(a[i] - b[i]);
    return sum;
}

// Farthest-point sampling, beginning with the first launch.
std::vector<LaunchGroup> spread(const task::ResolvedPlan& plan, const std::vector<std::size_t>& steps, std::size_t most) {
    std::vector<std::vector<double>> points;
    for (const std::size_t step : steps) points.push_back(coordinates(plan.steps[step]));
    std::vector<LaunchGroup> groups;
    std::vector<double> to_nearest(steps.size(), std::numeric_limits<double>::infinity());
    std::vector<std::size_t> nearest(steps.size(), 0);
    std::size_t next = 0;
    while (groups.size() < most) {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const double d = points_apart(points[i], points[next]);
            if (d >= to_nearest[i]) continue;
            to_nearest[i] = d;
            nearest[i] = groups.size();
        }
        groups.push_back({steps[next], {}});
        next = static_cast<std::size_t>(std::max_element(to_nearest.begin(), to_nearest.end()) - to_nearest.begin());
        if (to_nearest[next] == 0) break;
    }
    for (std::size_t i = 0; i < steps.size(); ++i) groups[nearest[i]].members.push_back(steps[i]);
    return groups;
}

}  // namespace

std::vector<LaunchGroup> group_launches(const task::ResolvedPlan& plan, std::size_t most) {
    std::map<Shape, std::vector<std::size_t>> by_shape;
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        const task::ResolvedStep& step = plan.steps[i];
        if (step.is_clear || is_empty(step)) continue;
        by_shape[{step.kernel, step.grid, step.block, step.dynamic_shared}].push_back(i);
    }
    std::vector<LaunchGroup> groups;
    for (const auto& [shape, steps] : by_shape) {
        for (LaunchGroup& group : spread(plan, steps, most)) groups.push_back(std::move(group));
    }
    std::sort(groups.begin(), groups.end(), [](const LaunchGroup& a, const LaunchGroup& b) { return a.members.front() < b.members.front(); });
    return groups;
}

}  // namespace optiml::evaluation
