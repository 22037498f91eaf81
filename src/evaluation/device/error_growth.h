#pragma once
// How long the sums are that a kernel computes: the measure of how far two right answers may lie apart.

#include <vector>

namespace optiml::evaluation::device {

struct CountedLaunch {
    double additions = 0;  // floating-point additions and fused multiply-adds of all threads
    double threads = 1;    // launched
};

// Terms of the longest sum behind an output element, as far as counters tell. An output may be a sum of its own (additions by output),
// or share one with others that a single thread adds up (additions by thread); sums by atomics show in the input elements by output.
// launches: the first of all_launches. inputs, outputs: elements of the task's buffers.
double longest_sum(const std::vector<CountedLaunch>& launches, std::size_t all_launches, double inputs, double outputs);

// Where nothing was counted: the inputs' order of magnitude, halved.
double supposed_longest_sum(double inputs, double outputs);

}  // namespace optiml::evaluation::device
