#pragma once
// The sections of a task file, one reader each; used by parse_task only. Errors go to the table that is read.

#include "task/task.h"
#include "task/toml_reader.h"

namespace optiml::task {

Result<std::vector<NamedSize>> read_sizes(TomlTable section);
// Scalars without a value take the size of the same name.
Result<std::vector<Argument>> read_arguments(TomlTable section);
Result<Fill> read_fill(const toml::node& node, const std::string& file, const std::string& what);
Result<std::vector<Scratch>> read_scratch(TomlTable section);
// The `launch` key: a table, or an array of tables. task: kernel, arguments and the plan's scratch are filled in.
Result<std::vector<Step>> read_launches(const toml::node& node, const Task& task);

// What no single section can see: names that clash or lead nowhere, no output, numbers that do not work out at the declared sizes.
Status check_task(const Task& task);

}  // namespace optiml::task
