#include "ptx/function_parser.h"

#include <fmt/format.h>

#include "ptx/control_flow.h"

namespace optiml::ptx {

FunctionParser::FunctionParser(Cursor& cursor, ModuleNames& names, Function& function,
                               const std::vector<DeclaredParameter>& returns, const std::vector<DeclaredParameter>& parameters)
    : cursor_(cursor), names_(names), function_(function), scopes_(function), places_(names.files) {
    declare_parameters(parameters, function.parameters);
    declare_parameters(returns, function.returns);
}

void FunctionParser::declare_parameters(const std::vector<DeclaredParameter>& parameters, std::vector<Parameter>& places) {
    const std::uint32_t first = &places == &function_.parameters ? 0 : static_cast<std::uint32_t>(function_.parameters.size());
    for (std::uint32_t i = 0; i < parameters.size(); ++i) {
        if (!parameters[i].in_register) {
            declare(parameters[i].name, {Symbol::Kind::local, first + i, Type::none});
            continue;
        }
        places[i].register_index = static_cast<std::uint32_t>(function_.registers.size());
        function_.registers.push_back({places[i].name, places[i].type});
        declare(parameters[i].name, {Symbol::Kind::reg, places[i].register_index, places[i].type});
    }
}

void FunctionParser::declare(std::string_view name, Symbol symbol) {
    if (!scopes_.declare(name, symbol)) cursor_.fail(fmt::format("'{}' is declared twice", name));
}

void FunctionParser::parse_body() {
    cursor_.expect('{');
    while (!cursor_.at_end()) {
        const std::uint32_t line = cursor_.peek().line;
        if (cursor_.accept('{')) {
            scopes_.open();
        } else if (cursor_.accept('}')) {
            if (!scopes_.close()) return finish(line);
        } else {
            statement();
        }
    }
    cursor_.fail_unexpected("'}'");
}

void FunctionParser::statement() {
    if (cursor_.accept(';')) return;
    const Token& token = cursor_.peek();
    if (token.kind == TokenKind::dot_word) return directive();
    if (token.kind == TokenKind::word && cursor_.peek(1).is(':')) {
        cursor_.take();
        cursor_.take();
        return label(token.text);
    }
    instruction();
}

void FunctionParser::directive() {
    const bool is_extern = cursor_.accept_dot_word(".extern");
    if (cursor_.accept_dot_word(".reg")) return registers();
    if (cursor_.accept_dot_word(".param")) return variables(Space::param, is_extern);
    if (cursor_.accept_dot_word(".shared")) return variables(Space::shared, is_extern);
    if (cursor_.accept_dot_word(".local")) return variables(Space::local, is_extern);
    if (cursor_.accept_dot_word(".global")) return variables(Space::global, is_extern);
    if (cursor_.accept_dot_word(".const")) return variables(Space::constant, is_extern);
    if (cursor_.accept_dot_word(".loc")) return places_.parse_loc(cursor_);
    if (cursor_.accept_dot_word(".file")) return names_.files.parse_file(cursor_);
    if (cursor_.accept_dot_word(".pragma")) return pragma();
    cursor_.fail_unexpected("a directive");
}

// `.reg .b32 %r<47>;` `.reg .f16 low, high;`
void FunctionParser::registers() {
    const Type type = parse_type(cursor_);
    do {
        const std::string_view name = cursor_.expect_word("a register's name");
        if (cursor_.accept('<')) {
            scopes_.declare_registers(name, cursor_.expect_integer("a number of registers"), type);
            cursor_.expect('>');
        } else {
            declare(name, {Symbol::Kind::reg, none, type});
        }
    } while (cursor_.accept(','));
    cursor_.expect(';');
}

// Global and constant variables live as long as the module; only their names are local.
void FunctionParser::variables(Space space, bool is_extern) {
    for (DeclaredVariable& declared : parse_variables(cursor_, space, is_extern)) {
        const std::string_view name = declared.name;
        if (space == Space::global || space == Space::constant) {
            declare(name, {Symbol::Kind::module_variable, names_.add_variable(std::move(declared)), Type::none});
            continue;
        }
        if (declared.variable.initialized) return cursor_.fail("only .global and .const variables have initial values");
        declare(name, {Symbol::Kind::local, function_.symbol_count(), Type::none});
        function_.variables.push_back(std::move(declared.variable));
    }
}

void FunctionParser::pragma() {
    do {
        if (cursor_.peek().kind != TokenKind::string) return cursor_.fail_unexpected("a string");
        function_.pragmas.push_back({static_cast<std::uint32_t>(function_.instructions.size()), std::string(cursor_.take().text)});
    } while (cursor_.accept(','));
    cursor_.expect(';');
}

void FunctionParser::label(std::string_view name) {
    if (cursor_.accept_dot_word(".callprototype")) return prototype(name);
    if (cursor_.accept_dot_word(".branchtargets")) return branch_targets(name);
    if (cursor_.accept_dot_word(".calltargets")) return cursor_.skip_statement();
    if (!scopes_.declare_label(name, static_cast<std::uint32_t>(function_.instructions.size()))) {
        cursor_.fail(fmt::format("label '{}' stands twice in one scope", name));
    }
}

// `.callprototype (.param .b32 _) _ (.param .b64 _);`
void FunctionParser::prototype(std::string_view name) {
    const auto plain = [&] {
        std::vector<Parameter> parameters;
        if (!cursor_.peek().is('(')) return parameters;
        for (DeclaredParameter& declared : parse_parameters(cursor_)) parameters.push_back(std::move(declared.parameter));
        return parameters;
    };
    declare(name, {Symbol::Kind::prototype, static_cast<std::uint32_t>(function_.prototypes.size()), Type::none});
    function_.prototype_returns.push_back(plain());
    cursor_.expect_word("'_'");
    function_.prototypes.push_back(plain());
    cursor_.skip_statement();  // .noreturn, .abi_preserve
}

void FunctionParser::branch_targets(std::string_view name) {
    declare(name, {Symbol::Kind::branch_targets, static_cast<std::uint32_t>(branch_targets_.size()), Type::none});
    BranchTargets targets;
    targets.scope = scopes_.current();
    do {
        targets.labels.push_back(cursor_.expect_word("a label"));
    } while (cursor_.accept(','));
    cursor_.expect(';');
    branch_targets_.push_back(std::move(targets));
}

// Control that reaches the closing brace returns; an instruction says so, for labels there to have a target.
void FunctionParser::finish(std::uint32_t line) {
    const auto end = static_cast<std::uint32_t>(function_.instructions.size());
    const bool end_is_target = resolve_labels(end);
    if (end == 0 || end_is_target || falls_through(function_.instructions.back())) {
        Instruction& instruction = function_.instructions.emplace_back();
        instruction.opcode = Opcode::ret;
        instruction.text = "ret";
        instruction.ptx_line = line;
    }
    if (!cursor_.failed()) build_control_flow(function_);
}

bool FunctionParser::resolve_labels(std::uint32_t end) {
    bool end_is_target = false;
    for (const LabelReference& reference : label_references_) {
        const std::uint32_t target = scopes_.find_label(reference.name, reference.scope);
        if (target == none) {
            cursor_.fail(fmt::format("label '{}' of line {} is not defined", reference.name, reference.line));
            return false;
        }
        Operand& operand = reference.in_pool ? function_.operand_pool[reference.source]
                                             : function_.instructions[reference.instruction].sources[reference.source];
        operand.index = target;
        end_is_target = end_is_target || target == end;
    }
    return end_is_target;
}

}  // namespace optiml::ptx
