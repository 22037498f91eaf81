#include <algorithm>
#include <optional>
#include <string>

#include "emulator/machine_code/elf_file.h"
#include "emulator/machine_code/line_program.h"
#include "emulator/machine_code/machine_code.h"
#include "emulator/machine_code/machine_flow.h"
#include "emulator/machine_code/opcode_table.h"

namespace optiml::emulator {
namespace {

constexpr std::size_t kInstructionBytes = 16;
constexpr std::string_view kTextPrefix = ".text.";
constexpr std::string_view kPtxLines = ".nv_debug_line_sass";
constexpr unsigned kAlwaysTrue = 7;  // the predicate PT

unsigned field(std::uint64_t word, unsigned first, unsigned bits) {
    return static_cast<unsigned>(word >> first & ((std::uint64_t{1} << bits) - 1));
}

// Signed distance in bytes from the next instruction: 4-byte units, the low eight bits apart from the rest.
std::int64_t branch_distance(std::uint64_t low, std::uint64_t high) {
    const std::uint64_t upper = low >> 34 | (high & 0x3ffff) << 30;  // 48 bits
    const auto sign_extended = static_cast<std::int64_t>(upper << 16) >> 16;
    return (sign_extended * 256 + field(low, 16, 8)) * 4;
}

// Warps that turn out divergent before a warp-wide operation take a detour; counting assumes that they are not.
bool is_divergence_detour(std::uint64_t low) { return field(low, 32, 2) == 2; }

bool accesses_memory(MachineKind kind) {
    switch (kind) {
        case MachineKind::global_load:
        case MachineKind::global_store:
        case MachineKind::shared_load:
        case MachineKind::shared_store:
        case MachineKind::local_load:
        case MachineKind::local_store: return true;
        default: return false;
    }
}

std::uint8_t access_bytes(std::uint64_t high) {
    constexpr std::uint8_t kBytes[] = {1, 1, 2, 2, 4, 8, 16, 16};
    return kBytes[field(high, 9, 3)];
}

// S2R of %tid goes through the load/store unit; other special registers do not.
bool reads_thread_index(std::uint64_t high) {
    const unsigned special_register = field(high, 8, 8);
    return special_register >= 0x20 && special_register <= 0x23;
}

MachineInstruction decode(std::uint64_t low, std::uint64_t high, std::uint32_t index, std::uint32_t count) {
    MachineInstruction instruction;
    instruction.opcode = field(low, 0, 9);
    const OpcodeEntry& entry = opcode_entry(instruction.opcode);
    instruction.kind = entry.kind;
    instruction.pipe = entry.pipe;
    if (entry.name == "S2R" && reads_thread_index(high)) instruction.pipe = Pipe::lsu;
    instruction.guarded = field(low, 12, 3) != kAlwaysTrue;
    if (accesses_memory(entry.kind)) instruction.access_bytes = access_bytes(high);
    instruction.stall = static_cast<std::uint8_t>(field(high, 41, 4));
    instruction.sets_scoreboard = static_cast<std::uint8_t>(field(high, 46, 3));
    instruction.waits_for = static_cast<std::uint8_t>(field(high, 52, 6));
    if (entry.kind != MachineKind::branch && entry.kind != MachineKind::call) return instruction;
    if (is_divergence_detour(low)) {
        instruction.kind = MachineKind::other_control;
        return instruction;
    }
    if (entry.kind == MachineKind::branch) instruction.guarded |= field(high, 23, 3) != kAlwaysTrue;
    const std::int64_t target = std::int64_t{index} + 1 + branch_distance(low, high) / static_cast<std::int64_t>(kInstructionBytes);
    instruction.target = static_cast<std::uint32_t>(std::clamp<std::int64_t>(target, 0, count - 1));
    return instruction;
}

std::vector<MachineInstruction> decode_text(Bytes text) {
    std::vector<MachineInstruction> instructions;
    const auto count = static_cast<std::uint32_t>(text.size() / kInstructionBytes);
    for (std::uint32_t index = 0; index < count; ++index) {
        ByteReader reader(text.subspan(index * kInstructionBytes, kInstructionBytes));
        const auto low = reader.read<std::uint64_t>();
        const auto high = reader.read<std::uint64_t>();
        instructions.push_back(decode(low, high, index, count));
    }
    return instructions;
}

void set_ptx_lines(const std::vector<LineRow>& rows, std::vector<MachineInstruction>& instructions) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::size_t first = rows[i].address / kInstructionBytes;
        const std::size_t last = i + 1 < rows.size() ? rows[i + 1].address / kInstructionBytes : instructions.size();
        for (std::size_t at = first; at < std::min(last, instructions.size()); ++at) instructions[at].ptx_line = rows[i].line;
    }
}

// Which line sequence belongs to which section, by the relocation of the sequence's first address.
const LineSequence* sequence_of(std::uint32_t section, const std::vector<LineSequence>& sequences,
                                const std::vector<ElfRelocation>& relocations) {
    for (const LineSequence& sequence : sequences) {
        for (const ElfRelocation& relocation : relocations) {
            if (relocation.offset == sequence.address_offset && relocation.target == section) return &sequence;
        }
    }
    return nullptr;
}

}  // namespace

const MachineFunction* MachineCode::find(std::string_view name) const {
    const auto found = std::find_if(functions.begin(), functions.end(), [name](const MachineFunction& f) { return f.name == name; });
    return found == functions.end() ? nullptr : &*found;
}

Result<MachineCode> read_cubin(std::span<const std::uint8_t> cubin) {
    const Result<ElfFile> file = ElfFile::open(cubin);
    if (!file) return tl::unexpected(file.error());
    std::vector<LineSequence> sequences;
    if (const auto lines = file->find(kPtxLines)) sequences = read_line_program(file->sections()[*lines].contents);
    const std::vector<ElfRelocation> relocations = file->relocations_of(kPtxLines);

    MachineCode code;
    for (std::uint32_t section = 0; section < file->sections().size(); ++section) {
        const ElfSection& text = file->sections()[section];
        if (!text.name.starts_with(kTextPrefix)) continue;
        MachineFunction function;
        function.name = text.name.substr(kTextPrefix.size());
        function.instructions = decode_text(text.contents);
        if (const LineSequence* lines = sequence_of(section, sequences, relocations)) set_ptx_lines(lines->rows, function.instructions);
        find_flow(function);
        code.functions.push_back(std::move(function));
    }
    return code;
}

}  // namespace optiml::emulator
