#include "emulator/lanes.h"

#include "emulator/arithmetic/level.h"

namespace optiml::emulator {

// The look-ups of vector/find.h, one for each level.
#define OPTIML_DECLARE_LEVEL(level)                                                                        \
    namespace level {                                                                                      \
    LaneFunction find(const ptx::Function& function, const ptx::Instruction& instruction);                 \
    ShadowFunction find_shadow(const ptx::Function& function, const ptx::Instruction& instruction);        \
    }
OPTIML_DECLARE_LEVEL(baseline)
OPTIML_DECLARE_LEVEL(v3)
OPTIML_DECLARE_LEVEL(v4)
#undef OPTIML_DECLARE_LEVEL

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

ShadowFunction find_shadow_function(Level level, const ptx::Function& function, const ptx::Instruction& instruction) {
    switch (level) {
        case Level::v4: return v4::find_shadow(function, instruction);
        case Level::v3: return v3::find_shadow(function, instruction);
        default: return baseline::find_shadow(function, instruction);
    }
}

LaneFunction find_lane_function(const ptx::Function& function, const ptx::Instruction& instruction) {
    return find_lane_function(best_level(), function, instruction);
}

ShadowFunction find_shadow_function(const ptx::Function& function, const ptx::Instruction& instruction) {
    return find_shadow_function(best_level(), function, instruction);
}

}  // namespace optiml::emulator
