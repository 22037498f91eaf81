// The `launch` key: one table or an array of them, each a launch, a clear, or a loop over steps.

#include <algorithm>

#include <fmt/format.h>

#include "task/nearest.h"
#include "task/task_file.h"

namespace optiml::task {
namespace {

class LaunchReader {
public:
    explicit LaunchReader(const Task& task) : task_(task) {}

    Result<std::vector<Step>> read(const toml::node& node) {
        read_steps(node, "'launch'", {});
        if (error_) return tl::make_unexpected(*error_);
        return std::move(steps_);
    }

private:
    void read_steps(const toml::node& node, const std::string& what, const std::vector<Repeat>& loops) {
        if (const auto* table = node.as_table()) return read_step(*table, loops);
        const toml::array* array = node.as_array();
        if (array == nullptr) {
            return fail(node, fmt::format("{} is {}, not a table", what, kind_of(node)), "Write a [launch] or several [[launch]].");
        }
        for (const toml::node& item : *array) {
            if (const auto* table = item.as_table()) {
                read_step(*table, loops);
            } else {
                fail(item, fmt::format("{} holds {}, not a table", what, kind_of(item)), "Each step is a table: { kernel = ... }.");
            }
        }
    }

    void read_step(const toml::table& content, std::vector<Repeat> loops) {
        TomlTable table(content, task_.file, "[launch]");
        const bool is_loop = content.contains("steps");
        read_repeats(table, is_loop, loops);
        read_clears(table, loops);
        if (const toml::node* inner = table.find("steps")) {
            if (loops.empty()) table.fail(*inner, "'steps' stands without 'repeat'", "Say over what to loop, or list the steps directly.");
            read_steps(*inner, "'steps'", loops);
        } else if (content.contains("grid") || content.contains("block") || content.contains("kernel") || !content.contains("clear")) {
            read_launch(table, loops);
        }
        if (Status status = table.finish(); !status) fail(std::move(status.error()));
    }

    // Steps inside one loop share it: its group is a number of its own. A loop around a single launch is that launch's alone,
    // unless clears stand before the launch inside the same loop.
    void read_repeats(TomlTable& table, bool is_loop, std::vector<Repeat>& loops) {
        const toml::node* node = table.find("repeat");
        if (node == nullptr) return;
        const bool shared = is_loop || table.find("clear") != nullptr;
        const auto read_one = [&](const toml::node& item) {
            if (auto loop = table.as_table(item, "'repeat'")) loops.push_back(read_repeat(*loop, shared));
        };
        if (const auto* array = node->as_array()) {
            for (const toml::node& item : *array) read_one(item);
        } else {
            read_one(*node);
        }
    }

    Repeat read_repeat(TomlTable& table, bool shared) {
        Repeat repeat;
        if (!table.read("variable", repeat.variable)) table.fail("'repeat' has no variable", "Name it: variable = \"offset\".");
        table.read("from", repeat.from);
        if (!table.read("while", repeat.condition)) table.fail("'repeat' has no end", "Say how long it runs: while = \"offset < n\".");
        if (!table.read("next", repeat.next)) {
            if (auto increment = Expression::parse(repeat.variable + " + 1", table.where())) repeat.next = std::move(*increment);
        }
        table.read("counter", repeat.counter);
        if (shared) repeat.group = fmt::format("{}", ++groups_);
        if (Status status = table.finish(); !status) fail(std::move(status.error()));
        return repeat;
    }

    void read_clears(TomlTable& table, const std::vector<Repeat>& loops) {
        const toml::node* node = table.find("clear");
        if (node == nullptr) return;
        const auto add = [&](Clear clear, const toml::node& at) {
            if (!is_buffer(clear.buffer)) {
                table.fail(at, fmt::format("'clear' names '{}', which is no buffer", clear.buffer),
                           suggestion_for(clear.buffer, buffer_names(), "buffers"));
            }
            Step step;
            step.kind = Step::Kind::clear;
            step.clear = std::move(clear);
            step.repeats = loops;
            steps_.push_back(std::move(step));
        };
        if (node->is_table()) {
            auto inner = table.as_table(*node, "'clear'");
            Clear clear;
            std::int64_t value = 0;
            if (!inner->read("buffer", clear.buffer)) inner->fail("'clear' names no buffer", "Write { buffer = \"x\", value = 255 }.");
            inner->read("value", value);
            if (value < 0 || value > 255) inner->fail("'clear' sets bytes to a value outside 0 to 255", "Bytes are set as cudaMemset does.");
            clear.value = static_cast<std::uint8_t>(value);
            if (Status status = inner->finish(); !status) return fail(std::move(status.error()));
            return add(std::move(clear), *node);
        }
        std::vector<std::string> buffers;
        table.convert(*node, "'clear'", buffers);
        for (std::string& buffer : buffers) add({std::move(buffer), 0}, *node);
    }

