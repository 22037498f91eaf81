#pragma once
// A kernel in which every thread computes one element of an axis: the statements that can become a loop's body over several elements.

#include <optional>
#include <string>
#include <vector>

#include "transforms/rewrite.h"
#include "transforms/thread_mapping.h"

namespace optiml::transforms {

struct ElementBody {
    ThreadIndex index;
    cuda_source::StatementId last = cuda_source::none;      // the body's last statement at the top level; the first is the index's declaration
    std::vector<cuda_source::StatementId> early_returns;    // that end one element: `continue` in a loop
    // The guard of this index, where it has no other condition.
    std::optional<Guard> own_guard;
    std::string index_type;                                 // "int", without const
    std::uint32_t index_bits = 32;
    bool index_is_signed = true;
};

// Along one axis; nullopt where the elements of different threads cannot be put into one thread: no guarded index that is the axis's
// only use, threads that wait for each other, returns out of inner loops, a declaration that declares more than the index.
std::optional<ElementBody> element_body(const Context& context, std::size_t kernel, const KernelTree& tree, const ThreadMapping& mapping,
                                        std::uint8_t axis);

// In a kernel of blocks with one dimension whose only guard is the index's: every thread then reaches the kernel's end.
std::optional<ElementBody> element_body_under_one_guard(const Context& context, std::size_t kernel, const KernelTree& tree);

// "blockIdx.x * blockDim.x + threadIdx.x", in 64 bits where the index has them.
std::string flat_index_text(const ElementBody& body);

// Replaces early returns by `continue`.
void continue_instead_of_return(SourceEdit& edit, const ElementBody& body);

}  // namespace optiml::transforms
