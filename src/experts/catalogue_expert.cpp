#include "experts/catalogue_expert.h"

#include <algorithm>

#include <fmt/format.h>

#include "experts/promise.h"
#include "transforms/catalogue.h"

namespace optiml::experts {
namespace {

using diagnosis::Hypothesis;
using transforms::Context;
using transforms::Parameters;
using transforms::Site;
using transforms::Transformation;

constexpr double repeated_factor = 0.3;      // for one that the candidate has been through
constexpr double next_choice_factor = 0.95;  // of a site's choice against the one before it

// A candidate with its analysis; the proposals share it.
struct Analysed {
    task::Candidate candidate;
    Context context;
};

bool is_repeated(const Transformation& transformation, const Site& site, const task::Candidate& candidate) {
    return std::any_of(candidate.edits.begin(), candidate.edits.end(), [&](const task::Edit& edit) {
        return edit.transformation == transformation.name() &&
               (!transformation.repeats_elsewhere() || edit.site == site.description);
    });
}

std::string name_of(const Transformation& transformation, const Site& site, const Parameters& parameters) {
    std::string list;
    for (const auto& [name, value] : parameters) list += fmt::format("{}{}={}", list.empty() ? "" : ", ", name, value);
    return fmt::format("{}({}) at {}", transformation.name(), list, site.description);
}

class CatalogueExpert : public Expert {
public:
    CatalogueExpert(const task::Task& task, cuda_source::ParseOptions options, std::int64_t multiprocessors)
        : task_(task), options_(std::move(options)), multiprocessors_(multiprocessors) {}

    std::string name() const override { return "catalogue"; }

    std::vector<Proposal> propose(const task::Candidate& candidate, const std::vector<Hypothesis>& hypotheses) override {
        const auto analysed = std::make_shared<Analysed>(Analysed{.candidate = candidate, .context = {}});
        auto context = transforms::make_context(task_, analysed->candidate, options_);
        if (!context) return {};
        analysed->context = std::move(*context);
        analysed->context.multiprocessors = multiprocessors_;

        std::vector<Proposal> proposals;
        for (const auto& transformation : transforms::catalogue()) {
            const double promise = promise_of(*transformation, hypotheses);
            for (const Site& site : transformation->sites(analysed->context)) {
                double prior = promise * (is_repeated(*transformation, site, candidate) ? repeated_factor : 1);
                for (const Parameters& parameters : site.choices) {
                    proposals.push_back({.name = name_of(*transformation, site, parameters),
                                         .kind = std::string(transformation->name()),
                                         .prior = prior,
                                         .make = [analysed, &transformation, site, parameters] {
                                             return transformation->apply(analysed->context, site, parameters);
                                         }});
                    prior *= next_choice_factor;
                }
            }
        }
        return proposals;
    }

private:
    const task::Task& task_;
    cuda_source::ParseOptions options_;
    std::int64_t multiprocessors_;
};

}  // namespace

std::unique_ptr<Expert> make_catalogue_expert(const task::Task& task, cuda_source::ParseOptions options,
                                              std::int64_t multiprocessors) {
    return std::make_unique<CatalogueExpert>(task, std::move(options), multiprocessors);
}

}  // namespace optiml::experts
