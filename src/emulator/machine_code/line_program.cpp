#include "emulator/machine_code/line_program.h"

#include <utility>

namespace optiml::emulator {
namespace {

enum StandardOpcode : std::uint8_t {
    kExtended = 0, kCopy = 1, kAdvanceAddress = 2, kAdvanceLine = 3, kSetFile = 4, kSetColumn = 5, kConstantAddAddress = 8, kFixedAdvanceAddress = 9
};
enum ExtendedOpcode : std::uint8_t { kEndSequence = 1, kSetAddress = 2 };

// One unit's program: the state machine that makes rows.
class Unit {
public:
    Unit(ByteReader& reader, std::vector<LineSequence>& sequences) : reader_(reader), sequences_(sequences) {}

    bool run() {
        const auto length = reader_.read<std::uint32_t>();
        const std::size_t end = reader_.position() + length;
        read_header();
        while (reader_.position() < end && !reader_.failed()) step();
        return !reader_.failed();
    }

private:
    void read_header() {
        reader_.skip(2);  // version
        const auto header_length = reader_.read<std::uint32_t>();
        const std::size_t program = reader_.position() + header_length;
        instruction_bytes_ = reader_.read<std::uint8_t>();
        reader_.skip(1);  // default is_stmt
        line_base_ = static_cast<std::int8_t>(reader_.read<std::uint8_t>());
        line_range_ = reader_.read<std::uint8_t>();
        opcode_base_ = reader_.read<std::uint8_t>();
        operand_counts_.assign(1, 0);
        for (unsigned i = 1; i < opcode_base_; ++i) operand_counts_.push_back(reader_.read<std::uint8_t>());
        if (line_range_ == 0) line_range_ = 1;
        reader_.seek(program);
    }

    void step() {
        const auto opcode = reader_.read<std::uint8_t>();
        if (opcode >= opcode_base_) {
            const unsigned adjusted = opcode - opcode_base_;
            address_ += std::uint64_t{adjusted / line_range_} * instruction_bytes_;
            line_ += line_base_ + static_cast<int>(adjusted % line_range_);
            add_row();
            return;
        }
        switch (opcode) {
            case kExtended: extended(); break;
            case kCopy: add_row(); break;
            case kAdvanceAddress: address_ += reader_.read_leb128() * instruction_bytes_; break;
            case kAdvanceLine: line_ += reader_.read_signed_leb128(); break;
            case kConstantAddAddress: address_ += std::uint64_t{(255u - opcode_base_) / line_range_} * instruction_bytes_; break;
            case kFixedAdvanceAddress: address_ += reader_.read<std::uint16_t>(); break;
            default:
                for (unsigned i = 0; i < operand_counts_[opcode]; ++i) reader_.read_leb128();
        }
    }

    void extended() {
        const auto length = reader_.read_leb128();
        const std::size_t end = reader_.position() + length;
        const auto opcode = reader_.read<std::uint8_t>();
        if (opcode == kSetAddress) {
            sequence_.address_offset = reader_.position();
            address_ = reader_.read<std::uint64_t>();
        } else if (opcode == kEndSequence) {
            sequences_.push_back(std::exchange(sequence_, {}));
            address_ = 0;
            line_ = 1;
        }
        reader_.seek(end);
    }

    void add_row() { sequence_.rows.push_back({address_, static_cast<std::uint32_t>(line_)}); }

    ByteReader& reader_;
    std::vector<LineSequence>& sequences_;
    LineSequence sequence_;
    std::uint64_t address_ = 0;
    std::int64_t line_ = 1;
    std::uint8_t instruction_bytes_ = 1;
    int line_base_ = 0;
    unsigned line_range_ = 1;
    unsigned opcode_base_ = 1;
    std::vector<std::uint8_t> operand_counts_;
};

}  // namespace

std::vector<LineSequence> read_line_program(Bytes section) {
    std::vector<LineSequence> sequences;
    ByteReader reader(section);
    while (!reader.at_end() && Unit(reader, sequences).run()) {
    }
    return sequences;
}

}  // namespace optiml::emulator
