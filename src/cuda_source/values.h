#pragma once
// What integer expressions and pointers of one function are worth: single definitions followed, everything else symbols.

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "cuda_source/analysis.h"

namespace optiml::cuda_source {

// A memory location relative to the variable it was derived from.
struct Place {
    VariableId base = none;              // none: unknown
    Polynomial offset;                   // in innermost elements of the base
    bool known = false;                  // offset is right
    std::vector<Polynomial> subscripts;  // of an array of arrays, as far as it was subscripted
};

class Values {
public:
    Values(const SourceFile& source, FunctionId function);

    Polynomial polynomial(ExpressionId expression) const;
    Place lvalue(ExpressionId expression) const;  // where the object lies
    Place pointee(ExpressionId pointer) const;    // where the pointer (or array) points to

    // The value of a variable that has just one: its initializer or only assignment; none otherwise.
    ExpressionId definition(VariableId variable) const {
        const auto known = definitions_.find(variable);
        return known == definitions_.end() ? none : known->second;
    }
    StatementId statement_of(ExpressionId expression) const { return statement_of_[expression]; }
    bool is_inside(ExpressionId expression, StatementId statement) const;
    // Writes to the variable below the statement (its own header included).
    bool is_written_in(VariableId variable, StatementId statement) const;
    const std::vector<StatementId>& statements() const { return statements_; }
    const std::vector<ExpressionId>& expressions() const { return expressions_; }

    // Some symbol is the value of a load, a call or a variable that is written in several places.
    bool depends_on_data(const Polynomial& polynomial) const;
    // The symbol occurs in it, also inside of opaque expressions.
    bool depends_deeply_on(const Polynomial& polynomial, const Symbol& symbol) const;

    // How many innermost elements of the base an object of this type has; 0 if the sizes do not fit.
    std::int64_t elements_of(TypeId type, VariableId base) const;

private:
    struct Writes {
        std::vector<ExpressionId> expressions;  // assignments, steps, address taken
        bool address_taken = false;
    };

    void note_writes();
    void follow_definitions();
    ExpressionId single_value(VariableId variable) const;
    void number_pure_expressions();
    Polynomial compute(ExpressionId expression) const;
    Polynomial of_variable(ExpressionId expression) const;
    Polynomial of_binary(const Expression& expression, ExpressionId id) const;
    Polynomial of_cast(const Expression& expression, ExpressionId id) const;
    Polynomial opaque(ExpressionId expression) const;
    std::optional<std::string> pure_key(ExpressionId expression) const;
    std::string key(ExpressionId expression) const;
    bool is_iteration_value(VariableId variable, ExpressionId place) const;
    Place of_pointer_variable(VariableId variable) const;
    Place advanced(Place place, const Polynomial& count, TypeId element) const;

    const SourceFile& source_;
    std::vector<StatementId> statements_;
    std::vector<ExpressionId> expressions_;
    std::vector<StatementId> statement_of_;  // by expression; none outside of the function
    std::unordered_map<VariableId, Writes> writes_;
    std::unordered_map<VariableId, ExpressionId> definitions_;
    std::map<std::string, ExpressionId> numbers_;
    mutable std::unordered_map<ExpressionId, Polynomial> known_;
    mutable unsigned depth_ = 0;
};

}  // namespace optiml::cuda_source
