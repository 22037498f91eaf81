#pragma once
// Writes what happens in a search to the run store, and tells it to whoever watches.

#include <optional>

#include "optimizer/kernel_problem.h"
#include "optimizer/services.h"

namespace optiml::optimizer {

class RunLog {
public:
    RunLog(const Services& services, const runs::RunRecord& run, const Budget& budget, const KernelProblem& problem)
        : services_(services), run_(run), budget_(budget), problem_(problem), began_(services.clock.now()) {}

    void original();
    void event(const search::Event& event);
    // Spent on the run so far, earlier attempts included.
    double seconds() const { return run_.seconds + services_.clock.now() - began_; }
    // What the store failed with first.
    const std::optional<Error>& failure() const { return failure_; }

private:
    void save(search::StateId state);
    void keep(const Status& status);

    const Services& services_;
    const runs::RunRecord& run_;
    const Budget budget_;
    const KernelProblem& problem_;
    double began_;
    std::optional<Error> failure_;
};

}  // namespace optiml::optimizer