    void read_launch(TomlTable& table, std::vector<Repeat> loops) {
        Step step;
        Launch& launch = step.launch;
        launch.kernel = task_.kernel;
        table.read("kernel", launch.kernel);
        read_extents(table, "grid", launch.grid);
        read_extents(table, "block", launch.block);
        table.read("dynamic_shared", launch.dynamic_shared);
        read_launch_arguments(table, launch);
        step.repeats = std::move(loops);
        steps_.push_back(std::move(step));
    }

    static void read_extents(TomlTable& table, std::string_view key, Expression (&extents)[3]) {
        const toml::node* node = table.find(key);
        if (node == nullptr) {
            return table.fail_missing(key, fmt::format("the launch has no {}", key), fmt::format("Give it one: {} = \"...\" or [x, y, z].", key));
        }
        const std::string what = fmt::format("'{}'", key);
        const toml::array* array = node->as_array();
        if (array == nullptr) return table.convert(*node, what, extents[0]);
        if (array->empty() || array->size() > 3) {
            return table.fail(*node, fmt::format("{} has {} extents", what, array->size()), "Give one to three: [x, y, z].");
        }
        for (std::size_t i = 0; i < array->size(); ++i) table.convert((*array)[i], what, extents[i]);
    }

    void read_launch_arguments(TomlTable& table, Launch& launch) {
        const toml::node* node = table.find("arguments");
        if (node == nullptr) {
            if (launch.kernel != task_.kernel) {
                table.fail(fmt::format("the launch of {} lists no arguments", launch.kernel),
                           "Only the task's kernel takes [arguments] by default: arguments = [\"x\", \"n\"].");
            }
            for (const Argument& argument : task_.arguments) launch.arguments.push_back(argument_named(argument.name));
            return;
        }
        const toml::array* array = node->as_array();
        if (array == nullptr) return table.fail(*node, "'arguments' is not an array", "List them in order: [\"x\", \"n\"].");
        for (const toml::node& item : *array) launch.arguments.push_back(read_launch_argument(table, item));
    }

    LaunchArgument read_launch_argument(TomlTable& table, const toml::node& node) {
        if (const auto* name = node.as_string()) {
            if (is_buffer(name->get()) || task_.find_argument(name->get()) != nullptr) return argument_named(name->get());
        }
        LaunchArgument argument;
        if (!node.is_table()) {
            table.convert(node, "a launch argument", argument.value);
            return argument;
        }
        auto inner = table.as_table(node, "a launch argument");
        const bool has_one = inner->read("buffer", argument.buffers);
        if (inner->read("buffers", argument.buffers) || has_one) {
            read_buffer_argument(*inner, argument);
        } else {
            if (!inner->read("value", argument.value)) {
                inner->fail("a launch argument has neither buffer nor value", "Write { value = \"2 * n\", type = \"i64\" }.");
            }
            inner->read("type", argument.type);
            if (is_float(argument.type)) {
                inner->fail("a launch argument that is computed has a float type",
                            "Declare it in [arguments] with a type and a value, and name it here.");
            }
        }
        if (Status status = inner->finish(); !status) fail(std::move(status.error()));
        return argument;
    }

    void read_buffer_argument(TomlTable& table, LaunchArgument& argument) {
        for (const std::string& name : argument.buffers) {
            if (is_buffer(name)) continue;
            table.fail(fmt::format("a launch argument names '{}', which is no buffer", name),
                       suggestion_for(name, buffer_names(), "buffers"));
        }
        const bool selects = table.read("select", argument.selector);
        if (argument.buffers.size() > 1 && !selects) {
            table.fail("a launch argument has several buffers and no 'select'", "Say which to pass: select = \"step % 2\".");
        }
        table.read("offset", argument.offset);
    }

    LaunchArgument argument_named(const std::string& name) const {
        LaunchArgument result;
        const Argument* argument = task_.find_argument(name);
        if (argument != nullptr && argument->role == Role::scalar) {
            result.scalar_argument = name;
            result.type = argument->type;
        } else {
            result.buffers = {name};
        }
        return result;
    }

    std::vector<std::string> buffer_names() const {
        std::vector<std::string> names;
        for (const Argument& argument : task_.arguments) {
            if (argument.role != Role::scalar) names.push_back(argument.name);
        }
        for (const Scratch& scratch : task_.plan.scratch) names.push_back(scratch.name);
        return names;
    }

    bool is_buffer(const std::string& name) const {
        const std::vector<std::string> names = buffer_names();
        return std::find(names.begin(), names.end(), name) != names.end();
    }

    void fail(Error error) {
        if (!error_) error_ = std::move(error);
    }
    void fail(const toml::node& node, std::string message, std::string remedy) {
        const toml::source_position begin = node.source().begin;
        fail({ErrorKind::user, std::move(message),
              {task_.file, static_cast<std::uint32_t>(begin.line), static_cast<std::uint32_t>(begin.column)}, std::move(remedy)});
    }

    const Task& task_;
    std::vector<Step> steps_;
    std::optional<Error> error_;
    int groups_ = 0;
};

}  // namespace

Result<std::vector<Step>> read_launches(const toml::node& node, const Task& task) { return LaunchReader(task).read(node); }

}  // namespace optiml::task
