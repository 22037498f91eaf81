#include "workers/device_evaluator.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "workers/messages.h"

namespace optiml::workers {
namespace {

using evaluation::Evaluation;
using evaluation::Finding;
using evaluation::FindingKind;
using nlohmann::json;

// Part of the cache's key: raise it whenever an evaluation of the same candidate may come out differently.
constexpr int kVersion = 1;
constexpr double kOpeningSeconds = 120;

bool is_ok(const std::string& line) {
    const json answer = json::parse(line, nullptr, false);
    return answer.is_object() && answer.value("ok", false);
}

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

Finding finding_of(const Answer& answer, const char* stage) {
    Finding finding;
    finding.kind = answer.kind == Answer::Kind::timed_out ? FindingKind::time_limit : FindingKind::launch;
    finding.message = fmt::format("the {} worker gave no result: {}", stage, answer.explanation);
    return finding;
}

void add(Evaluation& evaluation, const Evaluation& more) {
    for (const auto& [stage, seconds] : more.stage_seconds) evaluation.stage_seconds[stage] += seconds;
    evaluation.findings.insert(evaluation.findings.end(), more.findings.begin(), more.findings.end());
    evaluation.accepted = more.accepted;
    if (more.level > evaluation.level) evaluation.level = more.level;
    if (more.timing) evaluation.timing = more.timing;
    if (more.profile) evaluation.profile = more.profile;
}

}  // namespace

DeviceEvaluator::DeviceEvaluator(const task::Task& task, DeviceSettings settings) : task_(task), settings_(std::move(settings)) {}

DeviceEvaluator::~DeviceEvaluator() = default;

Result<std::unique_ptr<DeviceEvaluator>> DeviceEvaluator::make(const task::Task& task, const DeviceSettings& settings) {
    std::unique_ptr<DeviceEvaluator> evaluator(new DeviceEvaluator(task, settings));
    if (const Status opened = evaluator->open_workers(); !opened) return tl::make_unexpected(opened.error());
    return evaluator;
}

Status DeviceEvaluator::open_workers() {
    PoolSettings builders;
    builders.command = {settings_.program, "worker", "--build"};
    builders.opening = json{{"do", "open"}, {"task", to_json(task_)}, {"emulator_checks", settings_.emulator_checks}, {"seed", settings_.session.seed}}.dump();
    builders.opening_limit_seconds = kOpeningSeconds;
    builders.workers = settings_.build_workers;
    builders.is_ready = is_ok;
    builders_ = std::make_unique<WorkerPool>(std::move(builders));
    if (const Status ready = builders_->wait_until_ready(kOpeningSeconds); !ready) return tl::make_unexpected(error_from(ready.error().message));

    const Built original = build(task::original_of(task_));
    if (original.compiled.empty()) {
        const Finding* finding = original.evaluation.first_finding();
        return tl::make_unexpected(Error{ErrorKind::faulty_original, finding == nullptr ? "the original does not build" : finding->message,
                                         {task_.source_file, finding == nullptr ? 0 : finding->line, 0}, {}});
    }
    for (const int ordinal : settings_.ordinals) {
        PoolSettings device;
        device.command = {settings_.program, "worker", "--device", fmt::format("cuda:{}", ordinal)};
        device.opening = json{{"do", "open"},
                              {"task", to_json(task_)},
                              {"original", json::parse(original.compiled)},
                              {"settings", to_json(settings_.session)}}
                             .dump();
        device.opening_limit_seconds = kOpeningSeconds;
        device.workers = 1;
        device.spares = 1;
        device.is_ready = is_ok;
        device.is_lost = says_lost;
        devices_.push_back(std::make_unique<WorkerPool>(std::move(device)));
    }
    for (const auto& pool : devices_) {
        if (const Status ready = pool->wait_until_ready(kOpeningSeconds); !ready) return tl::make_unexpected(error_from(ready.error().message));
    }
    const json opened = json::parse(devices_.front()->opening_answer(), nullptr, false);
    identity_ = fmt::format("device/{} driver {} v{}{}", opened.value("device", "unknown"), opened.value("driver_version", 0), kVersion,
                            settings_.emulator_checks ? "" : " without emulator");
    return {};
}

DeviceEvaluator::Built DeviceEvaluator::build(const task::Candidate& candidate) {
    Built built;
    const json request{{"do", "build"}, {"candidate", to_json(task_, candidate)}};
    const Answer answer = builders_->ask(request.dump(), settings_.build_seconds);
    const json parsed = json::parse(answer.line, nullptr, false);
    if (answer.kind != Answer::Kind::answered || !parsed.is_object() || !parsed.value("ok", false)) {
        built.evaluation.findings.push_back(finding_of(answer, "build"));
        if (parsed.is_object()) built.evaluation.findings.back().message = parsed.value("error", "");
        return built;
    }
    if (auto evaluation = evaluation::evaluation_from_json(parsed.value("evaluation", json::object()).dump())) {
        built.evaluation = std::move(*evaluation);
    }
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
    return built.evaluation;
}

void DeviceEvaluator::measure(const std::string& compiled, Evaluation& evaluation) {
    json request{{"do", "evaluate"}, {"candidate", json::parse(compiled)}};
    if (settings_.tier) request["tier"] = name_of(*settings_.tier);
    WorkerPool& pool = *devices_[next_device_++ % devices_.size()];
    const Answer answer = pool.ask(request.dump(), settings_.device_seconds);
    const json parsed = json::parse(answer.line, nullptr, false);
    evaluation.accepted = false;
    if (answer.kind != Answer::Kind::answered || !parsed.is_object() || !parsed.value("ok", false)) {
        evaluation.findings.push_back(finding_of(answer, "device"));
        if (parsed.is_object()) evaluation.findings.back().message = parsed.value("error", "");
        return;
    }
    const auto measured = evaluation::evaluation_from_json(parsed.value("evaluation", json::object()).dump());
    if (measured) add(evaluation, *measured);
}

std::uint64_t DeviceEvaluator::worker_restarts() const {
    std::uint64_t restarts = builders_->restarts();
    for (const auto& pool : devices_) restarts += pool->restarts();
    return restarts;
}

std::string DeviceEvaluator::no_counters_because() const {
    const json opened = json::parse(devices_.front()->opening_answer(), nullptr, false);
    return opened.is_object() ? opened.value("no_counters_because", "") : "";
}

}  // namespace optiml::workers
