#pragma once
// For tests: straight-line PTX in the wider value domain, as the executor runs it. Registers are named in the text; their values are
// set and read by name.

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "emulator/arithmetic/level.h"
#include "ptx/parser.h"

namespace optiml::emulator {

class WideProgram {
public:
    WideProgram(const std::string& declarations, const std::string& body, Level level = best_level()) : level_(level) {
        auto module = ptx::parse(".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry one() {\n" + declarations + "\n" + body +
                                 "\nret;\n}\n");
        if (!module) {
            error = module.error().text();
            return;
        }
        function_ = std::move(module->functions.at(0));
        for (const ptx::Register& declared : function_.registers) registers_.push_back({.width = row_width(declared.type)});
    }

    std::string error;  // of the parser, or an instruction without a lane function

    void set_bits(const std::string& name, std::uint64_t bits) {
        Values& values = named(name);
        for (int lane = 0; lane < kLanes; ++lane) write(values, lane, bits);
    }
    void set_single(const std::string& name, float value) { set_bits(name, std::bit_cast<std::uint32_t>(value)); }
    void set_double(const std::string& name, double value) { set_bits(name, std::bit_cast<std::uint64_t>(value)); }
    void set_shadow(const std::string& name, double high, double low = 0) {
        Values& values = named(name);
        for (int lane = 0; lane < kLanes; ++lane) {
            values.high[lane] = high;
            values.low[lane] = low;
        }
        values.valid = ~LaneMask{0};
    }

    void run() {
        for (const ptx::Instruction& instruction : function_.instructions)
            if (instruction.opcode != ptx::Opcode::ret && error.empty()) step(instruction);
    }

    float single(const std::string& name) { return std::bit_cast<float>(named(name).words[7]); }
    double real(const std::string& name) {
        const Values& values = named(name);
        return std::bit_cast<double>(std::uint64_t{values.words[15]} << 32 | values.words[14]);
    }
    bool has_shadow(const std::string& name) { return (named(name).valid >> 7 & 1) != 0; }
    // The wider value in lane 7; of f32 or f64 without a shadow, that of the bits.
    double wide_single(const std::string& name) { return has_shadow(name) ? named(name).high[7] : single(name); }
    long double wide_real(const std::string& name) {
        const Values& values = named(name);
        return has_shadow(name) ? static_cast<long double>(values.high[7]) + values.low[7] : static_cast<long double>(real(name));
    }

private:
    struct alignas(64) Values {
        std::uint32_t words[2 * kLanes] = {};
        double high[kLanes] = {};
        double low[kLanes] = {};
        LaneMask valid = 0;
        std::uint32_t width = 32;
    };

    Values& named(const std::string& name) {
        for (std::size_t index = 0; index < registers_.size(); ++index)
            if (function_.registers[index].name == name) return registers_[index];
        error = "no register " + name;
        return nothing_;
    }
    static void write(Values& values, int lane, std::uint64_t bits) {
        if (values.width == 1) {
            values.words[0] = (bits & 1) != 0 ? ~0u : 0;
        } else if (values.width == 64) {
            values.words[2 * lane] = static_cast<std::uint32_t>(bits);
            values.words[2 * lane + 1] = static_cast<std::uint32_t>(bits >> 32);
        } else {
            values.words[lane] = static_cast<std::uint32_t>(bits);
        }
    }

    std::vector<ptx::Operand> flattened(const std::vector<ptx::Operand>& operands) const {
        std::vector<ptx::Operand> flat;
        for (const ptx::Operand& operand : operands) {
            if (operand.kind != ptx::OperandKind::vector) flat.push_back(operand);
            else for (std::uint32_t element = 0; element < operand.count; ++element) flat.push_back(function_.operand_pool[operand.first + element]);
        }
        return flat;
    }

    void step(const ptx::Instruction& instruction) {
        const LaneFunction compute = find_lane_function(level_, function_, instruction);
        if (compute == nullptr) {
            error = "not emulated: " + instruction.text;
            return;
        }
        LaneOperands operands;
        ShadowOperands shadows;
        operands.modifiers = &instruction.modifiers;
        std::vector<Values> sources(kMaxSources);  // as they were before
        for (const ptx::Operand& operand : flattened(instruction.sources)) {
            Values& copy = sources[operands.source_count];
            if (operand.kind == ptx::OperandKind::reg) copy = registers_[operand.index];
            else copy.width = source_width(function_, instruction, operands.source_count);
            if (operand.kind == ptx::OperandKind::immediate)
                for (int lane = 0; lane < kLanes; ++lane) write(copy, lane, operand.bits);
            if (operand.negated) operands.source_negated |= 1u << operands.source_count;
            operands.sources[operands.source_count] = {.data = copy.words, .width = copy.width};
            shadows.sources[operands.source_count++] = {.high = copy.high, .low = copy.low, .valid = &copy.valid};
        }
        std::vector<Values*> destinations;
        for (const ptx::Operand& operand : flattened(instruction.destinations)) {
            const bool is_register = operand.kind == ptx::OperandKind::reg;
            Values& values = is_register ? registers_[operand.index] : nothing_;
            destinations.push_back(&values);
            operands.destinations[operands.destination_count] = {.data = is_register ? values.words : nullptr, .width = values.width};
            shadows.destinations[operands.destination_count++] = {.high = values.high, .low = values.low, .valid = &values.valid};
        }
        compute(operands, ~LaneMask{0});
        if (const ShadowFunction shadow = find_shadow_function(level_, function_, instruction)) shadow(operands, shadows, ~LaneMask{0});
        else for (Values* values : destinations) values->valid = 0;
    }

    Level level_;
    ptx::Function function_;
    std::vector<Values> registers_;
    Values nothing_;
};

}  // namespace optiml::emulator
