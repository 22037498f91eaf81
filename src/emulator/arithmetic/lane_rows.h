#pragma once
// For tests and benchmarks: one instruction with rows of its own, run at any level.

#include <array>
#include <cstdint>
#include <vector>

#include "emulator/arithmetic/level.h"
#include "emulator/lanes.h"

namespace optiml::emulator {

using Lanes = std::array<std::uint64_t, kLanes>;  // a predicate: 0 or 1

class LaneRows {
public:
    // One instruction over registers of these types.
    LaneRows(ptx::Instruction instruction, const std::vector<ptx::Type>& destinations, const std::vector<ptx::Type>& sources)
        : instruction_(std::move(instruction)) {
        for (const ptx::Type type : destinations) add(type, destinations_, instruction_.destinations);
        for (const ptx::Type type : sources) add(type, sources_, instruction_.sources);
    }
    LaneRows(const LaneRows&) = delete;
    LaneRows& operator=(const LaneRows&) = delete;

    LaneFunction find(Level level) const { return find_lane_function(level, function_, instruction_); }
    const ptx::Instruction& instruction() const { return instruction_; }

    void set_source(std::size_t index, const Lanes& values) { set(sources_[index], values); }
    void set_destination(std::size_t index, const Lanes& values) { set(destinations_[index], values); }
    Lanes destination(std::size_t index) const { return get(destinations_[index]); }
    // Destination 0 is the row of source `index`.
    void alias(std::size_t index) { aliased_ = index; }
    Lanes source(std::size_t index) const { return get(sources_[index]); }

    LaneMask negated = 0;
    LaneMask carry = 0;

    LaneOperands operands() {
        LaneOperands operands;
        for (Storage& storage : destinations_) operands.destinations[operands.destination_count++] = row(storage);
        for (Storage& storage : sources_) operands.sources[operands.source_count++] = row(storage);
        if (aliased_ < sources_.size()) operands.destinations[0] = row(sources_[aliased_]);
        operands.source_negated = negated;
        operands.carry = &carry;
        operands.modifiers = &instruction_.modifiers;
        return operands;
    }
    void run(LaneFunction lane_function, LaneMask active = ~LaneMask{0}) { lane_function(operands(), active); }

private:
    struct alignas(64) Storage {
        std::uint32_t words[2 * kLanes];
        std::uint32_t width = 32;
    };

    void add(ptx::Type type, std::vector<Storage>& rows, std::vector<ptx::Operand>& operands) {
        ptx::Operand operand;
        operand.kind = ptx::OperandKind::reg;
        operand.index = static_cast<std::uint32_t>(function_.registers.size());
        operands.push_back(operand);
        ptx::Register declared;
        declared.type = type;
        function_.registers.push_back(declared);
        rows.push_back(Storage{.words = {}, .width = row_width(type)});
    }
    static Row row(Storage& storage) { return Row{.data = storage.words, .width = storage.width}; }
    static void set(Storage& storage, const Lanes& values) {
        const Row target = row(storage);
        if (storage.width == 1) *target.words() = 0;
        for (int lane = 0; lane < kLanes; ++lane) {
            const auto word = static_cast<std::uint32_t>(values[lane]);
            if (storage.width == 64) target.longs()[lane] = values[lane];
            else if (storage.width == 1) *target.words() |= (word & 1) << lane;
            else target.words()[lane] = storage.width == 16 ? word & 0xffff : word;
        }
    }
    static Lanes get(const Storage& storage) {
        const Row source = row(const_cast<Storage&>(storage));
        Lanes values;
        for (int lane = 0; lane < kLanes; ++lane)
            values[lane] = storage.width == 64  ? source.longs()[lane]
                           : storage.width == 1 ? *source.words() >> lane & 1
                                                : source.words()[lane];
        return values;
    }

    ptx::Function function_;
    ptx::Instruction instruction_;
    std::vector<Storage> destinations_;
    std::vector<Storage> sources_;
    std::size_t aliased_ = ~std::size_t{0};
};

}  // namespace optiml::emulator
