#pragma once

#include <string>

#include "task/task.h"

namespace optiml::task {

// The task as a task file that parse_task reads back to an equal task. source_file: the kernel's file, relative to the task file.
std::string task_file_text(const Task& task, const std::string& source_file);

// How a task file writes a fill: "{ integers = [0, 255] }".
std::string fill_text(const Fill& fill);

}  // namespace optiml::task
