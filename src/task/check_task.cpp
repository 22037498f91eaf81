#include <algorithm>

#include <fmt/format.h>

#include "task/nearest.h"
#include "task/resolved.h"
#include "task/task_file.h"

namespace optiml::task {
namespace {

class TaskCheck {
public:
    explicit TaskCheck(const Task& task) : task_(task) {
        for (const NamedSize& size : task.sizes) known_.push_back(size.name);
    }

    Status check() {
        check_clashes();
        check_arguments();
        for (const NamedSize& size : task_.sizes) check_names(size.multiple_of, known_);
        for (const Scratch& scratch : task_.plan.scratch) check_names(scratch.extent, known_);
        for (const Step& step : task_.plan.steps) check_step(step);
        check_values(task_.small_sizes(), "small");
        check_values(task_.large_sizes(), "large");
        if (error_) return tl::make_unexpected(*error_);
        return check_small_sizes(task_);
    }

private:
    void check_clashes() {
        for (const Argument& argument : task_.arguments) {
            if (argument.role != Role::scalar && task_.find_size(argument.name) != nullptr) {
                fail(fmt::format("'{}' is both a size and a buffer", argument.name), argument.where, "Rename one of the two.");
            }
        }
        for (const Scratch& scratch : task_.plan.scratch) {
            if (task_.find_argument(scratch.name) == nullptr && task_.find_size(scratch.name) == nullptr) continue;
            fail(fmt::format("the scratch buffer '{}' has the name of an argument or size", scratch.name), scratch.extent.where(),
                 "Rename it.");
        }
    }

    void check_arguments() {
        bool has_output = false;
        for (const Argument& argument : task_.arguments) {
            has_output |= argument.role == Role::output || argument.role == Role::inout;
            if (argument.texture) check_texture(*argument.texture);
            check_names(argument.extent, known_);
            check_names(argument.alignment_offset, known_);
            if (argument.fill.low_expression) check_names(*argument.fill.low_expression, known_);
            if (argument.fill.high_expression) check_names(*argument.fill.high_expression, known_);
            if (argument.role == Role::scalar) check_scalar(argument);
        }
        if (!has_output) {
            fail("no argument is an output", {task_.file}, "Mark what the kernel writes: role = \"output\" or \"inout\".");
        }
    }

    void check_texture(const TextureDeclaration& texture) {
        for (const Expression& extent : texture.extent) check_names(extent, known_);
    }

    void check_scalar(const Argument& argument) {
        const bool defaulted = argument.value.text() == argument.name && task_.find_size(argument.name) == nullptr;
        if (!is_float(argument.type) && defaulted) {
            return fail(fmt::format("the scalar {} has no value, and no size has its name", argument.name), argument.where,
                        fmt::format("Write {} = {{ type = \"{}\", value = \"...\" }}.", argument.name, name_of(argument.type)));
        }
        check_names(argument.value, known_);
    }

    void check_step(const Step& step) {
        std::vector<std::string> known = known_;
        for (const Repeat& repeat : step.repeats) {
            check_names(repeat.from, known);
            for (const std::string& name : {repeat.variable, repeat.counter}) {
                if (name.empty()) continue;
                if (!is_expression_name(name) || std::find(known.begin(), known.end(), name) != known.end()) {
                    fail(fmt::format("the loop variable '{}' is no name, or is taken", name), repeat.condition.where(),
                         "Choose a name of its own, as in C.");
                }
                known.push_back(name);
            }
            check_names(repeat.condition, known);
            check_names(repeat.next, known);
        }
        if (step.kind == Step::Kind::clear) return;
        for (const Expression& extent : step.launch.grid) check_names(extent, known);
        for (const Expression& extent : step.launch.block) check_names(extent, known);
        check_names(step.launch.dynamic_shared, known);
        for (const LaunchArgument& argument : step.launch.arguments) {
            for (const Expression* expression : {&argument.selector, &argument.offset, &argument.value}) check_names(*expression, known);
        }
    }

    void check_names(const Expression& expression, const std::vector<std::string>& known) {
        for (const std::string& name : expression.names()) {
            if (std::find(known.begin(), known.end(), name) != known.end()) continue;
            SourceLocation where = expression.where();
            if (where.line != 0 && expression.text().find('\n') == std::string::npos) {
                where.column += static_cast<std::uint32_t>(expression.text().find(name));
            }
            fail(fmt::format("the expression \"{}\" uses '{}', which is no size", expression.text(), name), where,
                 suggestion_for(name, known, "sizes"));
        }
    }

    void check_values(const Sizes& sizes, std::string_view which) {
        if (error_) return;
        if (Status status = check_sizes(task_, sizes); !status) return fail(which, std::move(status.error()));
        if (auto plan = resolve(task_, task_.plan, sizes); !plan) fail(which, std::move(plan.error()));
    }

    void fail(std::string_view which, Error error) {
        error.message += fmt::format(" (at the {} sizes)", which);
        if (!error_) error_ = std::move(error);
    }
    void fail(std::string message, SourceLocation where, std::string remedy) {
        if (where.file.empty()) where.file = task_.file;
        if (!error_) error_ = Error{ErrorKind::user, std::move(message), std::move(where), std::move(remedy)};
    }

    const Task& task_;
    std::vector<std::string> known_;
    std::optional<Error> error_;
};

}  // namespace

Status check_task(const Task& task) { return TaskCheck(task).check(); }

}  // namespace optiml::task
