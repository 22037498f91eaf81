#include "evaluation/plan_profile.h"

#include <string_view>

namespace optiml::evaluation {
namespace {

// Sums of events, and the time model's terms: launches follow one another.
bool is_sum(std::string_view name) { return name.ends_with(".sum") || name.starts_with("model_term__"); }

struct WeightedMean {
    double sum = 0;
    double weight = 0;
};

}  // namespace

void add_up(Profile& profile) {
    std::map<std::string, WeightedMean> means;
    std::map<std::pair<std::string, std::uint32_t>, std::map<std::string, double>> lines;
    profile.counters.clear();
    for (const LaunchProfile& launch : profile.launches) {
        const auto repeats = static_cast<double>(launch.repeats);
        const double weight = launch.time_ms * repeats;
        for (const auto& [name, value] : launch.counters) {
            if (is_sum(name)) {
                profile.counters[name] += value * repeats;
            } else {
                means[name].sum += value * weight;
                means[name].weight += weight;
            }
        }
        for (const LineProfile& line : launch.lines) {
            auto& counters = lines[{line.file, line.line}];
            for (const auto& [name, value] : line.counters) counters[name] += value * repeats;
        }
    }
    for (const auto& [name, mean] : means) profile.counters[name] = mean.weight > 0 ? mean.sum / mean.weight : 0;
    profile.lines.clear();
    for (auto& [place, counters] : lines) profile.lines.push_back({place.first, place.second, std::move(counters)});
}

}  // namespace optiml::evaluation
