#include "task/task_file.h"

#include <fmt/format.h>

#include "task/candidate_file.h"
#include "task/source_text.h"
#include "task/toml_limits.h"

namespace optiml::task {
namespace {

Status read_compile(TomlTable section, CompileOptions& compile) {
    section.read("defines", compile.defines);
    section.read("include_paths", compile.include_paths);
    section.read("options", compile.extra);
    section.read("standard", compile.standard);
    return section.finish();
}

Status read_checks(TomlTable section, Checks& checks) {
    section.read("tolerance_factor", checks.tolerance_factor);
    section.read("absolute", checks.absolute);
    section.read("relative", checks.relative);
    section.read("bitwise", checks.bitwise);
    section.read("compare_nan_exactly", checks.compare_nan_exactly);
    if (checks.tolerance_factor < 1) {
        section.fail("'tolerance_factor' is below 1", "The original itself must pass: give 1 or more.");
    }
    if (checks.absolute.value_or(0) < 0 || checks.relative.value_or(0) < 0) {
        section.fail("a bound in [checks] is negative", "Give 0 or more.");
    }
    return section.finish();
}

Status read_allowances(TomlTable section, Allowances& allow) {
    section.read("fast_math", allow.fast_math);
    section.read("tf32", allow.tf32);
    section.read("reassociation", allow.reassociation);
    section.read("reduced_precision", allow.reduced_precision);
    return section.finish();
}

void read_source(TomlTable& root, const std::filesystem::path& file, const Disk& disk, Task& task) {
    std::string name = std::filesystem::path(file).stem().string() + ".cu";
    const bool named = root.read("source", name);
    const std::filesystem::path path = file.parent_path() / name;
    task.source_file = path.string();
    auto source = read_source_text(path, disk);
    if (source) {
        task.source = std::move(*source);
    } else {
        Error error = std::move(source.error());
        const char* path_remedy = named ? "Correct the path under 'source'; it is relative to the task file."
                                        : "Put the kernel beside the task file, or name it: source = \"FILE.cu\".";
        if (error.remedy.empty()) error.remedy = path_remedy;
        if (error.where.file.empty()) error.where = {root.file(), root.where().line, root.where().column};
        root.fail(std::move(error));
    }
}

template <class Reader, class Target>
void read_options(TomlTable& root, std::string_view key, Reader reader, Target& target) {
    auto section = root.table(key, fmt::format("[{}]", key));
    if (!section) return;
    if (auto status = reader(std::move(*section), target); !status) root.fail(std::move(status.error()));
}

Result<Task> read_task(TomlTable root, const std::filesystem::path& file, const Disk& disk) {
    Task task;
    task.name = file.stem().string();
    task.file = file.string();
    if (!root.read("kernel", task.kernel)) {
        root.fail_missing("kernel", "the task names no kernel", "Begin the file with kernel = \"NAME\", the __global__ function to optimise.");
    }
    read_source(root, file, disk, task);
    read_section(root, "sizes", read_sizes, task.sizes, "");
    read_section(root, "arguments", read_arguments, task.arguments, "Describe the kernel's parameters, one a line, in order.");
    read_section(root, "scratch", read_scratch, task.plan.scratch, "");
    read_launch_section(root, task);
    read_compile_section(root, task.compile);
    read_options(root, "checks", read_checks, task.checks);
    read_options(root, "allow", read_allowances, task.allowances);
    std::string reference;
    root.read("reference", reference);
    if (const Status status = root.finish(); !status) return tl::make_unexpected(status.error());
    if (const Status status = check_task(task); !status) return tl::make_unexpected(status.error());
    if (!reference.empty()) {
        const Status status = set_reference(task, file.parent_path() / reference, disk);
        if (!status) return tl::make_unexpected(status.error());
    }
    return task;
}

}  // namespace

void read_launch_section(TomlTable& root, Task& task) {
    const toml::node* launch = root.find("launch");
    if (root.failed()) return;
    if (launch == nullptr) {
        return root.fail_missing("launch", "the task has no [launch]", "Say how the kernel is launched: [launch] with grid and block.");
    }
    auto steps = read_launches(*launch, task);
    if (steps) {
        task.plan.steps = std::move(*steps);
    } else {
        root.fail(std::move(steps.error()));
    }
}

void read_compile_section(TomlTable& root, CompileOptions& compile) { read_options(root, "compile", read_compile, compile); }

Status with_toml(std::string_view text, const std::filesystem::path& file, const std::function<Status(const toml::table&)>& read) {
    if (Status status = check_toml_limits(text, file.string()); !status) return status;
    try {
        return read(toml::parse(text, file.string()));
    } catch (const toml::parse_error& error) {
        const toml::source_position begin = error.source().begin;
        return user_error(std::string(error.description()),
                          {file.string(), static_cast<std::uint32_t>(begin.line), static_cast<std::uint32_t>(begin.column)},
                          "Correct the TOML here; strings stand in quotes.");
    }
}

Result<Task> parse_task(std::string_view text, const std::filesystem::path& file, const Disk& disk) {
    Result<Task> task;
    const Status status = with_toml(text, file, [&](const toml::table& root) -> Status {
        task = read_task(TomlTable(root, file.string(), "the task file"), file, disk);
        return {};
    });
    return status ? std::move(task) : tl::make_unexpected(status.error());
}

Result<Task> load_task(const std::filesystem::path& file, const Disk& disk) {
    auto text = disk.read(file);
    if (!text) return tl::make_unexpected(std::move(text.error()));
    return parse_task(*text, file, disk);
}

}  // namespace optiml::task
