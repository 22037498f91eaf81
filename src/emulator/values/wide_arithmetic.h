#pragma once
// Sums in the wider domain, for what is added outside of lane functions.

#include "emulator/values/shadow_page.h"

namespace optiml::emulator {

// The sum of two double-doubles (Knuth's two-sum of the high parts, low parts added to its error, renormalised).
inline ShadowValue wide_sum(ShadowValue a, ShadowValue b) {
    const double sum = a.high + b.high;
    const double shifted = sum - a.high;
    const double error = (a.high - (sum - shifted)) + (b.high - shifted) + a.low + b.low;
    const double high = sum + error;
    return {.high = high, .low = error - (high - sum)};
}

}  // namespace optiml::emulator
