#pragma once

#include <vector>

#include "emulator/execution/executor.h"

namespace optiml::emulator {

struct SmBlocks {
    std::uint32_t sm = 0;
    std::vector<BlockToRun> blocks;
};

// Which blocks run, and on which SM. All: block b on SM b mod SMs, as a GPU deals them out first. Sample: groups of `resident` blocks
// that an SM would hold together; each group counts as an SM of its own. sms: of the device, that blocks are dealt to.
std::vector<SmBlocks> select_blocks(const LaunchState& state, std::uint32_t sms, std::uint32_t resident);

}  // namespace optiml::emulator
