#pragma once
// Tables of a calibration: recorded beside modelled.

#include <string>
#include <vector>

#include "evaluation/calibration.h"

namespace optiml::evaluation {

// One row an entry, launch and counter that both sides have: id, launch, sampled, counter, recorded, modelled; and one row an entry for
// the times. every_counter: also counters that only the model has.
std::string calibration_csv(const std::vector<CalibratedEntry>& entries, bool every_counter);

// The families that the time model is fitted on (tools/fit_time_model.py): every second by name.
std::vector<std::string> every_second_family(const std::vector<RecordedEntry>& entries);

// fitted_families: whose entries the time model was fitted on.
std::string calibration_markdown(const std::vector<CalibratedEntry>& entries, const std::vector<std::string>& fitted_families);

struct Agreement {
    std::size_t compared = 0;
    std::size_t agreeing = 0;   // within the tolerance
    std::size_t both_zero = 0;  // not compared
};
// Entries in which the counter is not zero on both sides, and those of them where all launches agree within the relative tolerance.
Agreement counter_agreement(const std::vector<const CalibratedEntry*>& entries, const std::string& counter, double tolerance);

// As "9 / 10 (90 %)".
std::string share(const Agreement& agreement);

// Suite families (not "micro") in which the card's fastest variant at a size is among the model's first two.
Agreement fastest_variant_found(const std::vector<CalibratedEntry>& entries, const std::string& size);

}  // namespace optiml::evaluation
