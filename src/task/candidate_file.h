#pragma once

#include <filesystem>

#include "task/candidate.h"

namespace optiml::task {

// A candidate from its source and, where its launches differ, a file of its own: kernel, [scratch], [launch] and [compile] as in a
// task file. What is not in that file is the original's; a whole task file serves too (its sizes, values and checks say nothing here).
// task_file: empty: the original's plan. Errors (user) name place and remedy.
Result<Candidate> load_candidate(const Task& original, const std::filesystem::path& source_file, const std::filesystem::path& task_file,
                                 const Disk& disk);

}  // namespace optiml::task
