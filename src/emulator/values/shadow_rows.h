#pragma once
// Shadows of a frame's registers when a kernel runs in a wider value domain.

#include <array>
#include <cstdint>
#include <vector>

#include "emulator/lanes.h"
#include "emulator/values/shadow_page.h"

namespace optiml::emulator {

class ShadowRows {
public:
    bool enabled() const { return !rows_.empty(); }
    void enable(std::uint32_t rows) { rows_.resize(rows); }

    // Constants and sinks (row ptx::none) have no shadow.
    ShadowRow row(std::uint32_t row) {
        if (row == ptx::none) return {.high = nothing_.high.data(), .low = nothing_.low.data(), .valid = &nothing_.valid};
        return {.high = rows_[row].high.data(), .low = rows_[row].low.data(), .valid = &rows_[row].valid};
    }
    // What was written to the shadow of a sink is gone.
    void clear_sink() { nothing_.valid = 0; }
    void forget(std::uint32_t row, LaneMask lanes) {
        if (row != ptx::none) rows_[row].valid &= ~lanes;
    }
    bool has(std::uint32_t row, std::uint32_t lane) const { return row != ptx::none && (rows_[row].valid >> lane & 1) != 0; }
    ShadowValue get(std::uint32_t row, std::uint32_t lane) const { return {rows_[row].high[lane], rows_[row].low[lane]}; }
    void set(std::uint32_t row, std::uint32_t lane, ShadowValue value) {
        if (row == ptx::none) return;
        rows_[row].high[lane] = value.high;
        rows_[row].low[lane] = value.low;
        rows_[row].valid |= 1u << lane;
    }

private:
    struct Lanes {
        std::array<double, kLanes> high{};
        std::array<double, kLanes> low{};
        LaneMask valid = 0;
    };
    std::vector<Lanes> rows_;
    Lanes nothing_;
};

}  // namespace optiml::emulator
