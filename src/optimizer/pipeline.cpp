#include "optimizer/pipeline.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "optimizer/cached_evaluator.h"
#include "optimizer/finalists.h"
#include "optimizer/kernel_problem.h"
#include "optimizer/original.h"
#include "optimizer/outputs.h"
#include "optimizer/run_log.h"
#include "optimizer/stop_rule.h"
#include "optimizer/summary_builder.h"
#include "task/input_files.h"

namespace optiml::optimizer {
namespace {

// Evaluations in flight in the search, not by the machine's cores, so that on an emulated device a seed gives the same search everywhere;
// how many of them run at once is Services::jobs. A card is kept busy by many builds beside it; where the original takes long it is busy anyway, and what is
// chosen before the first results are known is chosen blindly.
std::uint32_t window_of(const std::string& device, const evaluation::Evaluation& original) {
    constexpr double kLongMilliseconds = 50;
    const bool waits_for_builds = device.starts_with("cuda:") && original.timing->cold_ms < kLongMilliseconds;
    return waits_for_builds ? 16 : 4;
}

class Run {
public:
    Run(task::Task task, Settings settings, runs::RunRecord record, const Services& services)
        : task_(std::move(task)), settings_(std::move(settings)), record_(std::move(record)), services_(services) {}

    Result<Optimization> carry_out() {
        return services_.disk.check_writable(folder())
            .and_then([this] { return make_tools(); })
            .and_then([this] { return timed("check the original", &Run::check); })
            .and_then([this] { return timed("search", &Run::search); })
            .and_then([this] { return timed("verify the winner more widely", &Run::verify_winner); })
            .and_then([this] { return timed("explain", &Run::explain); })
            .and_then([this] { return save(); })
            .map([this] { return Optimization{std::move(summary_), interrupted_}; });
    }

private:
    Status make_tools() {
        algorithm_ = search::make_search(settings_.search);
        if (algorithm_ == nullptr) {
            return user_error(fmt::format("there is no search '{}'", settings_.search), {}, "Choose mcts, beam, greedy or random.");
        }
        Result<task::Sizes> sizes = timing_sizes(task_, settings_.choice);
        if (!sizes) return tl::make_unexpected(sizes.error());
        timing_sizes_ = std::move(*sizes);
        return make_evaluator(Thoroughness::search, evaluator_);
    }

    Status make_evaluator(Thoroughness thoroughness, std::optional<CachedEvaluator>& target) {
        EvaluatorRequest request{task_, settings_.device, timing_sizes_, thoroughness};
        request.gpu = settings_.gpu;
        request.gpu.beyond_31_bit = settings_.gpu.beyond_31_bit && thoroughness == Thoroughness::final;
        auto evaluator = services_.make_evaluator(request);
        if (!evaluator) return tl::make_unexpected(evaluator.error());
        target.emplace(std::move(*evaluator), services_.store, task::digest_with_files(task_, services_.disk), services_.jobs);
        return {};
    }

    Status check() {
        task::Candidate original = task::original_of(task_);
        evaluation::Evaluation evaluation = evaluator_->evaluate(original);
        if (Status status = check_original(task_, evaluation); !status) return status;
        ceilings_ = ceilings_of(settings_.device, evaluation);
        auto expert = services_.make_expert(task_, multiprocessors_of(ceilings_));
        if (!expert) return tl::make_unexpected(expert.error());
        expert_ = std::move(*expert);
        problem_.emplace(std::move(original), std::move(evaluation), *evaluator_, *expert_, ceilings_, weights_);
        log_.emplace(services_, record_, settings_.budget, *problem_);
        log_->original();
        return {};
    }

    Status search() {
        search::Options options;
        options.seed = settings_.seed;
        options.parallel = window_of(settings_.device, problem_->state(0).evaluation);
        options.clock = &services_.clock;
        options.on_event = [this](const search::Event& event) { log_->event(event); };
        options.interrupted = [this] { return services_.interrupted() || store_failure().has_value(); };
        outcome_ = algorithm_->run(*problem_, *stop_rule_of(settings_.budget, record_.seconds, *evaluator_), options);
        interrupted_ = outcome_.stopped_by == "interrupted";
        return {};
    }

    Status verify_winner() {
        winner_.path = outcome_.path;
        if (interrupted_ || winner_.path.size() == 1) {
            winner_.verification = interrupted_ ? "Interrupted before the wider verification." : "";
            return {};
        }
        evaluator_->rest();  // two evaluators at once would share a card's memory, and only one can read its counters
        std::optional<CachedEvaluator> wider;
        if (Status status = make_evaluator(Thoroughness::final, wider); !status) return status;
        winner_ = verified_winner(*problem_, *wider, services_.interrupted);
        interrupted_ = winner_.interrupted;
        return {};
    }

