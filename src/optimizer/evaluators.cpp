#include "optimizer/evaluators.h"

#include <charconv>

#include <fmt/format.h>

#include "evaluation/evaluator.h"
#include "evaluation/index_limit.h"
#include "evaluation/large_sizes.h"
#include "optimizer/device_settings.h"
#include "workers/device_evaluator.h"
#include "workers/messages.h"

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

constexpr std::int64_t kBeyond31Bit = (std::int64_t{1} << 31) + 512;

Status check_profiler(const EvaluatorRequest& request) {
    const std::string& profiler = request.gpu.profiler;
    if (profiler == "ncu" && !request.device.starts_with("cuda:")) {
        return user_error("--profiler ncu counts on a GPU", {}, "Leave it out, or give --device cuda:0.");
    }
    if (!request.gpu.tier.empty()) {
        if (!request.device.starts_with("cuda:")) return user_error("--tier says what is counted on a GPU", {}, "Leave it out, or give --device cuda:0.");
        if (!workers::tier_named(request.gpu.tier)) {
            return user_error(fmt::format("there is no tier '{}'", request.gpu.tier), {}, "Choose one_pass, two_passes, four_passes or full.");
        }
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
