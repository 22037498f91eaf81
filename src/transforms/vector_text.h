#pragma once
// The text of an iteration in which groups of accesses are wide:
//
//     alignas(float4) float x_values[4];
//     *reinterpret_cast<float4*>(x_values) = *reinterpret_cast<const float4*>(&x[i]);
//     #pragma unroll
//     for (int k = 0; k < 4; ++k) { ... x_values[k] ... }

#include <string>
#include <vector>

#include "transforms/rewrite.h"
#include "transforms/vector_group.h"

namespace optiml::transforms {

class VectorText {
public:
    // All references must outlive this.
    VectorText(const Context& context, std::size_t kernel, const KernelTree& tree, const Iteration& iteration,
               const std::vector<VectorGroup>& groups, std::int64_t width, const SourceStyle& style, FreshNames names);

    // The wide form of the iteration's statements. first: the variable that holds the first element's number.
    std::string statements(SourceEdit& edit, const std::string& first) const;
    // The wide accesses' addresses that the plan does not show to be aligned, with the counter's place taken by `counter`; none twice.
    std::vector<std::string> unaligned_addresses(const std::string& counter) const;

private:
    std::string address(const VectorGroup& group, const std::string& counter) const;
    std::string element_body(SourceEdit& edit, const std::string& first) const;

    const Context& context_;
    std::size_t kernel_;
    const KernelTree& tree_;
    const Iteration& iteration_;
    const std::vector<VectorGroup>& groups_;
    std::int64_t width_;
    const SourceStyle& style_;
    std::string element_;
    std::vector<std::string> values_;  // one array a group
};

// "(reinterpret_cast<size_t>(a) | reinterpret_cast<size_t>(b)) % 16 == 0"
std::string alignment_condition(const std::vector<std::string>& addresses, std::int64_t bytes);
// The largest vector of the groups, in bytes.
std::int64_t vector_bytes(const std::vector<VectorGroup>& groups, std::int64_t width);

}  // namespace optiml::transforms
