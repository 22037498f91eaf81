#pragma once
// For tests and benchmarks: one PTX instruction with rows of its own, run at any level.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emulator/arithmetic/level.h"
#include "emulator/lanes.h"
#include "ptx/parser.h"

namespace optiml::emulator {

using Lanes = std::array<std::uint64_t, kLanes>;  // of a predicate: 0 or 1

// Registers %p0-%p9 (pred), %b (b8), %h (b16), %r (b32), %d (b64) and %q (b128), numbered alike, are declared.
class LaneRows {
public:
    // Nothing if the text does not parse.
    static std::optional<LaneRows> parse(const std::string& text) {
        auto module = ptx::parse(
            ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry one() {\n"
            ".reg .pred %p<10>; .reg .b8 %b<10>; .reg .b16 %h<10>; .reg .b32 %r<10>; .reg .b64 %d<10>; .reg .b128 %q<10>;\n" + text + "\nret;\n}\n");
        if (!module) return std::nullopt;
        LaneRows rows;
        rows.function_ = std::move(module->functions.at(0));
        for (const ptx::Register& declared : rows.function_.registers) rows.registers_.push_back(Storage{.words = {}, .width = row_width(declared.type)});
        rows.bind(rows.instruction().destinations, rows.destinations_);
        rows.bind(rows.instruction().sources, rows.sources_);
        for (std::size_t source = 0; source < rows.sources_.size(); ++source) rows.materialize(source);
        return rows;
    }

    const ptx::Function& function() const { return function_; }
    const ptx::Instruction& instruction() const { return function_.instructions.front(); }
    LaneFunction find(Level level) const { return find_lane_function(level, function_, instruction()); }

    std::size_t source_count() const { return sources_.size(); }
    std::size_t destination_count() const { return destinations_.size(); }
    // Values of an operand that is a register.
    void set_source(std::size_t index, const Lanes& values) { set(registers_[sources_[index]], values); }
    void set_destination(std::size_t index, const Lanes& values) { set(registers_[destinations_[index]], values); }
    Lanes source(std::size_t index) const { return get(registers_[sources_[index]]); }
    Lanes destination(std::size_t index) const { return get(registers_[destinations_[index]]); }
    std::uint32_t destination_width(std::size_t index) const { return registers_[destinations_[index]].width; }
    bool is_sink(std::size_t index) const { return destinations_[index] == kSink; }
    // Every source register whose name ends with that digit.
    void set_numbered(int digit, const Lanes& values) {
        for (const std::uint32_t index : sources_)
            if (index < function_.registers.size() && function_.registers[index].name.back() == '0' + digit) set(registers_[index], values);
    }

    LaneMask carry = 0;

    LaneOperands operands() {
        LaneOperands operands;
        for (const std::uint32_t index : destinations_) operands.destinations[operands.destination_count++] = row(index);
        for (const std::uint32_t index : sources_) operands.sources[operands.source_count++] = row(index);
        for (std::size_t source = 0; source < instruction().sources.size(); ++source)
            if (instruction().sources[source].negated) operands.source_negated |= 1u << source;
        operands.carry = &carry;
        operands.modifiers = &instruction().modifiers;
        return operands;
    }
    void run(LaneFunction lane_function, LaneMask active = ~LaneMask{0}) { lane_function(operands(), active); }

private:
    static constexpr std::uint32_t kSink = ~std::uint32_t{0};
    struct alignas(64) Storage {
        std::uint32_t words[4 * kLanes];
        std::uint32_t width = 32;
    };

    // Immediates get rows behind the registers'.
    void bind(const std::vector<ptx::Operand>& operands, std::vector<std::uint32_t>& rows) {
        for (const ptx::Operand& operand : operands) {
            const bool is_vector = operand.kind == ptx::OperandKind::vector;
            for (std::uint32_t element = 0; element < (is_vector ? operand.count : 1); ++element)
                bind_one(is_vector ? function_.operand_pool[operand.first + element] : operand, rows);
        }
    }
    void bind_one(const ptx::Operand& operand, std::vector<std::uint32_t>& rows) {
        if (operand.kind == ptx::OperandKind::reg) return rows.push_back(operand.index);
        if (operand.kind == ptx::OperandKind::sink) return rows.push_back(kSink);
        rows.push_back(static_cast<std::uint32_t>(registers_.size()));
        registers_.push_back(Storage{.words = {}, .width = 0});
        immediates_.push_back(operand.bits);
    }
    void materialize(std::size_t source) {
        Storage& storage = registers_[sources_[source]];
        if (storage.width != 0) return;
        storage.width = source_width(function_, instruction(), static_cast<std::uint32_t>(source));
        Lanes values;
        values.fill(immediates_[sources_[source] - function_.registers.size()]);
        set(storage, values);
    }
    Row row(std::uint32_t index) {
        return index == kSink ? Row{} : Row{.data = registers_[index].words, .width = registers_[index].width};
    }
    // A 128-bit register gets the value in both halves; its lower half is read.
    static void set(Storage& storage, const Lanes& values) {
        if (storage.width == 1) storage.words[0] = 0;
        for (int lane = 0; lane < kLanes; ++lane) {
            const auto low = static_cast<std::uint32_t>(values[lane]), high = static_cast<std::uint32_t>(values[lane] >> 32);
            switch (storage.width) {
                case 1: storage.words[0] |= (low & 1) << lane; break;
                case 8: storage.words[lane] = low & 0xff; break;
                case 16: storage.words[lane] = low & 0xffff; break;
                case 64: storage.words[2 * lane] = low; storage.words[2 * lane + 1] = high; break;
                case 128:
                    for (int half = 0; half < 2; ++half) {
                        storage.words[4 * lane + 2 * half] = low;
                        storage.words[4 * lane + 2 * half + 1] = high;
                    }
                    break;
                default: storage.words[lane] = low;
            }
        }
    }
    static Lanes get(const Storage& storage) {
        Lanes values;
        for (int lane = 0; lane < kLanes; ++lane) {
            switch (storage.width) {
                case 1: values[lane] = storage.words[0] >> lane & 1; break;
                case 64: values[lane] = std::uint64_t{storage.words[2 * lane + 1]} << 32 | storage.words[2 * lane]; break;
                case 128: values[lane] = std::uint64_t{storage.words[4 * lane + 1]} << 32 | storage.words[4 * lane]; break;
                default: values[lane] = storage.words[lane];
            }
        }
        return values;
    }

    ptx::Function function_;
    std::vector<Storage> registers_;  // by register index, then one for each immediate
    std::vector<std::uint64_t> immediates_;
    std::vector<std::uint32_t> destinations_;
    std::vector<std::uint32_t> sources_;
};

}  // namespace optiml::emulator
