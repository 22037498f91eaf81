#pragma once
// One access, executed: its thread, its iterations and its element as variables and constraints of a System.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cuda_source/dependence.h"
#include "cuda_source/presburger.h"
#include "cuda_source/values.h"

namespace optiml::cuda_source {

// The place in a linear index where the stride is one product of sizes: index = sum of stride * value.
struct Coordinate {
    std::vector<Symbol> stride;
    Polynomial value;
};

// What does not change from one question to the next.
struct KernelModel {
    KernelModel(const SourceFile& source, const KernelFacts& facts, const LaunchShape& shape);

    // Extents of the launch put in; where a block extent is unknown, blockIdx*blockDim + threadIdx becomes one symbol
    // (global_index).
    Polynomial reduced(const Polynomial& polynomial) const;
    static Symbol global_index(std::uint8_t axis);
    static Symbol thread(std::uint8_t axis) { return Symbol::of_builtin(BuiltinIndex::thread_idx, axis); }
    static Symbol block(std::uint8_t axis) { return Symbol::of_builtin(BuiltinIndex::block_idx, axis); }

    bool is_parameter(const Symbol& symbol) const;  // the same for all threads and iterations
    bool depends_on_parameters_only(const Polynomial& polynomial) const;
    const GeometricLoop* geometric_loop_at(StatementId statement) const;
    VariableId loop_variable(StatementId loop) const;  // of a counting or geometric loop; none otherwise

    // The index taken apart by strides, those of fewer factors first.
    std::vector<Coordinate> coordinates(const Polynomial& index) const;

    const SourceFile& source;
    const KernelFacts& facts;
    LaunchShape shape;
    Values values;
};

Polynomial product_of(const std::vector<Symbol>& symbols);
// The larger product without the factors of the smaller; nullopt if one is missing.
std::optional<std::vector<Symbol>> quotient(std::vector<Symbol> larger, const std::vector<Symbol>& smaller);

class Instance {
public:
    // Adds the variables and constraints of a reach of the access to the system, names ending in `suffix`.
    Instance(const KernelModel& model, System& system, const Access& access, std::string suffix);

    // isl text; nullopt if the polynomial is not affine.
    std::optional<std::string> affine(const Polynomial& polynomial);
    // Variables of thread and block coordinates, for "the same thread": {"bx1", "tx1", ...}.
    const std::vector<std::string>& thread_coordinates() const { return thread_; }
    const std::vector<std::string>& block_coordinates() const { return block_; }
    // The loop's variable, if it has one.
    std::optional<std::string> loop_variable(StatementId loop) const;
    // False: the constraints let more through than the program does, so that only "empty" is sure.
    bool is_exact() const { return exact_; }
    const Access& access() const { return access_; }

    // A loop that strides over all threads: equal variables mean equal thread coordinates.
    struct ThreadStride {
        StatementId loop = none;
        std::string variable;
        Polynomial offset;  // same for all threads
        Polynomial step;
        std::vector<std::string> owners;  // coordinates that are equal then
    };
    const std::vector<ThreadStride>& thread_strides() const { return strides_; }

private:
    void add_thread_coordinates();
    void add_loop(StatementId loop);
    void add_counting_loop(const CanonicalLoop& loop);
    void add_symbolic_step(const CanonicalLoop& loop, const std::string& variable, const Polynomial& first, const Polynomial& step);
    void add_condition(ExpressionId condition, bool wanted);
    std::optional<std::string> condition_text(ExpressionId condition, bool wanted);
    std::optional<std::string> name_of(const Symbol& symbol);
    std::optional<std::string> parameter_name(const std::vector<Symbol>& product);
    std::optional<std::string> opaque_name(const Symbol& symbol);
    bool define_opaque(const Expression& expression, const std::string& name);
    std::string new_variable(std::string name);

    const KernelModel& model_;
    System& system_;
    const Access& access_;
    std::string suffix_;
    bool exact_ = true;
    std::vector<std::string> thread_;
    std::vector<std::string> block_;
    std::map<Symbol, std::string> names_;
    std::map<StatementId, std::string> loop_variables_;
    std::vector<ThreadStride> strides_;
    unsigned depth_ = 0;
};

}  // namespace optiml::cuda_source
