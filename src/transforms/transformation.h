#pragma once
// A transformation of the catalogue: where it may be applied (sites, by legality analysis), with which parameters, and the rewrite.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cuda_source/analysis.h"
#include "cuda_source/parse.h"
#include "diagnosis/bottleneck.h"
#include "task/candidate.h"

namespace optiml::transforms {

// Everything a transformation may look at.
struct Context {
    const task::Task* task = nullptr;
    const task::Candidate* candidate = nullptr;
    cuda_source::SourceFile source;  // candidate->source, parsed without errors
    struct Kernel {
        cuda_source::FunctionId function = cuda_source::none;
        cuda_source::KernelFacts facts;
        std::vector<std::size_t> steps;  // indices into candidate->plan.steps; empty for a device function
        bool is_one_instance = false;    // the plan launches the template, if it is one, with one set of arguments: its types are known

        bool is_launched() const { return !steps.empty(); }
    };
    // Those that the plan launches, in its order; behind them the device functions of the file that they call.
    std::vector<Kernel> kernels;
    std::int64_t multiprocessors = 132;  // of the device, for grids that just fill it
};

// Parses the candidate's source and analyses the kernels its plan launches. Errors: as parse(); user error if it does not compile.
Result<Context> make_context(const task::Task& task, const task::Candidate& candidate, const cuda_source::ParseOptions& options);

using Parameters = std::map<std::string, std::int64_t>;

// One place where a transformation is legal, with the parameter choices that are legal there.
struct Site {
    std::string description;                 // "loop over c in softmax, line 14"
    std::size_t kernel = 0;                  // index into Context::kernels
    std::uint32_t anchor = 0;                // statement, variable or expression id, the transformation's own
    std::vector<Parameters> choices;         // at least one (possibly empty map); what pays most often first
};

class Transformation {
public:
    virtual ~Transformation() = default;
    virtual std::string_view name() const = 0;      // "thread_coarsening"
    virtual std::string_view summary() const = 0;   // one sentence for explanations
    // Bottlenecks it may relieve: the prior's evidence.
    virtual std::vector<diagnosis::Bottleneck> relieves() const = 0;
    // Whether it may well be applied again, at another site: its prior does not fall then.
    virtual bool repeats_elsewhere() const { return false; }
    virtual std::vector<Site> sites(const Context& context) const = 0;
    // The candidate after the edit (source, plan or compile options changed, Edit appended). Precondition: site came from sites(context).
    virtual Result<task::Candidate> apply(const Context& context, const Site& site, const Parameters& parameters) const = 0;
};

}  // namespace optiml::transforms
