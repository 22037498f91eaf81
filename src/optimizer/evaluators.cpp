#include "optimizer/evaluators.h"

#include <charconv>

#include <fmt/format.h>

#include "evaluation/evaluator.h"
#include "evaluation/index_limit.h"
#include "evaluation/large_sizes.h"
#include "gpu/device.h"
#include "process/own_program.h"
#include "task/resolved.h"
#include "workers/device_evaluator.h"

namespace optiml::optimizer {
namespace {

evaluation::EmulatedSettings emulated_settings(const EvaluatorRequest& request, std::uint32_t host_threads) {
    evaluation::EmulatedSettings settings;
    settings.device = request.device.substr(request.device.find(':') + 1);
    settings.timing_sizes = request.timing_sizes;
    settings.host_threads = host_threads;
    settings.time = settings.profile = !request.only_verify;
    if (request.thoroughness == Thoroughness::final) {
        settings.seed = 2;  // other values, schedules and blocks than in the search
        settings.edge_sizes *= 3;
        settings.own_edge_sizes *= 3;
        settings.seconds_a_candidate *= 3;
    }
    return settings;
}

Result<std::unique_ptr<evaluation::Evaluator>> make_emulated(const EvaluatorRequest& request, gpu::Compiler& compiler, const Disk& disk,
                                                             std::uint32_t host_threads, Log& log) {
    auto evaluator = evaluation::EmulatedEvaluator::make(request.task, compiler, disk, emulated_settings(request, host_threads));
    if (!evaluator) return tl::make_unexpected(evaluator.error());
    for (const evaluation::Finding& finding : (*evaluator)->original_findings()) {
        std::string sizes;
        for (const auto& [name, value] : finding.sizes) sizes += fmt::format(" {} = {}", name, value);
        log.write(LogLevel::warning, fmt::format("the original is faulty at{}, candidates are not verified there: {}:{}: {}: {}", sizes,
                                                 finding.file, finding.line, name_of(finding.kind), finding.message));
    }
    return std::move(*evaluator);
}

// Small odd sizes for the card itself: the emulator has already been through many more.
constexpr std::size_t kOddSizes = 4;

constexpr std::int64_t kBeyond31Bit = (std::int64_t{1} << 31) + 512;
constexpr double kLargeSeconds = 480;  // making 2^31 values on the host takes some 10 s a buffer

// ncu takes seconds a candidate: nobody gets it for a whole search who has not asked for it.
workers::CounterCollector collector_of(const EvaluatorRequest& request) {
    if (request.gpu.profiler == "ncu") return workers::CounterCollector::ncu;
    const bool may_climb = request.gpu.profiler == "auto" && request.few_candidates;
    return may_climb ? workers::CounterCollector::first_permitted : workers::CounterCollector::cupti;
}

Status check_profiler(const EvaluatorRequest& request) {
    const std::string& profiler = request.gpu.profiler;
    if (profiler == "ncu" && !request.device.starts_with("cuda:")) {
        return user_error("--profiler ncu counts on a GPU", {}, "Leave it out, or give --device cuda:0.");
    }
    if (profiler == "auto" || profiler == "cupti" || profiler == "ncu") return {};
    return user_error(fmt::format("there is no profiler '{}'", profiler), {}, "Choose auto, cupti or ncu.");
}

// Where the original itself says something about such sizes.
std::optional<task::Sizes> sizes_beyond_31_bit(const EvaluatorRequest& request, const gpu::Compiler& compiler, Log& log) {
    if (!request.gpu.beyond_31_bit) return std::nullopt;
    auto sizes = evaluation::sizes_beyond(request.task, kBeyond31Bit);
    const bool too_narrow = evaluation::index_limit(request.task, compiler.include_directory()) < kBeyond31Bit;
    if (sizes && !too_narrow) return sizes;
    log.write(LogLevel::warning, fmt::format("not verified beyond 2^31 elements: {}", sizes ? "the original's own indices are 32-bit ints" : "the task allows no such sizes"));
    return std::nullopt;
}

workers::DeviceSettings device_settings(const EvaluatorRequest& request, std::vector<int> ordinals, std::uint32_t builders,
                                        const std::optional<task::Sizes>& large) {
    workers::DeviceSettings settings;
    const auto card = gpu::Device::describe(ordinals.front());
    if (card) settings.compute_capability = card->compute_capability;
    settings.ordinals = std::move(ordinals);
    settings.build_workers = settings.eager_build_workers = builders;
    settings.program = process::own_program().string();
    settings.emulator_checks = request.emulator_checks;
    settings.session.timing_sizes = request.timing_sizes;
    settings.session.odd_sizes = task::edge_sizes(request.task, request.task.plan, kOddSizes);
    settings.session.tolerance_factor = request.task.checks.tolerance_factor;
    if (request.thoroughness == Thoroughness::final) {
        settings.eager_build_workers = 1;  // finalists come one after another
        settings.edge_factor = 3;
        settings.session.seed = 2;
        settings.session.repeats = 5;
        settings.session.half_width = 0.005;
        settings.session.seconds_a_candidate = 2;
        settings.spare_devices = 0;
        settings.session.hopeless_factor = 100;
        settings.session.reuse_original = false;
        settings.session.take_warm_time = true;
        settings.session.odd_sizes = task::edge_sizes(request.task, request.task.plan, 4 * kOddSizes);
        settings.tier = gpu::MetricTier::four_passes;
        settings.device_seconds = 60;
    }
    settings.session.only_verify = request.only_verify;
    if (request.only_verify) settings.tier.reset();
    settings.collector = collector_of(request);
    settings.session.in_process_counters = settings.collector != workers::CounterCollector::ncu;
    if (large) {
        settings.session.large_sizes = large;
        settings.device_seconds += kLargeSeconds;
        settings.opening_seconds += kLargeSeconds;
        settings.spare_devices = 0;  // the large buffers are there once
    }
    return settings;
}

}  // namespace

Result<std::vector<int>> device_ordinals(const std::string& device) {
    std::vector<int> ordinals;
    std::string_view rest = std::string_view(device).substr(device.find(':') + 1);
    while (!rest.empty()) {
        int ordinal = -1;
        const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), ordinal);
        const std::size_t used = static_cast<std::size_t>(end - rest.data());
        if (code != std::errc() || ordinal < 0 || (used < rest.size() && rest[used] != ',')) break;
        ordinals.push_back(ordinal);
        if (used == rest.size()) return ordinals;
        rest.remove_prefix(used + 1);
    }
    return user_error(fmt::format("--device {}: not a list of devices", device), {}, "Write cuda:0, or cuda:0,1 for several cards.");
}

Result<std::unique_ptr<evaluation::Evaluator>> make_evaluator(const EvaluatorRequest& request, gpu::Compiler& compiler, const Disk& disk,
                                                              const Workforce& workforce, Log& log) {
    if (const Status known = check_profiler(request); !known) return tl::make_unexpected(known.error());
    if (!request.device.starts_with("cuda:")) return make_emulated(request, compiler, disk, workforce.host_threads, log);
    auto ordinals = device_ordinals(request.device);
    if (!ordinals) return tl::make_unexpected(ordinals.error());
    auto evaluator = workers::DeviceEvaluator::make(request.task, device_settings(request, std::move(*ordinals), workforce.builders, sizes_beyond_31_bit(request, compiler, log)));
    if (!evaluator) return tl::make_unexpected(evaluator.error());
    if (const std::string reason = (*evaluator)->no_counters_because(); !reason.empty()) {
        log.write(LogLevel::warning, "no hardware counters: " + reason);
    }
    if (const std::string reason = (*evaluator)->not_large_because(); !reason.empty()) {
        log.write(LogLevel::warning, "not verified beyond 2^31 elements: " + reason);
    }
    return std::move(*evaluator);
}

}  // namespace optiml::optimizer
