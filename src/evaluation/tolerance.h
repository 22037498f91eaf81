#pragma once
// How far a candidate's floats may be from the exact result, from what the original itself achieves.
//
// Three things are known about each element of an output: the original's value, its value in wider arithmetic (taken as exact), and
// how far the exact value moves when every input is moved to a neighbouring float. The first two give the original's own error; the
// third is what no algorithm can be blamed for, and keeps an original that was right by luck from asking for the same luck.
// Errors are pooled over elements of like and smaller magnitude: an error that is allowed for a small element is no worse in a large one,
// and a handful of elements say little by themselves.

#include <vector>

#include "task/scalar_type.h"

namespace optiml::evaluation {

struct ErrorEvidence {
    std::vector<double> magnitude;   // of the exact value; NaN: the element says nothing
    std::vector<double> error;       // the original's own, or the exact value's movement, whichever is larger
};

// The spacing of floats of this type around a value; the smallest normal number's where it lies below (results may be flushed to zero).
double spacing(task::ScalarType type, double magnitude);

// The bound on |candidate - exact| by element: factor times the pooled error, at least 4 spacings.
// additional_error: of runs with other values, for outputs of so few elements that one run says little.
std::vector<double> bounds_from(const ErrorEvidence& evidence, task::ScalarType type, double factor, double additional_error);

// The largest error that is worth pooling across runs.
double largest_error(const ErrorEvidence& evidence);

}  // namespace optiml::evaluation
