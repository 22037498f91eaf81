#include "optimizer/task_loading.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "cuda_source/parse.h"
#include "gpu/toolkit.h"
#include "task/candidate_file.h"
#include "task/inference.h"
#include "task/source_text.h"

namespace optiml::optimizer {
namespace {

using cuda_source::SourceFile;

std::filesystem::path task_file_of(const TaskChoice& choice) {
    if (!choice.task_file.empty()) return choice.task_file;
    return std::filesystem::path(choice.kernel_file).replace_extension(".toml");
}

Result<SourceFile> parse_kernel_file(const TaskChoice& choice, const task::CompileOptions& compile, const Disk& disk) {
    Result<std::string> text = task::read_source_text(choice.kernel_file, disk);
    if (!text) return tl::make_unexpected(text.error());
    cuda_source::ParseOptions options;
    options.file_name = choice.kernel_file;
    options.defines = compile.defines;
    options.include_paths = compile.include_paths;
    options.standard = compile.standard;
    options.cuda_include = gpu::find_cuda_headers();
    return cuda_source::parse(std::move(*text), options);
}

std::vector<std::string> kernel_names(const SourceFile& source) {
    std::vector<std::string> names;
    for (const cuda_source::FunctionId kernel : source.kernels()) names.push_back(source.functions[kernel].name);
    return names;
}

std::string indented(const std::string& text) {
    std::string result;
    bool begins_line = true;
    for (const char c : text) {
        if (begins_line && c != '\n') result += "    ";
        result += c;
        begins_line = c == '\n';
    }
    return result;
}

// Without a task file: what the kernel itself says, if that is all there is to know.
Result<task::Task> inferred_task(const std::filesystem::path& file, const SourceFile& source, const std::string& kernel, const Disk& disk) {
    const auto function = source.find_kernel(kernel);
    if (!function) return tl::make_unexpected(function.error());
    const task::InferredTask inferred = task::infer_task(source, *function);
    if (inferred.questions.empty()) {
        Result<task::Task> task = task::parse_task(inferred.toml, file, disk);
        if (task) {
            task->source_file = source.name;
            task->source = source.text;
        }
        return task;
    }
    return user_error(fmt::format("there is no task file {}, and the kernel alone does not say enough: {}", file.string(),
                                  fmt::join(inferred.questions, " ")),
                      {file.string()}, fmt::format("Write one (docs/task_files.md), such as:\n{}", indented(inferred.toml)));
}

Result<std::string> only_kernel(const TaskChoice& choice, const SourceFile& source) {
    const std::vector<std::string> names = kernel_names(source);
    if (names.empty()) {
        if (const Status status = cuda_source::first_error(source); !status) return tl::make_unexpected(status.error());
        return user_error("there is no __global__ function in the file", {choice.kernel_file}, "Give a file that defines a kernel.");
    }
    if (!choice.kernel.empty()) {
        return source.find_kernel(choice.kernel).map([&](cuda_source::FunctionId) { return choice.kernel; });
    }
    if (names.size() == 1) return names.front();
    return user_error("the file defines several kernels", {choice.kernel_file},
                      fmt::format("Choose one with --kernel: {}.", fmt::join(names, ", ")));
}

// The task speaks of kernels that the file has, and launches the one asked for.
Status check_kernels(const TaskChoice& choice, const task::Task& task, const SourceFile& source) {
    std::vector<std::string> launched;
    for (const task::Step& step : task.plan.steps) {
        if (step.kind == task::Step::Kind::launch) launched.push_back(step.launch.kernel);
    }
    if (!choice.kernel.empty() && std::find(launched.begin(), launched.end(), choice.kernel) == launched.end()) {
        return user_error(fmt::format("the task does not launch the kernel '{}'", choice.kernel), {task.file},
                          fmt::format("It launches: {}.", fmt::join(launched, ", ")));
    }
    // Where clang sees errors, the compiler's own message is the better one: it comes with the first build.
    if (!cuda_source::first_error(source)) return {};
    if (const Result<std::string> any = only_kernel({choice.kernel_file, {}, task.kernel, {}, {}, {}}, source); !any) {
        return tl::make_unexpected(any.error());
    }
    for (const std::string& kernel : launched) {
        if (const auto found = source.find_kernel(kernel); !found) return tl::make_unexpected(found.error());
    }
    return {};
}

Result<task::Task> with_reference(Result<task::Task> task, const TaskChoice& choice, const Disk& disk) {
    if (!task || choice.reference.empty()) return task;
    const Status status = task::set_reference(*task, choice.reference, disk);
    if (!status) return tl::make_unexpected(status.error());
    return task;
}

}  // namespace

Result<task::Task> load_task(const TaskChoice& choice, const Disk& disk) {
    const std::filesystem::path file = task_file_of(choice);
    if (!disk.exists(file) && choice.task_file.empty()) {
        const Result<SourceFile> source = parse_kernel_file(choice, {}, disk);
        if (!source) return tl::make_unexpected(source.error());
        const Result<std::string> kernel = only_kernel(choice, *source);
        if (!kernel) return tl::make_unexpected(kernel.error());
        return with_reference(inferred_task(file, *source, *kernel, disk), choice, disk);
    }
    if (!disk.exists(choice.kernel_file)) return tl::make_unexpected(disk.read(choice.kernel_file).error());
    Result<task::Task> task = task::load_task(file, disk);
    if (!task) return task;
    const Result<SourceFile> source = parse_kernel_file(choice, task->compile, disk);
    if (!source) return tl::make_unexpected(source.error());
    task->source_file = choice.kernel_file;
    task->source = source->text;
    if (!choice.kernel.empty()) task->kernel = choice.kernel;
    if (const Status status = check_kernels(choice, *task, *source); !status) return tl::make_unexpected(status.error());
    return with_reference(std::move(*task), choice, disk);
}

}  // namespace optiml::optimizer
