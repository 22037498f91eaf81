#pragma once
// A flat index that a kernel takes apart into the coordinates of an array by division and remainder:
//
//     int x = i % width;
//     int y = i / width % height;
//     int plane = i / (width * height);

#include <optional>
#include <string>
#include <vector>

#include "transforms/element_body.h"

namespace optiml::transforms {

struct Digit {
    cuda_source::VariableId variable = cuda_source::none;
    cuda_source::StatementId declaration = cuda_source::none;
    cuda_source::Polynomial weight;  // by which the index grows with it
    std::string radix;               // how many values it has, as text: "height"
    cuda_source::ExpressionId radix_expression = cuda_source::none;  // none: what the bound leaves to the slowest digit,
    cuda_source::Polynomial radix_value;                             // a product of parameters
};

struct MixedRadixIndex {
    ElementBody body;
    std::vector<Digit> digits;                       // the fastest first; at least two
    std::vector<cuda_source::StatementId> elements;  // the element's other statements, in order; at least one
    cuda_source::StatementId block = cuda_source::none;  // that holds digits and elements, if they have one of their own
};

// The kernel's index along x, if its bound is the product of the radices and its digits are declared before all that uses them.
std::optional<MixedRadixIndex> mixed_radix_index(const Context& context, std::size_t kernel, const KernelTree& tree);

// "(plane * height + y) * width + x", from digit `from` on, which then counts from 0.
std::string recomposed(const Context& context, const MixedRadixIndex& index, std::size_t from = 0);

// "batch * filters": the product of the radices from digit `from` on.
std::string radix_product(const MixedRadixIndex& index, std::size_t from, std::size_t to);

// "int filter = plane % filters;" and so on for the digits from..end, out of a variable that numbers their combinations.
std::string digit_declarations(const Context& context, const MixedRadixIndex& index, std::size_t from, const std::string& number);

// How many values the digit has, in the plan; nullopt where the launch arguments do not say.
std::optional<task::Expression> radix_in_plan(const Context& context, std::size_t kernel, std::size_t step, const Digit& digit);

}  // namespace optiml::transforms
