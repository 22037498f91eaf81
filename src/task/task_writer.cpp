#include "task/task_writer.h"

#include <fmt/format.h>

namespace optiml::task {
namespace {

// A TOML basic string.
std::string string_literal(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (static_cast<unsigned char>(c) < 0x20) {
            result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            result += c;
        }
    }
    return result + "\"";
}

std::string list(const std::vector<std::string>& items) {
    std::string text = "[";
    for (const std::string& item : items) text += (text.size() > 1 ? ", " : "") + item;
    return text + "]";
}

std::string strings(const std::vector<std::string>& names) {
    std::vector<std::string> items;
    for (const std::string& name : names) items.push_back(string_literal(name));
    return list(items);
}

// A number where it is one, else the expression in quotes.
std::string value_of(const Expression& expression) {
    const std::string& text = expression.canonical_text();
    return text.find_first_not_of("0123456789") == std::string::npos ? text : string_literal(text);
}

// Always with a point or an exponent, so that TOML reads a float; enough digits to read back the same.
std::string number(double value) {
    std::string text = fmt::format("{}", value);
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

// `{ a = 1, b = 2 }`; fields that are empty are left out.
class InlineTable {
public:
    InlineTable& add(std::string_view key, std::string value) {
        if (!value.empty()) fields_.push_back(fmt::format("{} = {}", key, value));
        return *this;
    }
    std::string text() const {
        std::string text = "{ ";
        for (const std::string& field : fields_) text += (text.size() > 2 ? ", " : "") + field;
        return text + " }";
    }

private:
    std::vector<std::string> fields_;
};

std::string text_if(bool condition, std::string text) { return condition ? std::move(text) : std::string(); }

void add_texture(const TextureDeclaration& texture, InlineTable& table) {
    const TextureSampling& sampling = texture.sampling;
    std::vector<std::string> extent;
    for (const Expression& expression : texture.extent) extent.push_back(value_of(expression));
    std::vector<std::string> modes;
    for (const TextureAddressMode mode : sampling.address) modes.push_back(string_literal(name_of(mode)));
    table.add(texture.is_surface ? "surface" : "texture", string_literal(name_of(texture.shape))).add("channels", fmt::format("{}", texture.channels));
    table.add("extent", list(extent)).add("levels", text_if(texture.levels != 1, fmt::format("{}", texture.levels)));
    table.add("filter", text_if(sampling.filter != TextureFilter::point, "\"linear\""));
    table.add("level_filter", text_if(sampling.level_filter != TextureFilter::point, "\"linear\""));
    table.add("normalized", text_if(sampling.normalized_coordinates, "true"));
    table.add("address", text_if(sampling.address != TextureSampling{}.address, list(modes)));
    table.add("read", text_if(sampling.normalized_floats, "\"normalized_float\""));
}

std::string argument_of(const Argument& argument) {
    InlineTable table;
    table.add("type", string_literal(name_of(argument.type)));
    if (argument.role == Role::scalar) {
        table.add("value", is_float(argument.type) ? number(argument.float_value) : value_of(argument.value));
        return table.text();
    }
    if (argument.texture) {
        add_texture(*argument.texture, table);
    } else {
        table.add("extent", value_of(argument.extent));
    }
    table.add("role", argument.role == Role::input ? "" : argument.role == Role::output ? "\"output\"" : "\"inout\"");
    table.add("fill", text_if(argument.role != Role::output && !argument.fill.is_default, fill_text(argument.fill)));
    table.add("alignment_offset", text_if(!(argument.alignment_offset == Expression(0)), value_of(argument.alignment_offset)));
    table.add("special_values", text_if(!argument.may_contain_special_values, "false"));
    return table.text();
}

std::string size_of(const NamedSize& size) {
    InlineTable table;
    table.add("small", fmt::format("{}", size.small_value)).add("large", fmt::format("{}", size.large_value));
    table.add("minimum", text_if(size.minimum != 0, fmt::format("{}", size.minimum)));
    table.add("maximum", text_if(size.maximum != INT64_MAX, fmt::format("{}", size.maximum)));
    table.add("multiple_of", text_if(!(size.multiple_of == Expression(1)), value_of(size.multiple_of)));
    table.add("power_of_two", text_if(size.power_of_two, "true"));
    return table.text();
}

std::string launch_argument_of(const LaunchArgument& argument) {
    if (!argument.scalar_argument.empty()) return string_literal(argument.scalar_argument);
    InlineTable table;
    if (argument.buffers.empty()) {
        return table.add("value", value_of(argument.value)).add("type", string_literal(name_of(argument.type))).text();
    }
    const bool has_offset = !(argument.offset == Expression(0));
    if (argument.buffers.size() == 1 && !has_offset) return string_literal(argument.buffers.front());
    if (argument.buffers.size() == 1) {
        table.add("buffer", string_literal(argument.buffers.front()));
    } else {
        table.add("buffers", strings(argument.buffers)).add("select", value_of(argument.selector));
    }
    return table.add("offset", text_if(has_offset, value_of(argument.offset))).text();
}

std::string extents_of(const Expression (&extents)[3]) {
    return list({value_of(extents[0]), value_of(extents[1]), value_of(extents[2])});
}

std::string repeat_of(const Repeat& repeat) {
    InlineTable table;
    table.add("variable", string_literal(repeat.variable)).add("from", value_of(repeat.from)).add("while", value_of(repeat.condition));
    table.add("next", value_of(repeat.next)).add("counter", text_if(!repeat.counter.empty(), string_literal(repeat.counter)));
    return table.text();
}

using Fields = std::vector<std::pair<std::string, std::string>>;

// A step without the loops above `depth`.
Fields step_of(const Step& step, std::size_t depth) {
    Fields fields;
    std::vector<std::string> loops;
    for (std::size_t i = depth; i < step.repeats.size(); ++i) loops.push_back(repeat_of(step.repeats[i]));
    if (!loops.empty()) fields.emplace_back("repeat", list(loops));
    if (step.kind == Step::Kind::clear) {
        InlineTable clear;
        clear.add("buffer", string_literal(step.clear.buffer)).add("value", fmt::format("{}", step.clear.value));
        fields.emplace_back("clear", clear.text());
        return fields;
    }
    const Launch& launch = step.launch;
    std::vector<std::string> arguments;
    for (const LaunchArgument& argument : launch.arguments) arguments.push_back(launch_argument_of(argument));
    fields.emplace_back("kernel", string_literal(launch.kernel));
    fields.emplace_back("grid", extents_of(launch.grid));
    fields.emplace_back("block", extents_of(launch.block));
    if (!(launch.dynamic_shared == Expression(0))) fields.emplace_back("dynamic_shared", value_of(launch.dynamic_shared));
    fields.emplace_back("arguments", list(arguments));
    return fields;
}

std::string inline_text(const Fields& fields) {
    InlineTable table;
    for (const auto& [key, value] : fields) table.add(key, value);
    return table.text();
}

// Steps [first, last) share their loops above `depth`; those that share the next one too become one loop over steps.
std::vector<Fields> entries_of(const std::vector<Step>& steps, std::size_t first, std::size_t last, std::size_t depth) {
    std::vector<Fields> entries;
    while (first < last) {
        const std::vector<Repeat>& repeats = steps[first].repeats;
        if (repeats.size() <= depth || repeats[depth].group.empty()) {
            entries.push_back(step_of(steps[first++], depth));
            continue;
        }
        std::size_t end = first + 1;
        while (end < last && steps[end].repeats.size() > depth && steps[end].repeats[depth] == repeats[depth]) ++end;
        std::vector<std::string> inner;
        for (const Fields& fields : entries_of(steps, first, end, depth + 1)) inner.push_back("\n    " + inline_text(fields));
        entries.push_back({{"repeat", repeat_of(repeats[depth])}, {"steps", list(inner)}});
        first = end;
    }
    return entries;
}

template <class Items, class Text>
std::string section(std::string_view name, const Items& items, Text text_of) {
    std::string text;
    for (const auto& item : items) text += fmt::format("{} = {}\n", item.name, text_of(item));
    return text.empty() ? text : fmt::format("\n[{}]\n{}", name, text);
}

std::string options(std::string_view name, const Fields& fields) {
    std::string text;
    for (const auto& [key, value] : fields) {
        if (!value.empty()) text += fmt::format("{} = {}\n", key, value);
    }
    return text.empty() ? text : fmt::format("\n[{}]\n{}", name, text);
}

std::string compile_of(const CompileOptions& compile) {
    return options("compile", {{"defines", text_if(!compile.defines.empty(), strings(compile.defines))},
                               {"include_paths", text_if(!compile.include_paths.empty(), strings(compile.include_paths))},
                               {"options", text_if(!compile.extra.empty(), strings(compile.extra))},
                               {"standard", text_if(compile.standard != CompileOptions{}.standard, string_literal(compile.standard))}});
}

std::string checks_of(const Checks& checks) {
    return options("checks",
                   {{"tolerance_factor", text_if(checks.tolerance_factor != Checks{}.tolerance_factor, number(checks.tolerance_factor))},
                    {"absolute", text_if(checks.absolute.has_value(), number(checks.absolute.value_or(0)))},
                    {"relative", text_if(checks.relative.has_value(), number(checks.relative.value_or(0)))},
                    {"bitwise", text_if(checks.bitwise, "true")},
                    {"compare_nan_exactly", text_if(!checks.compare_nan_exactly, "false")}});
}

std::string allowances_of(const Allowances& allow) {
    return options("allow", {{"fast_math", text_if(allow.fast_math, "true")},
                             {"tf32", text_if(allow.tf32, "true")},
                             {"reassociation", text_if(allow.reassociation, "true")},
                             {"reduced_precision", text_if(allow.reduced_precision, "true")}});
}

}  // namespace

std::string fill_text(const Fill& fill) {
    switch (fill.kind) {
        case FillKind::uniform: return fmt::format("{{ uniform = [{}, {}] }}", number(fill.low), number(fill.high));
        case FillKind::normal: return fmt::format("{{ normal = [{}, {}] }}", number(fill.mean), number(fill.deviation));
        case FillKind::integers:
            if (fill.low_expression && fill.high_expression) {
                return fmt::format("{{ integers = [{}, {}] }}", value_of(*fill.low_expression), value_of(*fill.high_expression));
            }
            return fmt::format("{{ integers = [{:.0f}, {:.0f}] }}", fill.low, fill.high);
        case FillKind::constant: return fmt::format("{{ constant = {} }}", number(fill.value));
        case FillKind::ramp: return fmt::format("{{ ramp = [{}, {}] }}", number(fill.value), number(fill.step));
        case FillKind::permutation: return "\"permutation\"";
        case FillKind::file: return fmt::format("{{ file = {} }}", string_literal(fill.file));
    }
    return {};
}

std::string task_file_text(const Task& task, const std::string& source_file) {
    std::string text = fmt::format("kernel = {}\nsource = {}\n", string_literal(task.kernel), string_literal(source_file));
    text += section("sizes", task.sizes, size_of);
    text += section("arguments", task.arguments, argument_of);
    text += section("scratch", task.plan.scratch, [](const Scratch& scratch) {
        return InlineTable().add("type", string_literal(name_of(scratch.type))).add("extent", value_of(scratch.extent)).text();
    });
    text += compile_of(task.compile) + checks_of(task.checks) + allowances_of(task.allowances);
    for (const Fields& fields : entries_of(task.plan.steps, 0, task.plan.steps.size(), 0)) {
        text += "\n[[launch]]\n";
        for (const auto& [key, value] : fields) text += fmt::format("{} = {}\n", key, value);
    }
    return text;
}

}  // namespace optiml::task
