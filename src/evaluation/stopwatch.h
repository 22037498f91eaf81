#pragma once

#include <string>
#include <utility>

#include "base/clock.h"
#include "evaluation/evaluation.h"

namespace optiml::evaluation {

// Adds the seconds of its life to a stage of an evaluation. Clock and evaluation must outlive it.
class Stopwatch {
public:
    Stopwatch(const Clock& clock, Evaluation& evaluation, std::string stage)
        : clock_(clock), evaluation_(evaluation), stage_(std::move(stage)), began_(clock.now()) {}
    ~Stopwatch() { evaluation_.stage_seconds[stage_] += clock_.now() - began_; }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    const Clock& clock_;
    Evaluation& evaluation_;
    std::string stage_;
    double began_;
};

}  // namespace optiml::evaluation
