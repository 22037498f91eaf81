#include "ptx/normalize.h"

#include <iterator>

#include <fmt/format.h>

#include "ptx/parser.h"
#include "ptx/special_registers.h"

namespace optiml::ptx {
namespace {

constexpr std::string_view kSpaces[] = {"generic", "global", "shared", "local", "const", "param", "reg"};

class Printer {
public:
    explicit Printer(const Module& module) : module_(module) {}

    std::string run() {
        print("target {} {}\n", module_.target, module_.address_bits);
        for (const Variable& variable : module_.variables) {
            print("{} ", variable.name);
            print_variable(variable);
        }
        for (const Function& function : module_.functions) print_function(function);
        return std::move(text_);
    }

private:
    template <class... Arguments>
    void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    }

    void print_variable(const Variable& variable) {
        print("{} {} {} {}", kSpaces[static_cast<std::size_t>(variable.space)], name_of(variable.type), variable.alignment,
              variable.bytes);
        if (variable.is_extern) text_ += " extern";
        if (variable.managed) text_ += " managed";
        if (variable.initialized) text_ += " = ";
        for (const std::uint8_t byte : variable.initial) print("{:02x}", byte);
        for (const Variable::Relocation& relocation : variable.relocations) {
            print(" @{}:{} {}{}+{}", relocation.offset, relocation.size, relocation.generic ? "generic " : "", name_at(relocation),
                  relocation.addend);
        }
        text_ += '\n';
    }

    std::string_view name_at(const Variable::Relocation& relocation) const {
        return relocation.is_function ? std::string_view(module_.functions[relocation.index].name)
                                      : std::string_view(module_.variables[relocation.index].name);
    }

    void print_parameters(std::string_view title, const std::vector<Parameter>& parameters) {
        print("{}", title);
        for (const Parameter& parameter : parameters) {
            print(" ({} {} {} {})", name_of(parameter.type), parameter.alignment, parameter.bytes, parameter.pointer_alignment);
        }
        text_ += '\n';
    }

    void print_function(const Function& function) {
        print("{} {}{}{}\n", function.is_kernel ? "kernel" : "function", function.name, function.noreturn ? " noreturn" : "",
              function.has_body ? "" : " declared");
        print_parameters("parameters", function.parameters);
        print_parameters("returns", function.returns);
        print("bounds {} {} {} {} {}\n", fmt::join(function.max_threads, ","), fmt::join(function.required_threads, ","),
              fmt::join(function.cluster, ","), function.min_blocks_per_sm, function.max_registers);
        for (std::uint32_t i = 0; i < function.variables.size(); ++i) print_variable(function.variables[i]);
        for (std::uint32_t i = 0; i < function.prototypes.size(); ++i) {
            print_parameters("prototype", function.prototypes[i]);
            print_parameters("gives", function.prototype_returns[i]);
        }
        print_body(function);
    }

    void print_body(const Function& function) {
        auto pragma = function.pragmas.begin();
        for (std::uint32_t block = 0; block < function.blocks.size(); ++block) {
            print("L{}:\n", block);
            for (std::uint32_t i = function.blocks[block].first; i < function.blocks[block].last; ++i) {
                for (; pragma != function.pragmas.end() && pragma->instruction <= i; ++pragma) print("pragma {}\n", pragma->text);
                print_instruction(function, function.instructions[i]);
            }
        }
    }

    void print_instruction(const Function& function, const Instruction& instruction) {
        if (instruction.guard != none) {
            print("@{}", instruction.guard_negated ? "!" : "");
            print_register(function, instruction.guard);
            text_ += ' ';
        }
        text_ += instruction.text;
        for (const Operand& operand : instruction.destinations) print_operand(function, operand);
        if (!instruction.destinations.empty()) text_ += " <-";
        for (const Operand& operand : instruction.sources) print_operand(function, operand);
        if (!instruction.operand_text.empty()) print(" {}", instruction.operand_text);
        text_ += '\n';
    }

    void print_register(const Function& function, std::uint32_t index) {
        print("%{}_{}", name_of(function.registers[index].type), index);
    }

    void print_symbol(const Operand& operand) {
        if (operand.local_symbol) {
            print("${}", operand.index);
        } else {
            print("{}", module_.variables[operand.index].name);
        }
    }

    void print_operand(const Function& function, const Operand& operand) {
        text_ += operand.negated ? " !" : " ";
        switch (operand.kind) {
            case OperandKind::none: break;
            case OperandKind::reg: print_register(function, operand.index); break;
            case OperandKind::immediate: print("{:#x}{}", operand.bits, operand.float_immediate ? "f" : ""); break;
            case OperandKind::special: print("{}", name_of(operand.special)); break;
            case OperandKind::function: print("{}", module_.functions[operand.index].name); break;
            case OperandKind::label: print("L{}", operand.index); break;
            case OperandKind::sink: text_ += '_'; break;
            case OperandKind::prototype: print("prototype{}", operand.index); break;
            case OperandKind::symbol:
                print_symbol(operand);
                print("+{}", operand.bits);
                break;
            case OperandKind::vector: print_vector(function, operand); break;
            case OperandKind::address: print_address(function, operand); break;
        }
    }

    void print_vector(const Function& function, const Operand& vector) {
        text_ += '{';
        for (std::uint32_t i = 0; i < vector.count; ++i) print_operand(function, function.operand_pool[vector.first + i]);
        text_ += '}';
    }

    void print_address(const Function& function, const Operand& address) {
        text_ += '[';
        if (address.is_symbol) {
            print_symbol(address);
        } else if (address.index != none) {
            print_register(function, address.index);
        }
        print("+{}]", address.bits);
    }

    const Module& module_;
    std::string text_;
};

}  // namespace

std::string normalized_text(const Module& module) { return Printer(module).run(); }

std::string normalized_text(std::string_view ptx) {
    const auto module = parse(ptx);
    return module ? normalized_text(*module) : std::string(ptx);
}

}  // namespace optiml::ptx
