#include "task/candidate_file.h"

#include <algorithm>

#include "task/resolved.h"
#include "task/source_text.h"
#include "task/task_file.h"

namespace optiml::task {
namespace {

// Sections that a whole task file has and a candidate does not need.
void accept_task_sections(TomlTable& root) {
    for (const std::string_view key : {"source", "sizes", "checks", "allow", "reference"}) root.find(key);
}

bool is_used(const Scratch& scratch, const LaunchPlan& plan) {
    return std::any_of(plan.steps.begin(), plan.steps.end(), [&](const Step& step) {
        if (step.kind == Step::Kind::clear) return step.clear.buffer == scratch.name;
        return std::any_of(step.launch.arguments.begin(), step.launch.arguments.end(), [&](const LaunchArgument& argument) {
            return std::find(argument.buffers.begin(), argument.buffers.end(), scratch.name) != argument.buffers.end();
        });
    });
}

Status read_candidate(TomlTable root, const Task& original, Candidate& candidate) {
    Task task = original;  // what launches may refer to
    task.file = root.file();
    task.plan.steps.clear();  // the scratch buffers are the original's until the file says otherwise
    const bool has_scratch = root.find("scratch") != nullptr;
    root.read("kernel", task.kernel);
    accept_task_sections(root);
    if (root.find("arguments") != nullptr) read_section(root, "arguments", read_arguments, task.arguments, "");
    if (has_scratch) read_section(root, "scratch", read_scratch, task.plan.scratch, "");
    read_launch_section(root, task);
    read_compile_section(root, candidate.compile);
    if (Status status = root.finish(); !status) return status;
    if (!has_scratch) std::erase_if(task.plan.scratch, [&](const Scratch& scratch) { return !is_used(scratch, task.plan); });
    if (auto plan = resolve(original, task.plan, original.small_sizes()); !plan)
        return tl::make_unexpected(std::move(plan.error()));
    candidate.plan = std::move(task.plan);
    return {};
}

Result<std::filesystem::path> source_named_by(const std::filesystem::path& task_file, const Disk& disk) {
    auto text = disk.read(task_file);
    if (!text) return tl::make_unexpected(std::move(text.error()));
    std::string name = task_file.stem().string() + ".cu";
    const Status status = with_toml(*text, task_file, [&](const toml::table& root) -> Status {
        TomlTable table(root, task_file.string(), "the reference's task file");
        table.read("source", name);
        return {};
    });
    if (!status) return tl::make_unexpected(status.error());
    return task_file.parent_path() / name;
}

}  // namespace

Result<Candidate> load_candidate(const Task& original, const std::filesystem::path& source_file,
                                 const std::filesystem::path& task_file, const Disk& disk) {
    Candidate candidate = original_of(original);
    auto source = read_source_text(source_file, disk);
    if (!source) return tl::make_unexpected(std::move(source.error()));
    candidate.source = std::move(*source);
    if (task_file.empty()) return candidate;
    auto text = disk.read(task_file);
    if (!text) return tl::make_unexpected(std::move(text.error()));
    const Status status = with_toml(*text, task_file, [&](const toml::table& root) {
        return read_candidate(TomlTable(root, task_file.string(), "the candidate's task file"), original, candidate);
    });
    if (!status) return tl::make_unexpected(status.error());
    return candidate;
}

Status set_reference(Task& task, const std::filesystem::path& file, const Disk& disk) {
    const bool has_plan = file.extension() == ".toml";
    std::filesystem::path source = file;
    if (has_plan) {
        const auto named = source_named_by(file, disk);
        if (!named) return tl::make_unexpected(named.error());
        source = *named;
    }
    auto program = load_candidate(task, source, has_plan ? file : std::filesystem::path(), disk);
    if (!program) return tl::make_unexpected(std::move(program.error()));
    auto reference = std::make_shared<Task>(task);
    reference->source_file = source.string();
    reference->source = std::move(program->source);
    reference->plan = std::move(program->plan);
    reference->compile = std::move(program->compile);
    reference->reference = nullptr;
    task.reference = std::move(reference);
    return {};
}

}  // namespace optiml::task
