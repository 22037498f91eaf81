#pragma once
// The body of one function: statements (function_parser.cpp), instructions (instructions.cpp), operands (operands.cpp).

#include <string>
#include <string_view>
#include <vector>

#include "ptx/cursor.h"
#include "ptx/module.h"
#include "ptx/module_names.h"
#include "ptx/scopes.h"

namespace optiml::ptx {

class FunctionParser {
public:
    // parameters and returns are those of the header; function has them already.
    FunctionParser(Cursor& cursor, ModuleNames& names, Function& function, const std::vector<DeclaredParameter>& returns,
                   const std::vector<DeclaredParameter>& parameters);

    // From the opening brace to the closing one; fills all of the function but what its header says.
    void parse_body();

private:
    struct LabelReference {
        std::uint32_t instruction;
        std::uint32_t source;  // of the instruction, or of the operand pool
        bool in_pool;
        std::string_view name;
        std::uint32_t scope;
        std::uint32_t line;
    };
    struct BranchTargets {
        std::vector<std::string_view> labels;
        std::uint32_t scope;
    };

    // function_parser.cpp
    void declare_parameters(const std::vector<DeclaredParameter>& parameters, std::vector<Parameter>& places);
    void declare(std::string_view name, Symbol symbol);
    void statement();
    void directive();
    void registers();
    void variables(Space space, bool is_extern);
    void pragma();
    void label(std::string_view name);
    void prototype(std::string_view name);
    void branch_targets(std::string_view name);
    void finish(std::uint32_t line);
    bool resolve_labels(std::uint32_t end);  // whether one stands at the end

    // instructions.cpp
    void instruction();
    void guard(Instruction& result);
    void unknown_instruction(Instruction& result);
    void ordinary_operands(Instruction& result);
    void call_operands(Instruction& result);
    void call_target(Instruction& result);
    void parenthesised(std::vector<Operand>& operands);
    void branch_operands(Instruction& result);
    void indexed_branch_operands(Instruction& result);

    // operands.cpp
    void operand(std::vector<Operand>& operands);
    void address(std::vector<Operand>& operands);
    Operand vector();
    Operand simple_operand();
    Operand named_operand();
    Operand special_register(std::string_view name);
    Operand negated_predicate();
    Operand literal();
    Operand float_literal();
    std::uint64_t optional_offset();

    Cursor& cursor_;
    ModuleNames& names_;
    Function& function_;
    Scopes scopes_;
    PlaceTracker places_;
    std::vector<LabelReference> label_references_;
    std::vector<BranchTargets> branch_targets_;
    Type literal_type_ = Type::none;        // of the instruction being parsed: gives decimal literals their width
    std::string_view meaningless_special_;  // a special register in it that has no meaning here
};

}  // namespace optiml::ptx