    Status explain() {
        summary_ = summarize(task_, *problem_, winner_.path, ceilings_, weights_);
        summary_.verification = winner_.verification;
        if (winner_.timing) set_times(summary_, *winner_.timing);
        summary_.run = record_.name;
        summary_.search = settings_.search;
        summary_.seed = settings_.seed;
        summary_.evaluations = outcome_.progress.evaluations;
        summary_.rejected = outcome_.progress.pruned;
        summary_.transpositions = outcome_.progress.transpositions;
        summary_.seconds = log_->seconds();
        summary_.stopped_by = outcome_.stopped_by;
        const task::Candidate& winner = problem_->state(winner_.path.back()).candidate;
        return write_outputs(summary_, task_, winner, services_.machine_listing(task_, winner, settings_.device), folder(), services_.disk);
    }

    std::filesystem::path folder() const { return settings_.out.empty() ? "out/" + record_.name : settings_.out; }

    Status save() {
        if (const std::optional<Error> failure = store_failure()) return tl::make_unexpected(*failure);
        if (Status status = services_.store.set_seconds(record_.id, log_->seconds()); !status) return status;
        return services_.store.finish_run(record_.id, interrupted_ ? "interrupted" : "done", report::to_json(summary_));
    }

    std::optional<Error> store_failure() const {
        if (log_ && log_->failure()) return log_->failure();
        return evaluator_->failure();
    }

    Status timed(std::string_view step, Status (Run::*action)()) {
        const double began = services_.clock.now();
        Status status = (this->*action)();
        services_.log.write(LogLevel::debug, fmt::format("{}: {:.2f} s{}", step, services_.clock.now() - began,
                                                         status ? "" : " (failed)"));
        return status;
    }

    const task::Task task_;
    const Settings settings_;
    const runs::RunRecord record_;
    const Services& services_;
    const RewardWeights weights_;
    Ceilings ceilings_;
    task::Sizes timing_sizes_;
    std::optional<CachedEvaluator> evaluator_;
    std::unique_ptr<search::Search> algorithm_;
    std::unique_ptr<experts::Expert> expert_;
    std::optional<KernelProblem> problem_;
    std::optional<RunLog> log_;
    search::Outcome outcome_;
    Winner winner_;
    bool interrupted_ = false;
    report::Summary summary_;
};

// A run that fails for want of something on this machine can be resumed; any other failure ends it.
Result<Optimization> carry_out(task::Task task, Settings settings, const runs::RunRecord& record, const Services& services) {
    Result<Optimization> result = Run(std::move(task), std::move(settings), record, services).carry_out();
    if (result) return result;
    Error& error = result.error();
    const bool resumable = error.kind == ErrorKind::environment;
    if (resumable) error.remedy += fmt::format("{}Then go on with: optiml resume {}", error.remedy.empty() ? "" : " ", record.name);
    (void)services.store.finish_run(record.id, resumable ? "interrupted" : "failed", "");  // the first error is the one to tell
    return result;
}

}  // namespace

Result<Optimization> optimize(Settings settings, const Services& services) {
    Result<task::Task> task = services.load_task(settings.choice, services.disk);
    if (!task) return tl::make_unexpected(task.error());
    settings.task_digest = task::digest_with_files(*task, services.disk).hex();
    return services.store.create_run(task->name, to_json(settings))
        .and_then([&](runs::RunId id) { return services.store.find_run(std::to_string(id)); })
        .and_then([&](const runs::RunRecord& record) { return carry_out(std::move(*task), std::move(settings), record, services); });
}

Result<Optimization> resume(const runs::RunRecord& record, const Services& services) {
    if (record.state == "done") {
        return report::summary_from_json(record.result).map([](report::Summary summary) {
            return Optimization{std::move(summary), false};
        });
    }
    Result<Settings> settings = settings_from_json(record.settings);
    if (!settings) return tl::make_unexpected(settings.error());
    Result<task::Task> task = services.load_task(settings->choice, services.disk);
    if (!task) return tl::make_unexpected(task.error());
    if (task::digest_with_files(*task, services.disk).hex() != settings->task_digest) {
        return user_error(fmt::format("the kernel, its task or a file that they name changed since run {} began", record.name), {settings->choice.kernel_file},
                          "Bring them back to resume, or start a new run.");
    }
    return services.store.take_run(record).and_then([&] { return carry_out(std::move(*task), std::move(*settings), record, services); });
}

}  // namespace optiml::optimizer
