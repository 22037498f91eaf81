#include "emulator/counting/line_counters.h"

#include <map>
#include <string>
#include <utility>

#include "emulator/execution/places.h"

namespace optiml::emulator {
namespace {

class LineTable {
public:
    explicit LineTable(const ptx::Module& module) : module_(module) {}

    Counters* counters_at(ptx::Place place) {
        if (place.line == 0 || place.file >= module_.files.size()) return nullptr;
        return &by_place_[{module_.files[place.file], place.line}];
    }

    std::vector<LineCounters> take() {
        std::vector<LineCounters> lines;
        for (auto& [place, counters] : by_place_) {
            if (!counters.empty()) lines.push_back({place.first, place.second, std::move(counters)});
        }
        return lines;
    }

private:
    const ptx::Module& module_;
    std::map<std::pair<std::string, std::uint32_t>, Counters> by_place_;
};

}  // namespace

std::vector<LineCounters> line_counters(const ptx::Module& module, const LaunchSummary& summary) {
    LineTable table(module);
    for (const FunctionProfile& profile : summary.profiles) {
        const std::vector<ptx::Instruction>& instructions = profile.function->instructions;
        for (const ExecutedInstruction& executed : profile.executed) {
            if (executed.ptx_instruction == ptx::none) continue;
            if (Counters* counters = table.counters_at(user_place(instructions[executed.ptx_instruction]))) {
                add_executed_counters(executed, summary.scale, *counters);
            }
        }
        for (std::uint32_t index = 0; index < profile.accesses.size(); ++index) {
            if (Counters* counters = table.counters_at(user_place(instructions[index]))) {
                add_access_counters(*profile.function, index, profile.accesses[index], summary.scale, *counters);
            }
        }
    }
    return table.take();
}

}  // namespace optiml::emulator
