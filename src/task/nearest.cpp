#include "task/nearest.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace optiml::task {
namespace {

// Levenshtein distance, one row at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(1, name.size() / 2) + 1;
    for (const std::string& candidate : candidates) {
        if (name.size() > 1 && candidate.starts_with(name)) return candidate;
        const std::size_t distance = edit_distance(name, candidate);
        if (distance < best_distance && distance < std::max(name.size(), candidate.size())) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

std::string suggestion_for(std::string_view name, std::span<const std::string> candidates, std::string_view kinds) {
    const std::string nearest = nearest_name(name, candidates);
    if (!nearest.empty()) return fmt::format("Did you mean '{}'?", nearest);
    if (candidates.empty()) return fmt::format("There are no {} here.", kinds);
    return fmt::format("Known {}: {}.", kinds, fmt::join(candidates, ", "));
}

}  // namespace optiml::task
