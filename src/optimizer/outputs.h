#pragma once

#include <filesystem>

#include "base/disk.h"
#include "optiml/summary.h"
#include "task/candidate.h"

namespace optiml::optimizer {

// Writes into the folder: NAME.cu (the kernel), NAME.toml (its task file), NAME_launch.cuh (its launch as host code), changes.diff,
// explanation.md, result.json and, where there is a listing, NAME.sass. Fills in Summary::kernel_file. Errors: the disk's.
Status write_outputs(report::Summary& summary, const task::Task& task, const task::Candidate& winner, const std::string& machine_listing,
                     const std::filesystem::path& folder, Disk& disk);

}  // namespace optiml::optimizer
