#include <algorithm>

#include <fmt/format.h>

#include "task/resolved.h"

namespace optiml::task {
namespace {

constexpr std::uint64_t kMaximumSteps = 1'000'000;
constexpr std::uint64_t kMostWholeBytes = std::uint64_t{1} << 30;

class Resolver {
public:
    Resolver(const Task& task, const LaunchPlan& plan, const Sizes& sizes) : task_(task), plan_(plan), names_(sizes) {}

    Result<ResolvedPlan> resolve() {
        for (const Argument& argument : task_.arguments) {
            if (argument.role != Role::scalar) add_buffer(argument);
        }
        for (const Scratch& scratch : plan_.scratch) add_scratch(scratch);
        run_steps(0, plan_.steps.size(), 0);
        if (error_) return tl::make_unexpected(*error_);
        return std::move(resolved_);
    }

private:
    void add_buffer(const Argument& argument) {
        ResolvedBuffer buffer;
        buffer.name = argument.name;
        buffer.type = argument.type;
        buffer.role = argument.role;
        buffer.elements = extent(argument.extent, argument.type, "extent of " + argument.name);
        const std::uint64_t offset = extent(argument.alignment_offset, argument.type, "alignment offset of " + argument.name);
        buffer.misalignment = static_cast<std::uint32_t>(std::min<std::uint64_t>(offset * bytes_of(argument.type), 256));
        if (buffer.misalignment >= 256) {
            fail(argument.alignment_offset, fmt::format("the alignment offset of {} is 256 bytes or more", argument.name),
                 "Buffers start up to 255 bytes after a 256-byte boundary.");
        }
        if (argument.texture) add_texture(argument, buffer);
        resolved_.buffers.push_back(std::move(buffer));
    }

    void add_texture(const Argument& argument, ResolvedBuffer& buffer) {
        auto description = description_of(*argument.texture, argument.type, argument.name, names_);
        if (!description) return fail(std::move(description.error()));
        buffer.texture = *description;
        buffer.is_surface = argument.texture->is_surface;
    }

    void add_scratch(const Scratch& scratch) {
        ResolvedBuffer buffer;
        buffer.name = scratch.name;
        buffer.type = scratch.type;
        buffer.role = Role::output;
        buffer.is_scratch = true;
        buffer.elements = extent(scratch.extent, scratch.type, "extent of " + scratch.name);
        resolved_.buffers.push_back(std::move(buffer));
    }

    // Runs steps [first, last), which share their outermost `depth` loops.
    void run_steps(std::size_t first, std::size_t last, std::size_t depth) {
        while (first < last && !error_) {
            const Step& step = plan_.steps[first];
            if (step.repeats.size() == depth) {
                add_step(step);
                ++first;
                continue;
            }
            std::size_t end = first + 1;
            while (end < last && shares_loop(step, plan_.steps[end], depth)) ++end;
            run_loop(step.repeats[depth], first, end, depth);
            first = end;
        }
    }

    static bool shares_loop(const Step& first, const Step& other, std::size_t depth) {
        return other.repeats.size() > depth && !first.repeats[depth].group.empty() && other.repeats[depth] == first.repeats[depth];
    }

    void run_loop(const Repeat& repeat, std::size_t first, std::size_t last, std::size_t depth) {
        const Sizes outside = names_;
        std::int64_t counter = 0;
        for (std::int64_t value = evaluate(repeat.from); !error_; value = evaluate(repeat.next)) {
            names_[repeat.variable] = value;
            if (!repeat.counter.empty()) names_[repeat.counter] = counter++;
            if (evaluate(repeat.condition) == 0) break;
            if (++iterations_ > kMaximumSteps) {
                fail(repeat.condition, fmt::format("the loop over {} runs over {} steps", repeat.variable, kMaximumSteps),
                     "Check its 'while' and 'next'; a plan may have 1,000,000 steps.");
            }
            run_steps(first, last, depth + 1);
        }
        names_ = outside;
    }

    void add_step(const Step& step) {
        if (resolved_.steps.size() >= kMaximumSteps) {
            return fail(Error{ErrorKind::user, "the plan has more than 1,000,000 steps", {task_.file}, "Launch fewer, larger grids."});
        }
        ResolvedStep resolved;
        if (step.kind == Step::Kind::clear) {
            resolved.is_clear = true;
            resolved.buffer = buffer_named(step.clear.buffer);
            if (!error_ && resolved_.buffers[resolved.buffer].texture) {
                fail(Error{ErrorKind::user, fmt::format("the plan clears {}, which is a texture or a surface", step.clear.buffer), {task_.file}, "Kernels write surfaces, and textures keep their values: remove it."});
            }
            resolved.clear_value = step.clear.value;
        } else {
            resolve_launch(step.launch, resolved);
        }
        if (!error_) resolved_.steps.push_back(std::move(resolved));
    }

    void resolve_launch(const Launch& launch, ResolvedStep& resolved) {
        resolved.kernel = launch.kernel;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            resolved.grid[axis] = not_negative(launch.grid[axis], "grid of " + launch.kernel);
            resolved.block[axis] = not_negative(launch.block[axis], "block of " + launch.kernel);
        }
        resolved.dynamic_shared = not_negative(launch.dynamic_shared, "dynamic shared memory of " + launch.kernel);
        for (const LaunchArgument& argument : launch.arguments) resolved.arguments.push_back(resolve_argument(argument));
    }

