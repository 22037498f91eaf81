#pragma once
// The sections of a task file, one reader each; used by parse_task only. Errors go to the table that is read.

#include <functional>

#include "task/task.h"
#include "task/toml_reader.h"

namespace optiml::task {

Result<std::vector<NamedSize>> read_sizes(TomlTable section);
// Scalars without a value take the size of the same name.
Result<std::vector<Argument>> read_arguments(TomlTable section);
// An argument's keys beside `type`, where it has a key `texture` or `surface` (shape).
void read_texture(TomlTable& table, const toml::node& shape, Argument& argument);
void read_surface(TomlTable& table, const toml::node& shape, Argument& argument);
Result<Fill> read_fill(const toml::node& node, const std::string& file, const std::string& what);
Result<std::vector<Scratch>> read_scratch(TomlTable section);
// The `launch` key: a table, or an array of tables. task: kernel, arguments and the plan's scratch are filled in.
Result<std::vector<Step>> read_launches(const toml::node& node, const Task& task);

// A section's content goes to target; where the section is absent and must not be, remedy says what to write.
template <class Reader, class Target>
void read_section(TomlTable& root, std::string_view key, Reader reader, Target& target, std::string_view remedy) {
    if (root.failed()) return;
    const std::string name = "[" + std::string(key) + "]";
    auto section = root.table(key, name);
    if (root.failed()) return;
    if (!section) {
        if (!remedy.empty()) root.fail_missing(key, "the task has no " + name, std::string(remedy));
        return;
    }
    auto content = reader(std::move(*section));
    if (content) {
        target = std::move(*content);
    } else {
        root.fail(std::move(content.error()));
    }
}
// The required `launch` key, to task.plan.steps.
void read_launch_section(TomlTable& root, Task& task);
void read_compile_section(TomlTable& root, CompileOptions& compile);

// Parses the text and hands its root to `read`. Error (user): no TOML.
Status with_toml(std::string_view text, const std::filesystem::path& file, const std::function<Status(const toml::table&)>& read);

// What no single section can see: names that clash or lead nowhere, no output, numbers that do not work out at the declared sizes.
Status check_task(const Task& task);

}  // namespace optiml::task
