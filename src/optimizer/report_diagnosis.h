#pragma once
// What binds the kernels of a report that Nsight Compute made of any program, and what the catalogue could try on them.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/disk.h"
#include "diagnosis/bottleneck.h"
#include "experts/promise.h"

namespace optiml::optimizer {

struct ReportedKernel {
    std::string kernel;                       // as the report names it
    std::array<std::uint64_t, 3> grid{};      // zeros: the report does not say
    std::array<std::uint64_t, 3> block{};
    std::uint64_t launches = 0;               // with this shape
    double time_ms = 0;                       // of one launch, the mean; 0: the report does not say, and there is no diagnosis
    std::map<std::string, double> counters;   // of one launch, the mean
    std::vector<diagnosis::Hypothesis> hypotheses;
    std::vector<experts::Promise> promises;   // what could be tried
};

struct ReportDiagnosis {
    std::string device;                       // whose ceilings were used: a device model's name, or the card as the report names it
    std::vector<ReportedKernel> kernels;      // the one with the most time in all first
    std::vector<std::string> notes;           // what the report lacks, and how to collect it
};

// file: an ncu CSV or, by its name, a .ncu-rep. device_model: whose ceilings to measure with ("h200"); empty: the card that the report
// names. Errors: as nsight::parse_report and nsight::import_report; (user) no such file or device model.
Result<ReportDiagnosis> diagnose_report(const std::string& file, const std::string& device_model, const Disk& disk);

}  // namespace optiml::optimizer
