#pragma once

#include <optional>
#include <string>
#include <vector>

namespace optiml::gpu {

struct RemovedFeature {
    std::string text;                // names it and what to write in its place
    std::vector<std::string> words;  // of the source, one of which the complaint is about, where it gives no line
};

// What a compiler's complaint means, where it is of something that old programs use and CUDA no longer has. options: that it was given.
std::optional<RemovedFeature> removed_feature(const std::string& complaint, const std::vector<std::string>& options);

}  // namespace optiml::gpu
