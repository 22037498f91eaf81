#pragma once
// Names of one function by nested scope. Registers come into being when they are first used, in order of appearance: a block
// `.reg .b32 %r<47>` costs nothing, and equal code gets equal register numbers whatever the compiler called them.

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/module.h"

namespace optiml::ptx {

struct Symbol {
    enum class Kind : std::uint8_t { reg, local, module_variable, function, prototype, branch_targets };
    Kind kind = Kind::reg;
    std::uint32_t index = none;  // reg: none until used; local: see Function::symbol_count
    Type type = Type::none;      // reg
};

class Scopes {
public:
    explicit Scopes(Function& function) : function_(function) { open(); }

    void open();
    // False at the outermost scope, which stays.
    bool close();
    std::size_t depth() const { return open_.size(); }

    // False if the innermost scope has the name already.
    bool declare(std::string_view name, Symbol symbol);
    // `prefix<count>`: prefix0 .. prefix(count-1).
    void declare_registers(std::string_view prefix, std::uint64_t count, Type type);
    // Innermost first; nullptr: not declared in this function.
    const Symbol* find(std::string_view name);

    // Labels may be used before they stand; a scope sees its own and those around it.
    bool declare_label(std::string_view name, std::uint32_t instruction);
    std::uint32_t current() const { return open_.back().id; }
    // The instruction behind the label as seen from a scope; none: no such label.
    std::uint32_t find_label(std::string_view name, std::uint32_t from_scope) const;

private:
    struct RegisterBlock {
        std::string_view prefix;
        std::uint64_t count;
        Type type;
    };
    struct OpenScope {
        std::uint32_t id;
        std::unordered_map<std::string_view, Symbol> names;
        std::vector<RegisterBlock> blocks;
    };
    struct Label {
        std::uint32_t scope;
        std::uint32_t instruction;
    };

    Symbol* find_in(OpenScope& scope, std::string_view name);

    Function& function_;
    std::vector<OpenScope> open_;
    std::vector<std::uint32_t> parents_;  // by scope id, also of closed scopes
    std::unordered_map<std::string_view, std::vector<Label>> labels_;
};

}  // namespace optiml::ptx
