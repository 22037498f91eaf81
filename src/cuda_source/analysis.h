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
        builtin,    // threadIdx.x ... : builtin, axis
        variable,   // a loop variable, a parameter, or a local that could not be replaced by its definition: variable
        opaque,     // an expression we cannot see into (a load, a call): expression
    } kind = Kind::variable;
    BuiltinIndex builtin = BuiltinIndex::thread_idx;
    std::uint8_t axis = 0;
    VariableId variable = none;
    ExpressionId expression = none;
    auto operator<=>(const Symbol&) const = default;
};

// A polynomial with integer coefficients over symbols: sum of coefficient * product of symbols (sorted, with repetition).
// `blockIdx.x * blockDim.x + threadIdx.x` is two terms. Division and modulo make their operand opaque.
struct Polynomial {
    std::map<std::vector<Symbol>, std::int64_t> terms;  // {} is the constant term; no zero coefficients

    bool operator==(const Polynomial&) const = default;
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
    ExpressionId expression = none;       // the subscript or dereference
    StatementId statement = none;         // innermost statement that holds it
    VariableId base = none;               // pointer parameter, array, or local pointer's root (pointers derived by offset are followed)
    bool reads = false;
    bool writes = false;
    bool atomic = false;                  // argument of an atomic function
    Polynomial index;                     // elements of the base, all local definitions followed
    bool index_known = false;             // false: depends on data or could not be followed to the base
    std::vector<StatementId> loops;       // enclosing loops, outermost first
    std::vector<ExpressionId> conditions; // enclosing if conditions (negated ones by the else branch are marked in `negated`)
    std::vector<bool> negated;
};

// for (T v = first; v < bound; v += step) with v otherwise unwritten in the body.
struct CanonicalLoop {
    StatementId statement = none;
    VariableId variable = none;
    ExpressionId first = none;
    ExpressionId bound = none;
    std::string comparison;               // "<" "<=" ">" ">=" "!="
    std::optional<std::int64_t> step;     // constant step (negative for --); nullopt: step_expression
    ExpressionId step_expression = none;
    StatementId body = none;
    std::optional<std::int64_t> trip_count;  // where all is constant
    bool has_break = false;               // break, return or goto leaves it early
    bool has_barrier = false;
};

struct KernelFacts {
    FunctionId function = none;
    std::vector<Access> accesses;         // global, shared, constant and local arrays, in program order
    std::vector<CanonicalLoop> loops;     // canonical ones, in program order
    std::vector<StatementId> other_loops; // the rest
    bool has_barrier = false;             // __syncthreads or the like, also in callees of this file
    bool has_warp_primitives = false;
    bool has_atomics = false;
    bool has_inline_assembly = false;
    bool calls_unknown = false;           // a call that we cannot see into and that is not a known pure function
    bool uses_dynamic_shared = false;

    const CanonicalLoop* loop_at(StatementId statement) const;
};

KernelFacts analyze(const SourceFile& source, FunctionId kernel);

// The value of an integer expression at its place as a polynomial (locals with a single definition are followed).
Polynomial polynomial_of(const SourceFile& source, FunctionId kernel, ExpressionId expression);

// if (i >= n) return;   as the kernel's first statements, or the whole body inside if (i < n): the guard that bounds thread indices.
struct BoundsGuard {
    StatementId statement = none;
    ExpressionId condition = none;  // true: the thread takes part (negated for the return form)
    bool returns = false;           // the `return` form
    VariableId index = none;        // the compared variable, if it is one
    ExpressionId bound = none;
};
std::vector<BoundsGuard> bounds_guards(const SourceFile& source, FunctionId kernel);

// All statements below `root`, in program order, root included. All expressions of a statement (not of nested statements).
std::vector<StatementId> statements_below(const SourceFile& source, StatementId root);
std::vector<ExpressionId> expressions_of(const SourceFile& source, StatementId statement);
std::vector<ExpressionId> expressions_below(const SourceFile& source, ExpressionId root);

}  // namespace optiml::cuda_source
