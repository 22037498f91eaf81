#include "emulator/checks/taint.h"

namespace optiml::emulator {

void RegisterTaint::set(std::uint32_t row, std::uint32_t rows, std::uint32_t lane, Lane taint, std::uint32_t origin) {
    if (row == kNoRow) return;
    if (taint.bits == 0) return clear(row, 1u << lane);
    if (registers_.empty()) registers_.resize(rows);
    any = true;
    Register& target = registers_[row];
    target.lanes |= 1u << lane;
    target.lane[lane] = taint;
    target.origin = origin;
}

}  // namespace optiml::emulator
