#include "workers/device_evaluator.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "evaluation/evaluator.h"
#include "gpu/nsight/ncu.h"
#include "workers/messages.h"
#include "workers/ncu_profile.h"
#include "workers/worker_commands.h"

namespace optiml::workers {
namespace {

using evaluation::Evaluation;
using evaluation::Finding;
using evaluation::FindingKind;
using nlohmann::json;

// Part of the cache's key: raise it whenever an evaluation of the same candidate may come out differently.
constexpr int kVersion = 8;
// An evaluation runs the original a dozen times, and a candidate as often.
constexpr double kOriginalRuns = 60;
constexpr double kLongSeconds = 0.2;  // an original that takes so long a run
constexpr double kTimingShare = 0.5;  // of a candidate's seconds on the card at most
constexpr std::uint32_t kBlackwell = 120;  // GB20x, whose counters of DRAM have other names

bool is_ok(const std::string& line) {
    const json answer = json::parse(line, nullptr, false);
    return answer.is_object() && answer.value("ok", false);
}

constexpr int kBusyAttempts = 300;  // of some seconds each

bool says_busy(const Answer& answer) { return answer.line.find("\"busy\":true") != std::string::npos; }

bool says_lost(const std::string& line) { return line.find("\"lost\":true") != std::string::npos; }

// A worker's refusal as the Error it was there.
Error error_from(const std::string& text) {
    const std::size_t brace = text.find('{');
    const json answer = json::parse(brace == std::string::npos ? "" : text.substr(brace), nullptr, false);
    if (!answer.is_object()) return {ErrorKind::environment, text, {}, {}};
    const std::string kind = answer.value("kind", "environment");
    Error error{ErrorKind::environment, answer.value("error", text), {}, answer.value("remedy", "")};
    if (kind == "user") error.kind = ErrorKind::user;
    if (kind == "faulty_original") error.kind = ErrorKind::faulty_original;
    if (kind == "internal") error.kind = ErrorKind::internal;
    return error;
}

json knowledge_in(const std::string& opening_answer) {
    const json answer = json::parse(opening_answer, nullptr, false);
    return answer.is_object() ? answer.value("knowledge", json::object()) : json::object();
}

bool is_good(const Answer& answer, const json& parsed) {
    return answer.kind == Answer::Kind::answered && parsed.is_object() && parsed.value("ok", false);
}

std::optional<Evaluation> evaluation_in(const json& answer) {
    auto evaluation = evaluation::evaluation_from_json(answer.value("evaluation", json::object()).dump());
    if (!evaluation) return std::nullopt;
    return std::move(*evaluation);
}

Finding finding_of(const Answer& answer, const json& parsed, const char* stage) {
    Finding finding;
    finding.kind = answer.kind == Answer::Kind::timed_out ? FindingKind::time_limit : FindingKind::launch;
    finding.message = parsed.is_object() ? parsed.value("error", "") : fmt::format("the {} worker gave no result: {}", stage, answer.explanation);
    return finding;
}

Finding unreadable(const char* stage, const std::string& answer) {
    Finding finding;
    finding.kind = FindingKind::launch;
    finding.message = fmt::format("the {} worker's answer cannot be read: {}", stage, answer.substr(0, 200));
    return finding;
}

// Whether the profile has what the tier adds to the cheap one. (Of the cheap one some names differ from chip to chip.)
bool is_deep(const evaluation::Profile& profile, gpu::MetricTier tier) {
    const std::vector<std::string> cheap = gpu::metrics_of(gpu::MetricTier::one_pass, ""), deep = gpu::metrics_of(tier, "");
    return std::all_of(deep.begin(), deep.end(), [&](const std::string& name) {
        return profile.counters.count(name) != 0 || std::find(cheap.begin(), cheap.end(), name) != cheap.end();
    });
}

// The line of all candidates failed as a whole.
CardReply failed(CardReply::Kind kind, const Answer& answer, const json& parsed) {
    CardReply reply{kind, {}};
    reply.evaluation.findings.push_back(is_good(answer, parsed) ? unreadable("device", answer.line) : finding_of(answer, parsed, "device"));
    reply.evaluation.is_inconclusive = true;
    return reply;
}

CardReply reply_from(const json& evaluation) {
    if (evaluation.is_null()) return {CardReply::Kind::again, {}};
    if (auto read = evaluation::evaluation_from_json(evaluation.dump())) return {CardReply::Kind::done, std::move(*read)};
    CardReply reply;
    reply.evaluation.findings.push_back(unreadable("device", evaluation.dump()));
    reply.evaluation.is_inconclusive = true;
    return reply;
}

void add(Evaluation& evaluation, const Evaluation& more) {
    for (const auto& [stage, seconds] : more.stage_seconds) evaluation.stage_seconds[stage] += seconds;
    evaluation.findings.insert(evaluation.findings.end(), more.findings.begin(), more.findings.end());
    evaluation.accepted = more.accepted;
    evaluation.is_inconclusive = more.is_inconclusive;
    if (more.level > evaluation.level) evaluation.level = more.level;
    if (more.timing) evaluation.timing = more.timing;
    if (more.profile) evaluation.profile = more.profile;
    evaluation.no_counters_because = more.no_counters_because;
    evaluation.accuracy_note = more.accuracy_note;
}

// Waits for a pool whose command may be sandboxed. A sandbox that a worker cannot start in is left out: nothing depends on it.
Status ready_or_plain(std::unique_ptr<WorkerPool>& pool, PoolSettings settings, std::vector<std::string> plain) {
    const auto wait = [&] {
        return pool->wait_until_ready(settings.opening_limit_seconds).map_error([](const Error& error) { return error_from(error.message); });
    };
    Status ready = wait();
    if (ready || settings.command == plain || ready.error().kind != ErrorKind::environment) return ready;
    settings.command = std::move(plain);
    pool.reset();
    pool = std::make_unique<WorkerPool>(settings);
    return wait();
}

}  // namespace

DeviceEvaluator::DeviceEvaluator(const task::Task& task, DeviceSettings settings)
    : task_(task), settings_(std::move(settings)), original_compiled_(original_.get_future().share()) {}

DeviceEvaluator::~DeviceEvaluator() = default;

Result<std::unique_ptr<DeviceEvaluator>> DeviceEvaluator::make(const task::Task& task, const DeviceSettings& settings) {
    std::unique_ptr<DeviceEvaluator> evaluator(new DeviceEvaluator(task, settings));
    if (const Status opened = evaluator->open_workers(); !opened) return tl::make_unexpected(opened.error());
    return evaluator;
}

PoolSettings DeviceEvaluator::builder_pool() const {
    PoolSettings pool;
    pool.command = build_worker_command(settings_.program);
    pool.openings = {[line = json{{"do", "open"},
                                  {"task", to_json(task_)},
                                  {"compute_capability", settings_.compute_capability},
                                  {"emulator_checks", settings_.emulator_checks},
                                  {"edge_factor", settings_.edge_factor},
                                  {"seed", settings_.session.seed}}
                                 .dump()](const std::string&) { return line; }};
    pool.opening_limit_seconds = settings_.opening_seconds;
    pool.workers = settings_.build_workers;
    pool.eager = settings_.eager_build_workers;
    pool.is_ready = is_ok;
    return pool;
}

// A card is opened while the original is still being built; what the first worker found out, its spares take over.
PoolSettings DeviceEvaluator::device_pool(int ordinal) const {
    PoolSettings pool;
    pool.command = device_worker_command(settings_.program, ordinal);
    pool.openings = {[task = to_json(task_), settings = to_json(settings_.session)](const std::string& first_answer) {
                         return json{{"do", "prepare"}, {"task", task}, {"settings", settings}, {"knowledge", knowledge_in(first_answer)}}.dump();
                     },
                     [original = original_compiled_, task = to_json(task_), settings = to_json(settings_.session)](const std::string& first_answer) {
                         const std::string& compiled = original.get();
                         if (compiled.empty()) return std::string();
                         return json{{"do", "open"}, {"task", task}, {"original", json::parse(compiled)}, {"settings", settings},
                                     {"knowledge", knowledge_in(first_answer)}}
                             .dump();
                     }};
    pool.opening_limit_seconds = settings_.opening_seconds;
    pool.workers = 1;
    pool.spares = settings_.spare_devices;
    pool.is_ready = is_ok;
    pool.is_lost = says_lost;
    return pool;
}

Status DeviceEvaluator::open_workers() {
    if (settings_.collector == CounterCollector::ncu && gpu::nsight::find_ncu().empty()) {
        return environment_error("the Nsight Compute CLI (ncu) was not found", "Install Nsight Compute, or leave out --profiler ncu: counters in process need only CUPTI.");
    }
    builders_ = std::make_unique<WorkerPool>(builder_pool());
    for (const int ordinal : settings_.ordinals) devices_.push_back(std::make_unique<WorkerPool>(device_pool(ordinal)));
    Status ready = ready_or_plain(builders_, builder_pool(), plain_build_worker_command(settings_.program));
    Built original;
    if (ready) original = build(task::original_of(task_));
    original_.set_value(original.compiled);  // whatever it is: the cards' workers wait for it
    if (!ready) return ready;
    if (original.compiled.empty()) {
        const Finding* finding = original.evaluation.first_finding();
        const ErrorKind kind = original.evaluation.is_inconclusive ? ErrorKind::environment : ErrorKind::faulty_original;
        return tl::make_unexpected(Error{kind, finding == nullptr ? "the original does not build" : finding->message,
                                         {task_.source_file, finding == nullptr ? 0 : finding->line, 0}, {}});
    }
    for (std::size_t i = 0; i < devices_.size(); ++i) {
        const int ordinal = settings_.ordinals[i];
        const Status opened = ready_or_plain(devices_[i], device_pool(ordinal), plain_device_worker_command(settings_.program, ordinal));
        if (!opened) return opened;
    }
    const json opened = json::parse(devices_.front()->opening_answer(), nullptr, false);
    const double original_seconds = opened.value("original_seconds", 0.0);
    settings_.device_seconds = std::max(settings_.device_seconds, kOriginalRuns * original_seconds);
    queue_ = std::make_unique<CardQueue>(devices_.size(), together(original_seconds), [this](std::size_t card, const auto& candidates) { return hand_over(card, candidates); });
    const std::string how = to_json(settings_.session).dump() + (settings_.tier ? std::string(name_of(*settings_.tier)) : "") + std::to_string(settings_.edge_factor);
    const std::string checks = settings_.emulator_checks ? fmt::format(" checks v{}", evaluation::EmulatedEvaluator::version()) : " without emulator";
    identity_ = fmt::format("device/{} driver {} v{} {}{}{}", opened.value("device", "unknown"), opened.value("driver_version", 0), kVersion, digest_of(how).hex(), checks, settings_.collector == CounterCollector::ncu ? " ncu" : "");
    return {};
}

DeviceEvaluator::Built DeviceEvaluator::build(const task::Candidate& candidate) {
    Built built;
    const json request{{"do", "build"}, {"candidate", to_json(task_, candidate)}};
    const Answer answer = builders_->ask(request.dump(), settings_.build_seconds);
    const json parsed = json::parse(answer.line, nullptr, false);
    if (!is_good(answer, parsed)) {
        built.evaluation.findings.push_back(finding_of(answer, parsed, "build"));
        built.evaluation.is_inconclusive = true;
        return built;
    }
    if (auto evaluation = evaluation_in(parsed)) {
        built.evaluation = std::move(*evaluation);
    } else {
        built.evaluation.findings.push_back(unreadable("build", answer.line));
        built.evaluation.is_inconclusive = true;
    }
    built.evaluation.stage_seconds["queue_build"] = answer.waited_seconds;
    if (built.evaluation.findings.empty() && parsed.contains("compiled")) built.compiled = parsed["compiled"].dump();
    return built;
}

Evaluation DeviceEvaluator::evaluate(const task::Candidate& candidate) {
    Built built = build(candidate);
    if (built.compiled.empty()) {
        built.evaluation.accepted = false;
        return built.evaluation;
    }
    measure(built.compiled, built.evaluation);
    const bool climbs = settings_.collector == CounterCollector::first_permitted && !built.evaluation.no_counters_because.empty() && !gpu::nsight::find_ncu().empty();
    if (settings_.tier && (climbs || settings_.collector == CounterCollector::ncu)) {
        read_with_ncu(candidate.plan, built.compiled, *settings_.tier, built.evaluation);
    }
    return built.evaluation;
}

WorkerPool& DeviceEvaluator::least_busy_device() {
    const auto least = std::min_element(devices_.begin(), devices_.end(), [](const auto& a, const auto& b) { return a->load() < b->load(); });
    return **least;
}

// A card that another run holds is waited for.
Answer DeviceEvaluator::ask_first(const std::string& line) {
    Answer answer;
    for (int attempt = 0; attempt < kBusyAttempts; ++attempt) {
        answer = least_busy_device().ask(line, settings_.device_seconds, Turn::first);
        if (!says_busy(answer)) break;
    }
    return answer;
}

// Only counters are cheaper together; behind originals that take long everybody would wait for nothing.
std::size_t DeviceEvaluator::together(double original_seconds) const {
    const bool counts = settings_.tier && settings_.collector != CounterCollector::ncu;
    return counts && original_seconds < kLongSeconds ? settings_.together : 1;
}

void DeviceEvaluator::measure(std::string compiled, Evaluation& evaluation) {
    add(evaluation, queue_->evaluate(std::move(compiled)));
    // Levels are rungs: without the emulator's checks none above L1 was climbed.
    if (!settings_.emulator_checks) evaluation.level = std::min(evaluation.level, evaluation::Level::L1);
}

std::vector<CardReply> DeviceEvaluator::hand_over(std::size_t card, const std::vector<const std::string*>& candidates) {
    std::string line = R"({"do":"evaluate")";
    if (judges_as_written_) line += R"(,"as_written":true)";
    if (settings_.tier && settings_.collector != CounterCollector::ncu) line += fmt::format(R"(,"tier":"{}")", name_of(*settings_.tier));
    line += R"(,"candidates":[)";
    for (const std::string* candidate : candidates) line += (candidate == candidates.front() ? "" : ",") + *candidate;
    line += "]}";
    const double limit = settings_.device_seconds + static_cast<double>(candidates.size() - 1) * settings_.session.seconds_a_candidate / kTimingShare;
    const Answer answer = devices_[card]->ask(line, limit);
    if (says_busy(answer)) return std::vector<CardReply>(candidates.size(), CardReply{CardReply::Kind::again, {}});
    const json parsed = json::parse(answer.line, nullptr, false);
    const bool is_whole = is_good(answer, parsed) && parsed.contains("evaluations") && parsed["evaluations"].size() == candidates.size();
    if (!is_whole) {
        const auto kind = answer.kind == Answer::Kind::no_worker ? CardReply::Kind::no_card : CardReply::Kind::alone;
        return std::vector<CardReply>(candidates.size(), failed(kind, answer, parsed));
    }
    if (parsed.value("lost_in_f64", false)) judges_as_written_ = true;
    std::vector<CardReply> replies;
    for (const json& evaluation : parsed["evaluations"]) replies.push_back(reply_from(evaluation));
    return replies;
}

void DeviceEvaluator::deepen(const task::Candidate& candidate, Evaluation& evaluation) {
    if (!evaluation.accepted || !evaluation.profile || !settings_.tier || is_deep(*evaluation.profile, settings_.deep_tier)) return;
    const Answer compiled = builders_->ask(json{{"do", "compile"}, {"candidate", to_json(task_, candidate)}}.dump(), settings_.build_seconds, Turn::first);
    const json built = json::parse(compiled.line, nullptr, false);
    if (!is_good(compiled, built) || !built.contains("compiled")) return;
    if (settings_.collector == CounterCollector::ncu) {
        read_with_ncu(candidate.plan, built["compiled"].dump(), settings_.deep_tier, evaluation);
        return;
    }
    const json request{{"do", "profile"}, {"tier", name_of(settings_.deep_tier)}, {"candidate", built["compiled"]}, {"as_written", judges_as_written_.load()}};
    const Answer answer = ask_first(request.dump());
    const json parsed = json::parse(answer.line, nullptr, false);
    if (!is_good(answer, parsed)) return;
    if (parsed.value("lost_in_f64", false)) judges_as_written_ = true;
    const auto measured = evaluation_in(parsed);
    // What the card says later of an accepted candidate changes no verdict: the cheap counters then stay.
    if (measured && measured->accepted && measured->no_counters_because.empty() && measured->profile) evaluation.profile = measured->profile;
    if (measured && !measured->no_counters_because.empty()) evaluation.no_counters_because = measured->no_counters_because;
}

void DeviceEvaluator::rest() {
    for (const auto& pool : devices_) pool->rest();
}

std::uint64_t DeviceEvaluator::worker_restarts() const {
    std::uint64_t restarts = builders_->restarts();
    for (const auto& pool : devices_) restarts += pool->restarts();
    return restarts;
}

std::string DeviceEvaluator::opened(const char* key) const {
    const json opened = json::parse(devices_.front()->opening_answer(), nullptr, false);
    return opened.is_object() ? opened.value(key, "") : "";
}

// The lower rungs of the ladder. What fails leaves what the evaluation had before, and says why.
void DeviceEvaluator::read_with_ncu(const task::LaunchPlan& plan, const std::string& compiled, gpu::MetricTier tier, Evaluation& evaluation) {
    if (!evaluation.accepted || ncu_refused_) return;
    const auto profile = profile_with_ncu(task_, plan, compiled,
                                          {.program = settings_.program,
                                           .ordinal = settings_.ordinals.front(),
                                           .sizes = settings_.session.timing_sizes,
                                           .chip = settings_.compute_capability >= kBlackwell ? "GB202" : "GH100",
                                           .tier = tier});
    if (profile) {
        evaluation.profile = *profile;
        evaluation.no_counters_because.clear();
        return;
    }
    evaluation.no_counters_because = profile.error().text();
    ncu_refused_ = gpu::nsight::is_refusal(profile.error());
}

}  // namespace optiml::workers
