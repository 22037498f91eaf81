#include "emulator/execution/builtins.h"

#include <bit>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "emulator/execution/device_print.h"
#include "emulator/execution/handlers.h"
#include "emulator/storage/address_space.h"

namespace optiml::emulator {
namespace {

// cudaLimitMallocHeapSize unless the program sets it.
constexpr std::uint64_t kHeapBytes = 8 << 20;
constexpr std::size_t kLongestAssertion = 200;
constexpr std::size_t kLongestText = 1 << 16;

// Argument `index` or return variable of the call, as bytes of one lane.
std::uint8_t* variable(Executor& executor, const ptx::Operand& operand, std::uint32_t lane) {
    Frame& frame = executor.frame();
    return frame.parameters.data() + lane * std::size_t{frame.program->parameter_bytes} + frame.program->symbol_offsets[operand.index];
}

template <class Value>
Value argument(Executor& executor, const Operation& operation, std::uint32_t index, std::uint32_t lane) {
    Value value;
    std::memcpy(&value, variable(executor, operation.instruction->sources[index + 1], lane), sizeof value);
    return value;
}

template <class Value>
void give_back(Executor& executor, const Operation& operation, std::uint32_t lane, Value value) {
    if (operation.instruction->destinations.empty()) return;
    std::memcpy(variable(executor, operation.instruction->destinations[0], lane), &value, sizeof value);
}

// A byte at a generic address, as a lane sees it; none where there is nothing.
std::optional<std::uint8_t> byte_at(Executor& executor, std::uint32_t lane, std::uint64_t address) {
    const std::uint64_t offset = address % kWindowBytes;
    switch (space_of(address)) {
        case ptx::Space::local: {
            const LocalMemory& local = executor.warp().local;
            if (offset >= local.bytes()) return std::nullopt;
            return static_cast<std::uint8_t>(local.words[offset / kGranuleBytes][lane] >> 8 * (offset % kGranuleBytes));
        }
        case ptx::Space::shared: {
            SharedMemory& shared = executor.block().shared;
            if (!shared.contains(offset, 1)) return std::nullopt;
            return shared.page(offset).bytes[offset % kPageBytes];
        }
        default: break;
    }
    const Region* region = executor.state().memory.region_near(address);
    if (region == nullptr || !region->contains(address, 1)) return std::nullopt;
    std::uint8_t byte = 0;
    region->read(address - region->address(), &byte, 1);
    return byte;
}

std::string text_at(Executor& executor, std::uint32_t lane, std::uint64_t address, std::size_t longest) {
    std::string text;
    while (text.size() < longest) {
        const std::optional<std::uint8_t> byte = byte_at(executor, lane, address++);
        if (!byte || *byte == 0) break;
        text += static_cast<char>(*byte);
    }
    return text;
}

// Gives back what vprintf does: the arguments that were printed, -1 without a format.
std::int32_t print(Executor& executor, const Operation& operation, std::uint32_t lane) {
    const auto format = argument<std::uint64_t>(executor, operation, 0, lane);
    const auto arguments = argument<std::uint64_t>(executor, operation, 1, lane);
    if (format == 0) return -1;
    const PrintSource source{.read =
                                 [&](std::uint64_t offset, std::uint8_t* bytes, std::uint32_t count) {
                                     for (std::uint32_t i = 0; i < count; ++i) {
                                         const auto byte = byte_at(executor, lane, arguments + offset + i);
                                         if (!byte) return false;
                                         bytes[i] = *byte;
                                     }
                                     return true;
                                 },
                             .text = [&](std::uint64_t address) { return text_at(executor, lane, address, kLongestText); }};
    const Printed printed = format_print(text_at(executor, lane, format, kLongestText), source);
    executor.state().printed.add(printed.text);
    return printed.arguments;
}

Flow assert_failed(Executor& executor, const Operation& operation, std::uint32_t lane) {
    const std::string condition = text_at(executor, lane, argument<std::uint64_t>(executor, operation, 0, lane), kLongestAssertion);
    const auto line = argument<std::uint32_t>(executor, operation, 2, lane);
    executor.report(executor.finding(FindingKind::trap, operation, lane,
                                     fmt::format("assertion `{}` failed (line {} of {})", condition, line,
                                                 text_at(executor, lane, argument<std::uint64_t>(executor, operation, 1, lane),
                                                         kLongestAssertion))));
    return Flow::stop;
}

std::uint64_t allocate(Memory::Implementation& memory, std::uint64_t bytes) {
    if (bytes == 0 || bytes > kHeapBytes - memory.heap_bytes) return 0;
    memory.heap_bytes += bytes;
    return memory.add_region({.name = "device heap", .bytes = bytes, .element_bytes = 1}).address();
}

void release(Executor& executor, const Operation& operation, std::uint32_t lane) {
    const auto address = argument<std::uint64_t>(executor, operation, 0, lane);
    if (address == 0) return;
    Memory::Implementation& memory = executor.state().memory;
    Region* region = memory.region_near(address);
    if (region == nullptr || region->address() != address || !region->release()) {
        executor.report(executor.finding(FindingKind::out_of_bounds, operation, lane,
                                         fmt::format("free of {:#x}, which malloc did not give out or which is free already", address)));
        return;
    }
    memory.heap_bytes -= region->spec().bytes;
}

}  // namespace

Flow call_builtin(Executor& executor, const Operation& operation, const ptx::Function& function, LaneMask lanes) {
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        if (function.name == "__assertfail") return assert_failed(executor, operation, lane);
        if (function.name == "vprintf")
            give_back(executor, operation, lane, print(executor, operation, lane));
        else if (function.name == "malloc")
            give_back(executor, operation, lane, allocate(executor.state().memory, argument<std::uint64_t>(executor, operation, 0, lane)));
        else if (function.name == "free")
            release(executor, operation, lane);
        else {
            Finding finding = executor.finding(FindingKind::unsupported, operation, lane, {});
            finding.message = fmt::format("not emulated: call of {} at line {}", function.name, finding.line);
            executor.report(std::move(finding));
            return Flow::stop;
        }
    }
    return Flow::next;
}

}  // namespace optiml::emulator
