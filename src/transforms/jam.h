#pragma once
// Several elements computed side by side by one thread: what is the same for all of them is done once, and the rest in innermost loops
// over the elements (unroll and jam).
//
//     float sum = 0.0f;                               float sum[4];
//     for (c ...) sum += a[c] * b[f * n + c];   ->    for (e ...) sum[e] = 0.0f;
//     y[f] = sum;                                     for (c ...) for (e ...) { f = first + e; sum[e] += a[c] * b[f * n + c]; }
//                                                     for (e ...) { f = first + e; y[f] = sum[e]; }

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "transforms/rewrite.h"

namespace optiml::transforms {

class Jam {
public:
    // varying: what differs from element to element before the statements begin. All references must outlive this.
    Jam(const Context& context, std::size_t kernel, const KernelTree& tree, std::vector<cuda_source::StatementId> statements,
        const std::set<cuda_source::VariableId>& varying);

    // Whether the statements can be jammed: values that differ between elements are scalars of the statements' own, and nothing that
    // differs leaves a loop early.
    bool is_possible() const { return is_possible_; }
    // Some memory is read inside a loop at an address that is the same for all elements: then jamming saves loads.
    bool saves_loads() const;

    // Statements for `count` elements numbered by `element`. declarations: lines that give the varying variables their values for one
    // element; each is written where its variable is used.
    struct Declaration {
        cuda_source::VariableId variable = cuda_source::none;
        std::string text;
    };
    std::string text(SourceEdit& edit, const std::string& element, std::int64_t count, const std::vector<Declaration>& declarations) const;

private:
    using StatementIds = std::vector<cuda_source::StatementId>;

    bool mentions_varying(cuda_source::ExpressionId expression) const;
    bool has_varying_header(cuda_source::StatementId statement) const;
    bool is_leaf(cuda_source::StatementId statement) const;
    bool is_varying(cuda_source::StatementId statement) const;
    bool add_what_varies();
    bool check() const;
    bool check_leaf(cuda_source::StatementId statement) const;
    void find_expanded(const StatementIds& statements);
    void expand_used_outside(const StatementIds& run);
    StatementIds children_of(cuda_source::StatementId statement) const;

    struct Writing;
    std::string list_text(const StatementIds& statements, Writing& writing) const;
    std::string run_text(const StatementIds& run, Writing& writing) const;
    std::string control_text(cuda_source::StatementId statement, Writing& writing) const;

    const Context& context_;
    const cuda_source::SourceFile& source_;
    std::size_t kernel_;
    const KernelTree& tree_;
    StatementIds statements_;
    std::set<cuda_source::VariableId> given_;     // varying from the start
    std::set<cuda_source::VariableId> varying_;
    std::set<cuda_source::VariableId> expanded_;  // to arrays with one value an element
    bool is_possible_ = false;
};

}  // namespace optiml::transforms