    ResolvedArgument resolve_argument(const LaunchArgument& argument) {
        if (!argument.scalar_argument.empty()) return scalar_argument(argument.scalar_argument);
        if (argument.buffers.empty()) return integer(argument.type, argument.value, "a launch argument");
        ResolvedArgument resolved;
        resolved.is_buffer = true;
        std::uint64_t selected = 0;
        if (argument.buffers.size() > 1) selected = not_negative(argument.selector, "selector");
        if (error_) return resolved;
        if (selected >= argument.buffers.size()) {
            fail(argument.selector, fmt::format("the selector is {}, but there are {} buffers", selected, argument.buffers.size()),
                 "Selectors count from 0.");
            return resolved;
        }
        resolved.buffer = buffer_named(argument.buffers[selected]);
        if (error_) return resolved;
        const ResolvedBuffer& buffer = resolved_.buffers[resolved.buffer];
        const std::uint64_t offset = not_negative(argument.offset, "offset into " + buffer.name);
        if (offset > buffer.elements) {
            fail(argument.offset, fmt::format("the offset {} is past the end of {} ({} elements)", offset, buffer.name, buffer.elements),
                 "Offsets count elements from the buffer's start.");
            return resolved;
        }
        if (buffer.texture && (offset != 0 || argument.buffers.size() > 1)) {
            fail(argument.offset, fmt::format("{} is a texture, which is passed with an offset or selected", buffer.name), "Pass it as it is.");
        }
        resolved.byte_offset = static_cast<std::int64_t>(offset * bytes_of(buffer.type));
        return resolved;
    }

    ResolvedArgument scalar_argument(const std::string& name) {
        const Argument* argument = task_.find_argument(name);
        if (argument == nullptr || argument->role != Role::scalar) {
            fail(Error{ErrorKind::user, fmt::format("a launch passes '{}', which is no scalar argument", name), {task_.file},
                       "Declare it in [arguments]."});
            return {};
        }
        if (!is_float(argument->type)) return integer(argument->type, argument->value, "the argument " + name);
        ResolvedArgument resolved;
        resolved.bytes.resize(bytes_of(argument->type));
        store_float(argument->type, argument->float_value, resolved.bytes.data());
        return resolved;
    }

    ResolvedArgument integer(ScalarType type, const Expression& expression, const std::string& what) {
        ResolvedArgument resolved;
        const std::int64_t value = evaluate(expression);
        if (error_) return resolved;
        if (!can_hold(type, value)) {
            fail(expression, fmt::format("{} is {}, which {} cannot hold", what, value, name_of(type)),
                 "Choose smaller sizes, or a wider type in kernel and task.");
        }
        resolved.bytes.resize(bytes_of(type));
        store_integer(type, value, resolved.bytes.data());
        return resolved;
    }

    std::uint32_t buffer_named(const std::string& name) {
        const auto found = std::find_if(resolved_.buffers.begin(), resolved_.buffers.end(),
                                        [&](const ResolvedBuffer& buffer) { return buffer.name == name; });
        if (found == resolved_.buffers.end()) {
            fail(Error{ErrorKind::user, fmt::format("the plan uses '{}', which is no buffer", name), {task_.file},
                       "Declare it in [arguments] or [scratch]."});
            return 0;
        }
        return static_cast<std::uint32_t>(found - resolved_.buffers.begin());
    }

    std::int64_t evaluate(const Expression& expression) {
        if (error_) return 0;
        auto value = expression.evaluate(names_);
        if (value) return *value;
        fail(std::move(value.error()));
        return 0;
    }

    std::uint64_t not_negative(const Expression& expression, const std::string& what) {
        const std::int64_t value = evaluate(expression);
        if (value >= 0) return static_cast<std::uint64_t>(value);
        fail(expression, fmt::format("the {} is negative ({})", what, value), "It must be 0 or more at these sizes.");
        return 0;
    }

    std::uint64_t extent(const Expression& expression, ScalarType type, const std::string& what) {
        const std::uint64_t elements = not_negative(expression, what);
        if (elements <= kMostBufferBytes / bytes_of(type)) return elements;
        fail(expression, fmt::format("the {} is {} elements of {} bytes, and a buffer may have {} GiB", what, elements, bytes_of(type), kMostBufferBytes >> 30),
             "Choose smaller sizes.");
        return 0;
    }

    void fail(const Expression& expression, std::string message, std::string remedy) {
        std::string text = fmt::format("{}: \"{}\"", message, expression.text());
        SourceLocation where = expression.where();
        if (where.file.empty()) where.file = task_.file;
        fail(Error{ErrorKind::user, std::move(text), std::move(where), std::move(remedy)});
    }
    void fail(Error error) {
        if (!error_) error_ = std::move(error);
    }

    const Task& task_;
    const LaunchPlan& plan_;
    Sizes names_;  // sizes, and the variables of the loops that run
    ResolvedPlan resolved_;
    std::optional<Error> error_;
    std::uint64_t iterations_ = 0;
};

}  // namespace

Result<ResolvedPlan> resolve(const Task& task, const LaunchPlan& plan, const Sizes& sizes) {
    return Resolver(task, plan, sizes).resolve();
}

Status check_small_sizes(const Task& task) {
    const auto plan = resolve(task, task.plan, task.small_sizes());
    if (!plan) return tl::make_unexpected(plan.error());
    std::uint64_t bytes = 0;
    const ResolvedBuffer* largest = nullptr;
    for (const ResolvedBuffer& buffer : plan->buffers) {
        const auto size = [](const ResolvedBuffer& of) { return of.elements * bytes_of(of.type); };
        bytes += size(buffer);
        if (largest == nullptr || size(buffer) > size(*largest)) largest = &buffer;
    }
    if (bytes <= kMostWholeBytes) return {};
    return user_error(fmt::format("the buffers have {} MiB at the small sizes, most of them in '{}'; what is verified is run whole, with at most {} MiB",
                                  bytes >> 20, largest->name, kMostWholeBytes >> 20),
                      {task.file}, "Choose smaller small sizes in the task file; large ones are sampled.");
}

}  // namespace optiml::task
