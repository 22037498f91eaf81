#pragma once
// What the rules reason with, derived from the inputs; each figure is absent where its counters are.

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "diagnosis/bottleneck.h"

namespace optiml::diagnosis {

class Figures {
public:
    explicit Figures(const Inputs& inputs) : inputs_(inputs) {}

    std::optional<double> counter(std::string_view name) const;
    double counter_or_zero(std::string_view name) const { return counter(name).value_or(0); }
    std::optional<double> ceiling(std::string_view name) const;
    double time_ms() const { return inputs_.time_ms; }

    // The share of the time (0..1) that one resource alone would take. Modelled times give it by the model's own terms; measured ones
    // by the utilisation that the counters report. Names: dram, l2, l1, issue, fma, xu, fp64, atomics, latency, blocks, launch.
    double share(std::string_view resource) const;
    // dram or l2, whichever takes longer; with l1 also that.
    double memory_share() const;

    std::optional<double> dram_gigabytes_per_second() const;  // read and written
    std::optional<double> sectors_per_request(std::string_view operation) const;  // "ld", "st"
    // Share of the global sectors that would not move if each request touched as few as its bytes need.
    double excess_sectors() const;
    double local_sectors() const;        // share of the sectors that are local memory, 0..1
    // Share of those that are spilled registers; nullopt: nobody knows whether they are or arrays indexed at run time.
    std::optional<double> spilled_sectors() const;
    // Instructions in double precision that nobody asked for: no argument is an f64.
    bool has_implicit_double() const;
    double conflict_ratio() const;       // bank conflicts a wavefront of shared memory, 0..1
    double inactive_lanes() const;       // share of lanes switched off, 0..1
    std::optional<double> occupancy() const;  // resident warps / the most possible, 0..1
    std::optional<double> busy_multiprocessors() const;  // blocks / multiprocessors, at most 1; of several launches the mean over time
    double launches() const;             // 1 where nothing is said about them
    std::optional<double> blocks() const;       // of all launches
    std::optional<double> blocks_of_idlest() const;  // of the launch that leaves most multiprocessors idle for longest

    // The line with the most of a counter, as evidence; line 0 where none is known.
    Evidence evidence(std::string counter, double value, std::string meaning, std::string_view line_counter = {}) const;

private:
    std::optional<double> modelled_share(std::string_view resource) const;
    double measured_share(std::string_view resource) const;
    // The first of these percentages that is known, as a share; 0: none is.
    double busy(std::initializer_list<std::string_view> counters) const;
    double busy_pipe(std::string_view pipe) const;
    double busy_l2() const;
    double cycles() const;               // of the whole time, on all multiprocessors together
    double busy_multiprocessors(const LaunchInputs& launch) const;
    double weight(const LaunchInputs& launch) const;  // its part of the time, or of the launches where no times are known

    const Inputs& inputs_;
};

}  // namespace optiml::diagnosis
