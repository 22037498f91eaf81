#include "workers/second_opinion.h"

#include <algorithm>

#include <fmt/format.h>

#include "gpu/sanitizer/sanitizer.h"
#include "workers/run_once.h"

namespace optiml::workers {
namespace {

using evaluation::Finding;
using evaluation::FindingKind;
using gpu::sanitizer::Fault;

FindingKind kind_of(Fault fault) {
    switch (fault) {
        case Fault::out_of_bounds: return FindingKind::out_of_bounds;
        case Fault::misaligned: return FindingKind::misaligned;
        case Fault::uninitialized: return FindingKind::uninitialized;
        case Fault::race: return FindingKind::race;
        case Fault::barrier: return FindingKind::barrier;
        case Fault::other: break;
    }
    return FindingKind::launch;
}

Finding finding_of(const gpu::sanitizer::Record& record, std::string_view tool, const task::Sizes& sizes) {
    Finding finding;
    finding.kind = kind_of(record.fault);
    finding.message = fmt::format("compute-sanitizer's {}: {}", tool, record.statement);
    if (!record.address.empty()) finding.message += fmt::format(", address {}", record.address);
    if (!record.detail.empty()) finding.message += " " + record.detail;
    finding.file = record.file;
    finding.line = record.line;
    finding.kernel = record.kernel;
    finding.block = record.block;
    finding.thread = record.thread;
    finding.sizes = sizes;
    finding.pattern = "declared";
    return finding;
}

// A thousand threads that fall over one line are one fault.
void add(std::vector<Finding>& findings, Finding finding) {
    const bool known = std::any_of(findings.begin(), findings.end(), [&](const Finding& other) {
        return other.kind == finding.kind && other.kernel == finding.kernel && other.file == finding.file && other.line == finding.line;
    });
    if (!known) findings.push_back(std::move(finding));
}

}  // namespace

Result<std::vector<Finding>> second_opinion(const task::Task& task, const std::string& compiled, const SecondOpinionSettings& settings) {
    std::vector<Finding> findings;
    for (const task::Sizes& sizes : settings.sizes) {
        const auto run = WatchedRun::make(settings.program, settings.ordinal, task, compiled, sizes);
        if (!run) return tl::make_unexpected(run.error());
        for (const std::string_view tool : gpu::sanitizer::kTools) {
            const auto report = gpu::sanitizer::check(tool, run->command(), settings.time_limit_seconds);
            if (!report) return tl::make_unexpected(report.error());
            if (report->errors > 0 && report->records.empty()) {
                return environment_error(fmt::format("compute-sanitizer's {} counts {} errors and describes none that can be read", tool, report->errors),
                                         "Run compute-sanitizer by hand on a program of yours that launches the kernel.");
            }
            for (const auto& record : report->records) add(findings, finding_of(record, tool, sizes));
        }
    }
    return findings;
}

}  // namespace optiml::workers
