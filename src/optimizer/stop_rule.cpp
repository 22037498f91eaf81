#include "optimizer/stop_rule.h"

#include <utility>
#include <vector>

namespace optiml::optimizer {
namespace {

class ResumedSeconds final : public search::StopRule {
public:
    ResumedSeconds(std::unique_ptr<search::StopRule> rule, double before, const CachedEvaluator& evaluator)
        : rule_(std::move(rule)), before_(before), evaluator_(evaluator), misses_(evaluator.misses()) {}

    std::optional<std::string> reason_to_stop(const search::Progress& progress) const override {
        if (before_ > 0 && evaluator_.misses() == misses_) return std::nullopt;
        search::Progress whole = progress;
        whole.seconds += before_;
        return rule_->reason_to_stop(whole);
    }

private:
    std::unique_ptr<search::StopRule> rule_;
    double before_;
    const CachedEvaluator& evaluator_;
    std::uint64_t misses_;
};

}  // namespace

std::unique_ptr<search::StopRule> stop_rule_of(const Budget& budget, double seconds_spent_before, const CachedEvaluator& evaluator) {
    std::vector<std::unique_ptr<search::StopRule>> rules;
    if (budget.evaluations) rules.push_back(search::after_evaluations(*budget.evaluations));
    if (budget.seconds) {
        rules.push_back(std::make_unique<ResumedSeconds>(search::after_seconds(*budget.seconds), seconds_spent_before, evaluator));
    }
    return search::any_of(std::move(rules));
}

}  // namespace optiml::optimizer
