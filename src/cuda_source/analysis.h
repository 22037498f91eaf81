#pragma once
// Facts about kernels that legality rests on: index expressions in a normal form, memory accesses, canonical loops.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cuda_source/syntax.h"

namespace optiml::cuda_source {

// What an index may depend on.
struct Symbol {
    enum class Kind : std::uint8_t {
        builtin,   // threadIdx.x ... : builtin, axis
        variable,  // one value a loop iteration: a loop variable, or a parameter or local that is never written: variable
        // An expression we do not look into: a load, a call, a quotient, or a variable that is written in several places (its value
        // at that place): expression. Pure expressions over the same values share the symbol of the first of them in the function.
        opaque,
    } kind = Kind::variable;
    BuiltinIndex builtin = BuiltinIndex::thread_idx;
    std::uint8_t axis = 0;
    VariableId variable = none;
    ExpressionId expression = none;
    auto operator<=>(const Symbol&) const = default;

    static Symbol of_builtin(BuiltinIndex builtin, std::uint8_t axis) { return {Kind::builtin, builtin, axis, none, none}; }
    static Symbol of_variable(VariableId id) { return {Kind::variable, BuiltinIndex::thread_idx, 0, id, none}; }
    static Symbol of_opaque(ExpressionId id) { return {Kind::opaque, BuiltinIndex::thread_idx, 0, none, id}; }
};

// A polynomial with integer coefficients over symbols: sum of coefficient * product of symbols (sorted, with repetition).
// `blockIdx.x * blockDim.x + threadIdx.x` is two terms. Division and modulo are opaque. Integers are taken as mathematical ones:
// what a rewrite computes differs from the original only where the original overflows. A coefficient that leaves 64 bits, or more
// terms than a rewrite could want, leave an opaque symbol of no expression: such a polynomial equals none, itself included (see
// is_valid).
struct Polynomial {
    std::map<std::vector<Symbol>, std::int64_t> terms;  // {} is the constant term; no zero coefficients

    Polynomial() = default;
    Polynomial(std::int64_t constant) {
        if (constant != 0) terms[{}] = constant;
    }
    Polynomial(const Symbol& symbol) { terms[{symbol}] = 1; }

    bool is_valid() const;
    bool operator==(const Polynomial& other) const { return is_valid() && terms == other.terms; }
    bool is_constant() const;
    std::int64_t constant() const;
    bool depends_on(const Symbol& symbol) const;
    // The polynomial that multiplies symbol, if this is linear in it (no square); nullopt otherwise.
    std::optional<Polynomial> coefficient_of(const Symbol& symbol) const;
    Polynomial without(const Symbol& symbol) const;  // terms that do not hold symbol
};
Polynomial operator+(const Polynomial& a, const Polynomial& b);
Polynomial operator-(const Polynomial& a, const Polynomial& b);
Polynomial operator*(const Polynomial& a, const Polynomial& b);

struct Access {
    // The subscript or dereference; the name of a reference or of a scalar in shared or device memory; an argument through which a
    // callee may reach memory; the call itself for variables of file scope that a callee reaches.
    ExpressionId expression = none;
    StatementId statement = none;  // innermost statement that holds it
    VariableId base = none;        // pointer parameter, array, or local pointer's root (pointers derived by offset are followed)
                                   // none: it could be anything
    bool reads = false;
    bool writes = false;
    bool atomic = false;  // argument of an atomic function
    // In elements of the base (of its innermost element where it is an array of arrays), all local definitions followed.
    Polynomial index;
    bool index_known = false;            // false: depends on data or could not be followed to the base
    std::uint32_t elements = 1;          // consecutive elements of the base touched: 4 for a float4 read through a float pointer
    std::vector<Polynomial> subscripts;  // an array of arrays: one for each dimension, outermost first; otherwise empty
    std::vector<StatementId> loops;      // enclosing loops, outermost first
    // What is known to hold where it is reached: conditions of enclosing ifs, ?:, && and ||, and of earlier `if (c) return;`
    // (continue, break) of the enclosing blocks. negated[i]: conditions[i] is known to be false instead.
    std::vector<ExpressionId> conditions;
    std::vector<bool> negated;
};

// for (T v = first; v < bound; v += step) with v otherwise unwritten in the body, and bound and step the same in every iteration
// (what the body writes through one pointer parameter is taken to leave what another points to as it is).
struct CanonicalLoop {
    StatementId statement = none;
    VariableId variable = none;
    ExpressionId first = none;
    ExpressionId bound = none;
    std::string comparison;            // "<" "<=" ">" ">=" "!=", as if the variable stood on the left
    std::optional<std::int64_t> step;  // constant step (negative for --); nullopt: step_expression
    ExpressionId step_expression = none;
    StatementId body = none;
    std::optional<std::int64_t> trip_count;  // where all is constant
    bool has_break = false;                  // break, return or goto leaves it early
    bool has_barrier = false;
};

// for (int d = 16; d > 0; d >>= 1) and the like: the variable is multiplied or divided by a constant. Also listed in other_loops.
struct GeometricLoop {
    StatementId statement = none;
    VariableId variable = none;
    ExpressionId first = none;
    ExpressionId bound = none;
    std::string comparison;
    std::int64_t factor = 2;  // of one step
    bool divides = true;      // d >>= 1, d /= 2; false: d <<= 1, d *= 2
    StatementId body = none;
    std::optional<std::int64_t> trip_count;
    bool has_break = false;
    bool has_barrier = false;
};

struct KernelFacts {
    FunctionId function = none;
    std::vector<Access> accesses;          // global, shared, constant and local arrays, in program order
    std::vector<CanonicalLoop> loops;      // canonical ones, in program order
    std::vector<StatementId> other_loops;  // the rest
    std::vector<GeometricLoop> geometric_loops;
    bool has_barrier = false;  // __syncthreads or the like, also in callees of this file
    bool has_warp_primitives = false;
    bool has_atomics = false;
    bool has_inline_assembly = false;
    bool calls_unknown = false;  // a call that we cannot see into and that is not a known pure function
    bool uses_dynamic_shared = false;

    const CanonicalLoop* loop_at(StatementId statement) const;
};

KernelFacts analyze(const SourceFile& source, FunctionId kernel);

// The value of an integer expression at its place as a polynomial (locals with a single definition are followed).
Polynomial polynomial_of(const SourceFile& source, FunctionId kernel, ExpressionId expression);

// if (i >= n) return;   as the kernel's first statements, or the whole body inside if (i < n): the guard that bounds thread
// indices. `row < rows && col < cols` (`row >= rows || col >= cols` with return) are two guards of one statement.
struct BoundsGuard {
    StatementId statement = none;
    ExpressionId condition = none;  // true: the thread takes part (negated for the return form)
    bool returns = false;           // the `return` form
    VariableId index = none;        // the compared variable, if it is one
    ExpressionId index_expression = none;
    ExpressionId bound = none;
    bool inclusive = false;  // i <= bound takes part
    bool is_lower = false;   // bound < index (bound <= index) takes part: a constant lower bound
};
std::vector<BoundsGuard> bounds_guards(const SourceFile& source, FunctionId kernel);

// All statements below `root`, in program order, root included. All expressions of a statement (not of nested statements).
std::vector<StatementId> statements_below(const SourceFile& source, StatementId root);
std::vector<ExpressionId> expressions_of(const SourceFile& source, StatementId statement);
std::vector<ExpressionId> expressions_below(const SourceFile& source, ExpressionId root);

}  // namespace optiml::cuda_source
