#pragma once
// The staged outcome for one candidate. A failure at any stage is an outcome, never an exception or an Error.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "optiml/digest.h"
#include "optiml/sizes.h"

namespace optiml::evaluation {

enum class FindingKind : std::uint8_t {
    compile, launch, out_of_bounds, misaligned, uninitialized, race, barrier, shuffle, time_limit, wrong_values, accuracy,
    nondeterministic, input_modified, unsupported
};
std::string_view name_of(FindingKind kind);

struct Finding {
    FindingKind kind = FindingKind::compile;
    std::string message;
    std::string file;
    std::uint32_t line = 0;
    std::string kernel;
    std::array<std::uint32_t, 3> block{};
    std::array<std::uint32_t, 3> thread{};
    task::Sizes sizes;          // for which it showed
    std::string pattern;        // value pattern, "declared" ...
    bool operator==(const Finding&) const = default;
};

enum class Level : std::uint8_t { none, L0, L1, L2, L3, L4 };
std::string_view name_of(Level level);

enum class Source : std::uint8_t { modelled, measured };

struct Timing {
    Source source = Source::modelled;
    std::string device;                 // "emulated:h200", "cuda:0 NVIDIA H200"
    double cold_ms = 0;                 // all launches, L2 cold
    double warm_ms = 0;                 // 0: not known
    std::array<double, 2> interval{};   // of cold_ms; equal ends where modelled
    double original_ms = 0;             // cold, taken in the same run, interleaved; 0: not taken
    std::array<double, 2> speedup{};    // bootstrap interval of original / candidate; {0, 0}: not taken
    std::uint64_t samples = 0;
    task::Sizes sizes;                  // at which it was taken
    bool operator==(const Timing&) const = default;
};

struct KernelBuild {
    std::string kernel;                 // as in the plan
    std::string lowered_name;
    std::uint32_t registers = 0;
    std::uint32_t static_shared = 0;
    std::uint32_t local_bytes = 0;
    std::uint32_t spill_store_bytes = 0;
    std::uint32_t spill_load_bytes = 0;
    bool operator==(const KernelBuild&) const = default;
};

struct LineProfile {
    std::string file;
    std::uint32_t line = 0;
    std::map<std::string, double> counters;
    bool operator==(const LineProfile&) const = default;
};

struct LaunchProfile {
    std::string kernel;
    std::array<std::uint64_t, 3> grid{};
    std::array<std::uint64_t, 3> block{};
    std::uint64_t repeats = 1;                 // consecutive launches merged into this entry
    double time_ms = 0;                        // one launch
    std::map<std::string, double> counters;    // one launch
    std::vector<LineProfile> lines;
    bool operator==(const LaunchProfile&) const = default;
};

struct Profile {
    Source source = Source::modelled;
    std::string collector;                     // measured: "CUPTI", "ncu", "sudo ncu", or "driver" where no counters may be read
    std::map<std::string, double> counters;    // whole plan: sums added, rates recomputed or weighted by time
    std::vector<LineProfile> lines;
    std::vector<LaunchProfile> launches;
    bool operator==(const Profile&) const = default;
};

constexpr std::size_t kMostPrintedBytes = 4096;

struct Evaluation {
    Level level = Level::none;                 // highest level passed
    bool accepted = false;                     // passed every level this evaluator can check
    std::vector<Finding> findings;
    std::vector<KernelBuild> kernels;
    Digest ptx;                                // of the normalised PTX (no .loc, no comments): transpositions
    std::optional<Timing> timing;
    std::optional<Profile> profile;
    // What stopped it was not the candidate (no worker, a busy or throttling card): asked again it may come out otherwise.
    bool is_inconclusive = false;
    std::string accuracy_note;                 // where the original is too inaccurate to judge by: how far off it is, and what judged instead
    std::string no_counters_because;           // where they were wanted and could not be read
    std::string printed;                       // by the kernels (printf), on the emulator at the small sizes; at most kMostPrintedBytes
    std::map<std::string, double> stage_seconds;  // build, verify, time, profile

    const Finding* first_finding() const { return findings.empty() ? nullptr : &findings.front(); }
    bool operator==(const Evaluation&) const = default;
};

// Original / candidate by their cold times; where they were measured together, interleaved, from that measurement.
double speedup_of(const Evaluation& original, const Evaluation& candidate);
// The same kernel at other addresses is faster by up to 0.04 % every time (200 comparisons of kernels with themselves on an H200): what
// lies below half a per cent is no speed-up, however narrow its interval.
constexpr double kLeastCertainSpeedup = 1.005;
// Whether a measured speed-up is more than noise: its interval's lower end lies above that. Modelled ones have no noise.
bool is_certain(const Timing& timing);

}  // namespace optiml::evaluation
