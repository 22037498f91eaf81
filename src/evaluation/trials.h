#pragma once
// Which sizes and values candidates are run at.

#include <vector>

#include "evaluation/reference.h"
#include "task/resolved.h"

namespace optiml::evaluation {

// One run of a candidate.
struct Trial {
    InputChoice choice;
    std::uint64_t schedule_seed = 0;
    bool repeats = false;  // another trial had the same choice: what differs now depends on the order of execution
    std::uint32_t runs = 1;  // one after the other, with the module's variables as the run before left them
    bool is_crowded = false; // only as large a share of the blocks at once as at the large sizes (residency.h)
};

struct TrialLimits {
    std::size_t edge_sizes = 40;               // around the original's blocks
    std::size_t own_edge_sizes = 12;           // further ones around a candidate's own blocks
    std::size_t constant_sizes = 8;            // and at numbers that its code compares with
    std::size_t schedules = 4;                 // orders of execution at the small sizes
    double thread_instructions = 3e7;          // of the original, over all trials; what does not fit is left out
};

class Trials {
public:
    // Runs the original at every choice, the small sizes first. Errors: as References::find, for the small sizes with the declared
    // values alone.
    static Result<Trials> make(References& references, const TrialLimits& limits);

    // For a candidate, in the order in which they are to be tried: cheap ones first, those with empty inputs last.
    std::vector<Trial> of(const task::LaunchPlan& plan, const ptx::Module& module) const;

    const InputChoice& first() const { return first_; }

private:
    Trials(References& references, const TrialLimits& limits) : references_(&references), limits_(limits) {}

    InputChoice choice(const task::Sizes& sizes, task::ValuePattern pattern) const;
    bool add(const InputChoice& choice, std::vector<InputChoice>& choices, double& instructions) const;
    void add_own_edges(const task::LaunchPlan& plan, std::vector<InputChoice>& choices) const;
    void add_constants(const ptx::Module& module, std::vector<InputChoice>& choices) const;
    void add_edges();
    void add_patterns();
    void add_special_values();
    // Of the original's run there.
    double instructions_at(const InputChoice& choice) const;
    // Of the choices so far at which something is computed, those of the longest run of at most so many instructions; none: the small sizes.
    task::Sizes largest_sizes(double most) const;

    References* references_;
    TrialLimits limits_;
    InputChoice first_;                  // small sizes, declared values
    std::vector<InputChoice> choices_;   // shared by all candidates
    double instructions_ = 0;            // of the original, over choices_
    task::Sizes pattern_sizes_;
};

}  // namespace optiml::evaluation
