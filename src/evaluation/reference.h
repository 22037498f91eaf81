#pragma once
// What the original gives for one choice of inputs, how exact that is, and therefore what is asked of candidates.

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "evaluation/build.h"
#include "evaluation/evaluation.h"
#include "evaluation/outputs.h"
#include "evaluation/workspace.h"

namespace optiml::evaluation {

struct OutputReference {
    Output original;
    WideOutput exact;
    // By element: how far a float may be from exact. Integers: 0; infinite: not compared, since the original's own answer hangs on
    // the last place of an input (a near tie).
    std::vector<double> bounds;
};

struct Reference {
    std::vector<Finding> findings;         // not empty: the original itself is at fault here, and nothing can be compared
    std::vector<OutputReference> outputs;
    std::uint64_t thread_instructions = 0;
    bool too_expensive = false;            // more work than the context's limit: nothing is known here
};

// Everything that stays the same for all references and candidates of a task.
struct VerificationContext {
    const task::Task* task = nullptr;
    const Build* original = nullptr;
    const Build* second = nullptr;         // of task->reference; null: the original is the only reference
    const emulator::DeviceModel* device = nullptr;
    const Disk* disk = nullptr;
    std::uint64_t seed = 1;
    std::uint32_t host_threads = 1;
    double thread_instruction_limit = 1e7; // of one run of the original, but for the small sizes
    double seconds_at_small_sizes = 10;    // of the first run there: it has no other limit
};

// Errors: those of make_workspace and task::resolve.
Result<Reference> make_reference(const VerificationContext& context, const InputChoice& choice);

// References made once, whichever thread asks first; the others wait for it.
class References {
public:
    explicit References(const VerificationContext& context) : context_(context) {}
    // The reference lives as long as this.
    Result<const Reference*> find(const InputChoice& choice);
    // Findings of all references that were made, of originals that are at fault.
    std::vector<Finding> original_findings() const;
    const VerificationContext& context() const { return context_; }

private:
    struct Entry {
        std::once_flag once;
        std::optional<Result<Reference>> reference;
    };

    VerificationContext context_;
    mutable std::mutex mutex_;
    std::map<InputChoice, std::shared_ptr<Entry>> entries_;
};

}  // namespace optiml::evaluation
