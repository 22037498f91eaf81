#pragma once
// Helpers of the tests of this folder: PTX around a few statements, and instructions as short text.

#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ptx/parser.h"
#include "ptx/special_registers.h"

namespace optiml::ptx {

inline Module parsed(std::string_view text) {
    auto module = parse(text);
    EXPECT_TRUE(module) << module.error().text() << "\nin\n" << text;
    return module ? std::move(*module) : Module{};
}

// What stands before and around the statements of a kernel; every class of registers is declared as compilers name them.
inline std::string kernel_text(std::string_view body, std::string_view module_level = "") {
    return fmt::format(R"(.version 9.0
.target sm_90
.address_size 64
{}
.visible .entry k(.param .u64 k_param_0, .param .align 8 .b8 k_param_1[56], .param .u8 k_param_2)
{{
.reg .pred %p<10>; .reg .b16 %rs<100>; .reg .b32 %r<1000>; .reg .f32 %f<100>; .reg .f64 %fd<100>; .reg .b64 %rd<200>;
{}
}}
)",
                       module_level, body);
}

inline Module parsed_kernel(std::string_view body, std::string_view module_level = "") {
    return parsed(kernel_text(body, module_level));
}

inline std::string parse_error(std::string_view text) {
    const auto module = parse(text);
    return module ? "" : module.error().message;
}

class Describer {
public:
    Describer(const Module& module, const Function& function) : module_(module), function_(function) {}

    // "@!%p1 opcode destinations <- sources"
    std::string operator()(const Instruction& instruction) const {
        std::string text;
        if (instruction.guard != none) {
            text += fmt::format("@{}{} ", instruction.guard_negated ? "!" : "", function_.registers[instruction.guard].name);
        }
        text += instruction.text;
        for (const Operand& operand : instruction.destinations) text += " " + (*this)(operand);
        if (!instruction.destinations.empty()) text += " <-";
        for (const Operand& operand : instruction.sources) text += " " + (*this)(operand);
        return text;
    }

    std::string operator()(const Operand& operand) const {
        const auto number = static_cast<std::int64_t>(operand.bits);
        switch (operand.kind) {
            case OperandKind::none: return "nothing";
            case OperandKind::reg: return (operand.negated ? "!" : "") + function_.registers[operand.index].name;
            case OperandKind::immediate:
                return operand.float_immediate ? fmt::format("{:x}f", operand.bits) : std::to_string(number);
            case OperandKind::special: return std::string(name_of(operand.special));
            case OperandKind::symbol: return number == 0 ? symbol(operand) : fmt::format("{}{:+}", symbol(operand), number);
            case OperandKind::function: return module_.functions[operand.index].name + "()";
            case OperandKind::label: return fmt::format("L{}", operand.index);
            case OperandKind::sink: return "_";
            case OperandKind::prototype: return fmt::format("prototype{}", operand.index);
            case OperandKind::vector: return vector(operand);
            case OperandKind::address: return fmt::format("[{}{:+}]", base(operand), number);
        }
        return "";
    }

private:
    std::string symbol(const Operand& operand) const {
        return operand.local_symbol ? std::string(function_.symbol_name(operand.index)) : module_.variables[operand.index].name;
    }

    std::string base(const Operand& operand) const {
        if (operand.is_symbol) return symbol(operand);
        return operand.index == none ? "" : function_.registers[operand.index].name;
    }

    std::string vector(const Operand& operand) const {
        std::string text = "{";
        for (std::uint32_t i = 0; i < operand.count; ++i) {
            text += (i == 0 ? "" : ",") + (*this)(function_.operand_pool[operand.first + i]);
        }
        return text + "}";
    }

    const Module& module_;
    const Function& function_;
};

// One line an instruction, without the ret that the end adds.
inline std::string described(const Module& module, std::string_view function_name = "k") {
    std::string text;
    for (const Function& function : module.functions) {
        if (function.name != function_name || !function.has_body) continue;
        const Describer describe(module, function);
        for (const Instruction& instruction : function.instructions) text += describe(instruction) + "\n";
    }
    const std::string end = "ret\n";
    return text.ends_with(end) ? text.substr(0, text.size() - end.size()) : text;
}

}  // namespace optiml::ptx
