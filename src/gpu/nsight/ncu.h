#pragma once
// The Nsight Compute CLI (ncu) as a program of its own, with a time limit.

#include <string>
#include <vector>

#include "base/result.h"
#include "gpu/nsight/report.h"

namespace optiml::gpu::nsight {

// In the toolkit's folders, on PATH, or where its own installer puts it (the newest); empty if there is none.
std::string find_ncu();

// A report file (.ncu-rep) as the launches in it. Errors: (environment) no ncu, with what to do without it, or it takes too long;
// (user) ncu cannot read the file.
Result<std::vector<Launch>> import_report(const std::string& file, double time_limit_seconds);

struct NcuRequest {
    std::vector<std::string> metrics;        // by name
    std::vector<std::string> command;        // program and arguments; only kernels between cuProfilerStart and cuProfilerStop count
    std::uint64_t most_launches = 16;
    double time_limit_seconds = 120;
};

struct NcuCapture {
    std::vector<Launch> launches;
    std::string rung;                        // of the permission ladder: "ncu" or "sudo ncu"
};

// Runs the command under ncu: clocks are left alone, caches are flushed before each kernel and pass. Where ncu lacks permission it is
// tried once more with `sudo -n`, which never asks for a password. Errors (environment): no ncu, no permission on any rung (with the
// driver's setting that gives it), the time limit, a capture without kernels or with a value that is missing.
Result<NcuCapture> profile(const NcuRequest& request);
// Whether an error of profile() is the driver's refusal, which the next candidate would meet as well.
bool is_refusal(const Error& error);

}  // namespace optiml::gpu::nsight
