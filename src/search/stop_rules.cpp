#include <fmt/format.h>

#include "search/search.h"

namespace optiml::search {
namespace {

class AfterEvaluations final : public StopRule {
public:
    explicit AfterEvaluations(std::uint64_t count) : count_(count) {}
    std::optional<std::string> reason_to_stop(const Progress& progress) const override {
        if (progress.evaluations < count_) return std::nullopt;
        return fmt::format("{} evaluations", count_);
    }

private:
    std::uint64_t count_;
};

class AfterSeconds final : public StopRule {
public:
    explicit AfterSeconds(double seconds) : seconds_(seconds) {}
    std::optional<std::string> reason_to_stop(const Progress& progress) const override {
        if (progress.seconds < seconds_) return std::nullopt;
        return fmt::format("{:g} s", seconds_);
    }

private:
    double seconds_;
};

class WithoutImprovement final : public StopRule {
public:
    explicit WithoutImprovement(std::uint64_t evaluations) : evaluations_(evaluations) {}
    std::optional<std::string> reason_to_stop(const Progress& progress) const override {
        if (progress.evaluations_since_improvement < evaluations_) return std::nullopt;
        return fmt::format("{} evaluations without improvement", evaluations_);
    }

private:
    std::uint64_t evaluations_;
};

class AnyOf final : public StopRule {
public:
    explicit AnyOf(std::vector<std::unique_ptr<StopRule>> rules) : rules_(std::move(rules)) {}
    std::optional<std::string> reason_to_stop(const Progress& progress) const override {
        for (const auto& rule : rules_) {
            if (auto reason = rule->reason_to_stop(progress)) return reason;
        }
        return std::nullopt;
    }

private:
    std::vector<std::unique_ptr<StopRule>> rules_;
};

}  // namespace

std::unique_ptr<StopRule> after_evaluations(std::uint64_t count) { return std::make_unique<AfterEvaluations>(count); }
std::unique_ptr<StopRule> after_seconds(double seconds) { return std::make_unique<AfterSeconds>(seconds); }
std::unique_ptr<StopRule> without_improvement(std::uint64_t evaluations) {
    return std::make_unique<WithoutImprovement>(evaluations);
}
std::unique_ptr<StopRule> any_of(std::vector<std::unique_ptr<StopRule>> rules) {
    return std::make_unique<AnyOf>(std::move(rules));
}

}  // namespace optiml::search
