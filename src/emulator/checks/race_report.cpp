#include "emulator/checks/race_report.h"

#include <fmt/format.h>

#include "emulator/execution/access_faults.h"
#include "emulator/execution/places.h"

namespace optiml::emulator {
namespace {

std::string_view noun_of(AccessKind kind) {
    switch (kind) {
        case AccessKind::store: return "write";
        case AccessKind::atomic: case AccessKind::reduction: return "atomic access";
        case AccessKind::async_copy: return "asynchronous copy";
        default: return "read";
    }
}

std::string thread_text(const std::array<std::uint32_t, 3>& thread) { return fmt::format("({}, {}, {})", thread[0], thread[1], thread[2]); }

}  // namespace

void report_race(Executor& executor, const Operation& operation, const Request& request, const Race& race) {
    const LaunchState& state = executor.state();
    const RecordLayout& layout = state.records;
    const PlaceInBuffer place = place_of(executor, request.space, race.address);
    Finding finding = executor.finding(FindingKind::race, operation, race.lane, {});
    finding.buffer = place.buffer;
    finding.address = place.offset;
    finding.other_block = executor.block_place(state.linear_of_run[layout.block(race.other)]);
    finding.other_thread = executor.thread_place(layout.thread(race.other));
    std::string other_access = race.other_wrote ? "write" : "read";
    if (const auto [function, index] = state.kernel.sites[layout.site(race.other)]; function != nullptr) {
        const ptx::Instruction& instruction = function->instructions[index];
        finding.other_line = user_place(instruction).line;
        if (instruction.opcode == ptx::Opcode::atom || instruction.opcode == ptx::Opcode::red) other_access = "atomic access";
        if (instruction.opcode == ptx::Opcode::cp_async) other_access = "asynchronous copy";
    }
    const bool same_block = finding.other_block == finding.block;
    const char* problem = race.noncoherent ? "meet, and the read goes through the read-only cache, which never sees writes of its launch" : "are not ordered";
    finding.message = fmt::format("{} by thread {} and {} at line {} by thread {} of {} {} ('{}', byte {})", noun_of(operation.memory.kind),
                                  thread_text(finding.thread), other_access, finding.other_line, thread_text(finding.other_thread),
                                  same_block ? "the same block" : "block " + thread_text(finding.other_block), problem, place.buffer, place.offset);
    executor.report(std::move(finding));
}

}  // namespace optiml::emulator
