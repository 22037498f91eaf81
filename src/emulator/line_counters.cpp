#include "emulator/line_counters.h"

#include <map>
#include <string>
#include <utility>

#include "emulator/launch_counters.h"

namespace optiml::emulator {

std::vector<LineCounters> line_counters(const ptx::Module& module, const SmTotals& totals, double scale) {
    std::map<std::pair<std::string, std::uint32_t>, Counters> by_place;
    for (const ptx::Function& function : module.functions) {
        const auto found = totals.functions.find(&function);
        if (found == totals.functions.end()) continue;
        for (std::uint32_t index = 0; index < found->second.warps.size(); ++index) {
            const ptx::Place place = function.instructions[index].place;
            if (place.line == 0 || place.file >= module.files.size() || found->second.warps[index] == 0) continue;
            add_instruction_counters(function, index, found->second, scale, by_place[{module.files[place.file], place.line}]);
        }
    }
    std::vector<LineCounters> lines;
    for (auto& [place, counters] : by_place) lines.push_back({place.first, place.second, std::move(counters)});
    return lines;
}

}  // namespace optiml::emulator
