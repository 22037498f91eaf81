#pragma once
// Accesses that neighbouring iterations make to neighbouring elements of one array: they can become one wide access.

#include <optional>
#include <string>
#include <vector>

#include "cuda_source/analysis.h"
#include "transforms/kernel_tree.h"
#include "transforms/transformation.h"

namespace optiml::transforms {

// The statements of one iteration (siblings, first..last), and what counts the iterations.
struct Iteration {
    std::vector<cuda_source::StatementId> statements;
    cuda_source::StatementId body = cuda_source::none;     // the block that holds them and nothing else; none: a part of one
    cuda_source::VariableId counter = cuda_source::none;   // holds the first element's number in the rewritten code
    cuda_source::Polynomial counter_value;                 // the counter as it occurs in the accesses' indices
};

struct VectorGroup {
    cuda_source::VariableId base = cuda_source::none;
    const cuda_source::Type* element = nullptr;
    bool reversed = false;                                 // the index falls by one from iteration to iteration
    bool loads = false;                                    // the first access reads
    bool stores = false;
    bool through_ldg = false;                              // all reads are __ldg(&...)
    std::vector<cuda_source::ExpressionId> replaced;       // what the element's value takes the place of
    std::string base_text;                                 // "x", or a pointer made from it
    cuda_source::ExpressionId index = cuda_source::none;   // the first access's, in base_text
    cuda_source::Polynomial offset;                        // that index minus (plus, if reversed) the counter
    cuda_source::Polynomial buffer_offset;                 // the same in the parameter's buffer
};

// The group's index as text outside the iteration, with the counter's place taken by `counter`: "row * cols + c".
std::optional<std::string> index_text(const Context& context, const KernelTree& tree, const Iteration& iteration, const VectorGroup& group,
                                      const std::string& counter);

// The counter, or a local of the iteration that is a copy of it.
bool names_counter(const KernelTree& tree, const Iteration& iteration, cuda_source::VariableId variable);

// Every array whose accesses in the iteration can be made wide. An access is, if it is unconditional, if its index moves by one with the
// counter, and if no other access of the iteration may touch what a wide one would then read too early or write too late.
std::vector<VectorGroup> vector_groups(const Context& context, std::size_t kernel, const KernelTree& tree, const Iteration& iteration);

// "float4"; for 8 and 16 narrow elements the type of as many bytes ("uint4"). Empty where there is none of 4 to 16 bytes.
std::string vector_type(const cuda_source::Type& element, std::int64_t width);

// "float", "unsigned char" ...
std::string element_type_name(const cuda_source::Type& element);

// Widths for which every group has a vector type, at least one of them of 8 bytes or more (4 for bytes and halves).
std::vector<std::int64_t> vector_widths(const std::vector<VectorGroup>& groups);

// Whether the groups' addresses are multiples of the vector's size whenever the counter is one of the width, by the plan alone.
bool is_always_aligned(const Context& context, std::size_t kernel, const VectorGroup& group, std::int64_t width);

}  // namespace optiml::transforms
