#pragma once

#include <filesystem>

#include "task/candidate.h"

namespace optiml::task {

// A candidate from its source and, where its launches differ, a file of its own: kernel, [scratch], [launch] and [compile] as in a
// task file. What is not in that file is the original's, scratch buffers that its launches use among it; a whole task file serves too (its sizes, values and checks say nothing here).
// task_file: empty: the original's plan. Errors (user) name place and remedy.
Result<Candidate> load_candidate(const Task& original, const std::filesystem::path& source_file, const std::filesystem::path& task_file,
                                 const Disk& disk);

// Names a second program as the task's reference (Task::reference): a .cu that is launched as the original is, or a task file (.toml)
// with a launch plan of its own, whose `source` (default: its stem with .cu) is the program. Errors as load_candidate's.
Status set_reference(Task& task, const std::filesystem::path& file, const Disk& disk);

}  // namespace optiml::task
