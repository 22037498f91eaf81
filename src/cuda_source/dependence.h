#pragma once
// Questions about memory accesses on which legality rests. The accesses of a kernel become integer sets over blocks, threads and
// loop iterations, which isl decides. What is not affine is left out, which can only turn a sure answer into `unknown`: products of
// sizes are taken apart into several dimensions where bounds show that (r*cols + c with 0 <= c < cols is row r, column c), loops
// that stride over all threads visit every element once, and data-dependent indices are unknown.
//
// Assumed: different pointer parameters point to different objects (the caller compares the buffers of the launch plan), and
// indices do not overflow.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "cuda_source/analysis.h"

namespace optiml::cuda_source {

enum class Answer : std::uint8_t { yes, no, unknown };

// What is known of a launch. 0: an unknown extent of at least 1.
struct LaunchShape {
    std::array<std::int64_t, 3> block{};
    std::array<std::int64_t, 3> grid{};
    std::map<VariableId, std::int64_t> values;    // parameters with a known value
    std::map<VariableId, std::int64_t> minimums;  // parameters known to be at least this
};

class Dependence {
public:
    // source and facts must live as long as this. Not for several threads at once.
    Dependence(const SourceFile& source, const KernelFacts& facts, const LaunchShape& shape);
    ~Dependence();

    // No two threads write the same element of the base (two threads of one block, for shared memory, within one iteration of the
    // loops that hold barriers). Atomic updates count as writes.
    Answer writes_are_injective(VariableId base);

    // No iteration of the loop touches what another iteration of the same thread writes, so that iterations may run in any order.
    // Atomic updates do not order iterations; variables in registers are another matter (see carried_variables).
    Answer is_parallel(StatementId loop);

    // Every element that the access touches lies in [0, extent); the extent is over the kernel's parameters.
    Answer is_within(const Access& access, const Polynomial& extent);

    // Both touch the same elements of the same base at every reach of a thread, for equal iterations of the loops they share.
    Answer is_same(const Access& a, const Access& b);

    // Elements between the accesses of neighbours in x of one warp and one row of the block: 0 a broadcast, 1 coalesced, or a
    // product of sizes. nullopt: it varies, or depends on data.
    std::optional<Polynomial> lane_stride(const Access& access);

    // How many different elements one block (the first) or one thread (the first of it) touches, with all parameters in
    // LaunchShape::values; nullopt where something is unknown.
    enum class Scope { thread, block };
    std::optional<std::int64_t> footprint(const Access& access, Scope scope);

private:
    class Model;
    std::unique_ptr<Model> model_;
};

// Scalars declared outside of the loop that its iterations write (its own variable aside): what must be kept in order besides
// memory.
std::vector<VariableId> carried_variables(const SourceFile& source, const KernelFacts& facts, StatementId loop);

}  // namespace optiml::cuda_source
