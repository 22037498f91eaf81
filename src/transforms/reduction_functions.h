#pragma once
// Device functions that combine one value of each lane over a warp, a block, or the warps of a block: warp_sum, block_max, ...; written into the user's source
// before the kernel, or reused where an earlier step put them there.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "transforms/accumulator.h"
#include "transforms/rewrite.h"

namespace optiml::transforms {

enum class Team : std::uint8_t {
    warp,   // the 32 lanes of a warp
    block,  // all threads of a block
    warps,  // the threads of a block that have the same lane: one of each warp
};

class ReductionFunctions {
public:
    // names: must outlive this; gives the new functions their names.
    ReductionFunctions(const Context& context, std::size_t kernel, FreshNames& names);

    // The function's name. Functions over more than a warp need blocks of one dimension with a multiple of 32 threads.
    std::string name_for(Team team, Combiner combiner, const cuda_source::Type& type);
    // Writes the definitions of all that were asked for and are not in the source yet.
    void insert(SourceEdit& edit) const;

private:
    struct Known {
        Team team = Team::warp;
        Combiner combiner = Combiner::sum;
        std::string type;
        std::string name;
    };
    const Context& context_;
    std::size_t kernel_;
    FreshNames& names_;
    SourceStyle style_;
    std::vector<Known> known_;
    std::string definitions_;
};

// "float", "unsigned int" ...
std::string type_name(const cuda_source::Type& type);
// The neutral element of sums and products: "0.0f", "1".
std::string neutral_text(Combiner combiner, const cuda_source::Type& type);
// `a` combined with `b`: "fmaxf(a, b)".
std::string combined_text(Combiner combiner, const cuda_source::Type& type, const std::string& a, const std::string& b);

// Whether a function of the source reads exactly as this file writes one: its result is then the same in every lane and does not depend
// on how the values are distributed over the lanes.
bool is_reduction_function(const Context& context, cuda_source::FunctionId function);

}  // namespace optiml::transforms
