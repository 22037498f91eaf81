#pragma once
// Loops that fold values into variables with associative and commutative operations, so that their iterations may be distributed
// over lanes and the lanes' results combined.

#include <optional>
#include <string>
#include <vector>

#include "transforms/kernel_tree.h"
#include "transforms/transformation.h"

namespace optiml::transforms {

enum class Combiner : std::uint8_t { sum, product, maximum, minimum };

struct Accumulator {
    cuda_source::VariableId variable = cuda_source::none;
    Combiner combiner = Combiner::sum;
    cuda_source::TypeId type = cuda_source::none;  // of the scalar, or of the array's elements
    std::uint64_t extent = 0;                      // elements of a local array; 0: a scalar
    // A sum that is rescaled whenever a running maximum grows: s = s * exp(m - k) + ..., m = k. The maximum, and the function's name.
    cuda_source::VariableId maximum = cuda_source::none;
    std::string exponential;
};

// All that the loop carries from one iteration to the next in variables: nullopt where that is more than accumulators. Variables that
// every iteration assigns before it reads them, and that nobody reads after the loop, carry nothing.
// Floating-point sums and products count as associative: reductions may be reassociated.
std::optional<std::vector<Accumulator>> accumulators_of(const Context& context, const KernelTree& tree, cuda_source::StatementId loop);

// Whether the variable holds the operation's neutral element (0 or 1) when the loop begins, by the last assignment before it.
bool begins_neutral(const KernelTree& tree, const Accumulator& accumulator, cuda_source::StatementId loop);

// How one update statement changes the variable; nullopt if it is no update of this kind.
std::optional<Combiner> update_of(const KernelTree& tree, cuda_source::VariableId variable, cuda_source::StatementId statement,
                                  bool special_values);

// Whether a use of a variable changes it or a part of it: an element of an array, a member; not what a pointer points to.
bool writes_object(const KernelTree& tree, cuda_source::ExpressionId use);

// False where the task says of every floating-point input that it holds no NaN and no infinity.
bool may_meet_special_values(const Context& context);

}  // namespace optiml::transforms
