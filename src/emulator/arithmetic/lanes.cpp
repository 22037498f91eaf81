#include "emulator/lanes.h"

#include "emulator/arithmetic/level.h"

namespace optiml::emulator {

namespace baseline { LaneFunction find(const ptx::Function& function, const ptx::Instruction& instruction); }
namespace v3 { LaneFunction find(const ptx::Function& function, const ptx::Instruction& instruction); }
namespace v4 { LaneFunction find(const ptx::Function& function, const ptx::Instruction& instruction); }

bool is_offered(Level level) {
    switch (level) {
        case Level::v4: return __builtin_cpu_supports("x86-64-v4");
        case Level::v3: return __builtin_cpu_supports("x86-64-v3");
        default: return true;
    }
}

Level best_level() {
    static const Level best = is_offered(Level::v4) ? Level::v4 : is_offered(Level::v3) ? Level::v3 : Level::baseline;
    return best;
}

LaneFunction find_lane_function(Level level, const ptx::Function& function, const ptx::Instruction& instruction) {
    switch (level) {
        case Level::v4: return v4::find(function, instruction);
        case Level::v3: return v3::find(function, instruction);
        default: return baseline::find(function, instruction);
    }
}

LaneFunction find_lane_function(const ptx::Function& function, const ptx::Instruction& instruction) {
    return find_lane_function(best_level(), function, instruction);
}

}  // namespace optiml::emulator
