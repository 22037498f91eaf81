#pragma once
// What the simulated SMs of a launch share; where several host threads run them, each thread has its own.

#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/checks/access_record.h"
#include "emulator/checks/finding_log.h"
#include "emulator/checks/publications.h"
#include "emulator/emulator.h"
#include "emulator/execution/device_print.h"
#include "emulator/execution/module_image.h"

namespace optiml::emulator {

class Crew;

struct LaunchState {
    const Launch& launch;
    const DeviceModel& device;
    const RunOptions& options;
    Memory::Implementation& memory;
    ModuleImage& image;
    const KernelImage& kernel;
    std::vector<std::uint8_t> parameters;  // the kernel's parameter block
    FindingLog findings;
    PrintBuffer printed;
    RecordLayout records;                  // of race detection
    std::unique_ptr<Publications> publications;  // null: the kernel orders nothing beyond barriers and warps
    std::vector<std::uint64_t> linear_of_run;    // by run index: the block's place in the grid
    std::uint64_t warp_instructions = 0;   // over all SMs, at the end of the last turn
    std::uint64_t thread_instructions = 0;
    std::uint64_t blocks_run = 0;
    bool stopped = false;                  // by a fault or a limit: nothing more runs
    Crew* crew = nullptr;                  // of the host threads that run the launch; null: one runs all

    // The same launch as it begins, in another view of its memory.
    LaunchState in_view(Memory::Implementation& view) const;

    // With a crew also where nothing is checked: it has to know whether blocks touch what others wrote.
    bool tracks_accesses() const { return options.checks || crew != nullptr; }
    bool wide() const { return options.domain == ValueDomain::wider_shadow; }
    std::uint32_t threads_per_block() const { return static_cast<std::uint32_t>(launch.block.count()); }
    std::uint32_t warps_per_block() const { return (threads_per_block() + kLanes - 1) / kLanes; }
};

}  // namespace optiml::emulator
