#include "task/launch_plan.h"

#include <fmt/format.h>

namespace optiml::task {
namespace {

// Quoted, so that no name can be mistaken for the text around it.
std::string with_length(std::string_view text) { return fmt::format("{}:{}", text.size(), text); }

std::string text_of(const Expression& expression) { return with_length(expression.canonical_text()); }

std::string text_of(const Expression (&extents)[3]) {
    return text_of(extents[0]) + "," + text_of(extents[1]) + "," + text_of(extents[2]);
}

std::string text_of(const LaunchArgument& argument) {
    if (!argument.scalar_argument.empty()) return "scalar " + with_length(argument.scalar_argument);
    if (argument.buffers.empty()) return fmt::format("value {} {}", name_of(argument.type), text_of(argument.value));
    std::string text = "buffer";
    for (const std::string& name : argument.buffers) text += " " + with_length(name);
    // With one buffer the selector has no meaning.
    if (argument.buffers.size() > 1) text += " at " + text_of(argument.selector);
    return text + " plus " + text_of(argument.offset);
}

std::string text_of(const Launch& launch) {
    std::string text = fmt::format("launch {} grid {} block {} shared {}", with_length(launch.kernel), text_of(launch.grid),
                                   text_of(launch.block), text_of(launch.dynamic_shared));
    for (const LaunchArgument& argument : launch.arguments) text += "\n    " + text_of(argument);
    return text;
}

std::string text_of(const Repeat& repeat) {
    return fmt::format("repeat {} from {} while {} next {} counter {} group {}", with_length(repeat.variable), text_of(repeat.from),
                       text_of(repeat.condition), text_of(repeat.next), with_length(repeat.counter), with_length(repeat.group));
}

}  // namespace

std::string LaunchPlan::canonical_text() const {
    std::string text;
    for (const Scratch& buffer : scratch) {
        text += fmt::format("scratch {} {} {}\n", with_length(buffer.name), name_of(buffer.type), text_of(buffer.extent));
    }
    for (const Step& step : steps) {
        text += "step\n";
        for (const Repeat& repeat : step.repeats) text += "  " + text_of(repeat) + "\n";
        text += step.kind == Step::Kind::launch
                    ? "  " + text_of(step.launch) + "\n"
                    : fmt::format("  clear {} {}\n", with_length(step.clear.buffer), step.clear.value);
    }
    return text;
}

}  // namespace optiml::task
