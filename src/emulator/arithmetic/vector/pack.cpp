#include "emulator/arithmetic/vector/apply.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace optiml::emulator::OPTIML_LEVEL {

LaneMask pack_lanes(const std::uint32_t (&lanes)[kLanes]) {
    LaneMask mask = 0;
#if defined(__AVX512DQ__)
    for (int lane = 0; lane < kLanes; lane += 16)
        mask |= static_cast<LaneMask>(_mm512_movepi32_mask(_mm512_load_si512(lanes + lane))) << lane;
#elif defined(__AVX__)
    for (int lane = 0; lane < kLanes; lane += 8)
        mask |= static_cast<LaneMask>(_mm256_movemask_ps(_mm256_load_ps(reinterpret_cast<const float*>(lanes + lane)))) << lane;
#elif defined(__SSE2__)
    for (int lane = 0; lane < kLanes; lane += 4)
        mask |= static_cast<LaneMask>(_mm_movemask_ps(_mm_load_ps(reinterpret_cast<const float*>(lanes + lane)))) << lane;
#else
    for (int lane = 0; lane < kLanes; ++lane) mask |= (lanes[lane] & 1) << lane;
#endif
    return mask;
}

}  // namespace optiml::emulator::OPTIML_LEVEL
