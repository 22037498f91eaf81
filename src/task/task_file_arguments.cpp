// [sizes], [arguments] with their fills, and [scratch].

#include <array>
#include <utility>

#include <fmt/format.h>

#include "task/nearest.h"
#include "task/task_file.h"

namespace optiml::task {
namespace {

// fill = "permutation" or fill = { uniform = [-1, 1] }: the kinds by their names.
constexpr std::array<std::pair<std::string_view, FillKind>, 7> kFillKinds{{
    {"uniform", FillKind::uniform},
    {"normal", FillKind::normal},
    {"integers", FillKind::integers},
    {"constant", FillKind::constant},
    {"ramp", FillKind::ramp},
    {"permutation", FillKind::permutation},
    {"file", FillKind::file},
}};

std::vector<std::string> fill_names() {
    std::vector<std::string> names;
    for (const auto& [name, kind] : kFillKinds) names.emplace_back(name);
    return names;
}

const FillKind* fill_kind_named(std::string_view name) {
    for (const auto& entry : kFillKinds) {
        if (entry.first == name) return &entry.second;
    }
    return nullptr;
}

// An array of two, each converted to T.
template <class T>
void read_pair(TomlTable& table, const toml::node& node, std::string_view what, T& first, T& second) {
    const toml::array* array = node.as_array();
    if (array == nullptr || array->size() != 2) {
        return table.fail(node, fmt::format("{} is not a pair", what), fmt::format("Write {} = [FIRST, SECOND].", what));
    }
    table.convert((*array)[0], what, first);
    table.convert((*array)[1], what, second);
}

void read_fill_values(TomlTable& table, const toml::node& node, std::string_view what, Fill& fill) {
    switch (fill.kind) {
        case FillKind::uniform:
            read_pair(table, node, what, fill.low, fill.high);
            if (!(fill.low < fill.high)) table.fail(node, "a uniform fill has an empty range", "Write uniform = [LOW, HIGH].");
            break;
        case FillKind::normal:
            read_pair(table, node, what, fill.mean, fill.deviation);
            if (!(fill.deviation >= 0)) table.fail(node, "a normal fill has a negative deviation", "Write normal = [MEAN, DEVIATION].");
            break;
        case FillKind::integers: read_pair(table, node, what, fill.low_expression.emplace(), fill.high_expression.emplace()); break;
        case FillKind::constant: table.convert(node, what, fill.value); break;
        case FillKind::ramp: read_pair(table, node, what, fill.value, fill.step); break;
        case FillKind::file: table.convert(node, what, fill.file); break;
        case FillKind::permutation:
            table.fail(node, "a permutation has no values", "Write fill = \"permutation\".");
            break;
    }
}

Result<Fill> fill_from_name(const std::string& name, const SourceLocation& where) {
    const FillKind* kind = fill_kind_named(name);
    if (kind == nullptr) {
        return user_error(fmt::format("unknown fill '{}'", name), where, suggestion_for(name, fill_names(), "fills"));
    }
    const bool has_defaults = *kind == FillKind::uniform || *kind == FillKind::normal || *kind == FillKind::ramp ||
                              *kind == FillKind::permutation;
    if (!has_defaults) {
        return user_error(fmt::format("the fill '{}' needs values", name), where,
                          *kind == FillKind::file ? "Write fill = { file = \"PATH\" }."
                          : *kind == FillKind::constant ? "Write fill = { constant = VALUE }."
                                                        : "Write fill = { integers = [LOW, HIGH] }.");
    }
    Fill fill;
    fill.kind = *kind;
    return fill;
}

Role role_named(TomlTable& table, const toml::node& node) {
    std::string name;
    table.convert(node, "'role'", name);
    if (name == "input" || table.failed()) return Role::input;
    if (name == "output") return Role::output;
    if (name == "inout") return Role::inout;
    if (name == "scalar") return Role::scalar;
    const std::vector<std::string> known{"input", "output", "inout", "scalar"};
    table.fail(node, fmt::format("unknown role '{}'", name), suggestion_for(name, known, "roles"));
    return Role::input;
}

void use_default_fill(Argument& argument) {
    if (is_float(argument.type)) return;
    argument.fill.kind = FillKind::integers;
    argument.fill.low_expression = Expression(can_hold(argument.type, -1) ? -100 : 0);
    argument.fill.high_expression = Expression(100);
    argument.fill.is_default = true;
}

void read_fill_key(TomlTable& table, Argument& argument) {
    const toml::node* node = table.find("fill");
    if (node == nullptr) return use_default_fill(argument);
    auto fill = read_fill(*node, table.file(), fmt::format("the fill of {}", argument.name));
    if (!fill) return table.fail(std::move(fill.error()));
    argument.fill = std::move(*fill);
    if (argument.role == Role::output) {
        table.fail(*node, fmt::format("{} is an output and has a fill", argument.name),
                   "Outputs hold nothing at first: remove the fill, or give role = \"inout\".");
    }
    if (argument.fill.kind == FillKind::normal && !is_float(argument.type)) {
        table.fail(*node, fmt::format("{} holds integers and has a normal fill", argument.name), "Write { integers = [LOW, HIGH] }.");
    }
    if (argument.fill.kind == FillKind::uniform && !is_float(argument.type)) {
        table.fail(*node, fmt::format("{} holds integers and has a uniform fill", argument.name), "Write { integers = [LOW, HIGH] }.");
    }
}

void read_buffer(TomlTable& table, Argument& argument) {
    table.read("alignment_offset", argument.alignment_offset);
    table.read("special_values", argument.may_contain_special_values);
    read_fill_key(table, argument);
}

// Read only: fills and special values as of other inputs.
void read_texture_argument(TomlTable& table, const toml::node& shape, Argument& argument) {
    read_texture(table, shape, argument);
    table.read("special_values", argument.may_contain_special_values);
    read_fill_key(table, argument);
    const toml::node* role = table.find("role");
    if (role != nullptr && role_named(table, *role) != Role::input) {
        table.fail(*role, fmt::format("{} is a texture, which kernels only read", argument.name), "Remove the role.");
    }
}

void read_surface_argument(TomlTable& table, const toml::node& shape, Argument& argument) {
    read_surface(table, shape, argument);
    if (const toml::node* role = table.find("role")) argument.role = role_named(table, *role);
    if (argument.role == Role::scalar) table.fail(*table.find("role"), fmt::format("{} is a surface and no scalar", argument.name), "Write input, output or inout.");
    table.read("special_values", argument.may_contain_special_values);
    read_fill_key(table, argument);
}

void read_scalar(TomlTable& table, Argument& argument) {
    argument.role = Role::scalar;
    if (is_float(argument.type)) {
        if (!table.read("value", argument.float_value)) {
            table.fail(fmt::format("the scalar {} has no value", argument.name), "Give it a number: value = 1e-5.");
        }
    } else if (!table.read("value", argument.value)) {
        // Checked with the other names later: there must be such a size.
        if (auto same_name = Expression::parse(argument.name, table.where())) argument.value = std::move(*same_name);
    }
}

Result<Argument> read_argument(const NamedNode& entry, TomlTable& section) {
    Argument argument;
    argument.name = entry.name;
    argument.where = section.place_of(*entry.node);
    if (entry.node->is_string()) {  // n = "i32": the size of the same name
        section.convert(*entry.node, fmt::format("argument {}", entry.name), argument.type);
        if (is_float(argument.type)) {
            section.fail(*entry.node, fmt::format("the scalar {} has no value", entry.name),
                         fmt::format("Write {} = {{ type = \"f32\", value = NUMBER }}.", entry.name));
        }
        argument.role = Role::scalar;
        if (auto same_name = Expression::parse(entry.name, argument.where)) argument.value = std::move(*same_name);
        return argument;
    }
    auto table = section.as_table(*entry.node, fmt::format("argument {}", entry.name));
    if (!table) return argument;  // section holds the error
    if (!table->read("type", argument.type)) {
        table->fail(fmt::format("argument {} has no type", entry.name), "Give it one: type = \"f32\".");
    }
    const toml::node* texture = table->find("texture");
    const toml::node* surface = texture == nullptr ? table->find("surface") : nullptr;
    if (texture != nullptr || surface != nullptr) {
        if (texture != nullptr) read_texture_argument(*table, *texture, argument);
        if (surface != nullptr) read_surface_argument(*table, *surface, argument);
        if (const Status status = table->finish(); !status) return tl::make_unexpected(status.error());
        return argument;
    }
    const toml::node* role = table->find("role");
    if (role != nullptr) argument.role = role_named(*table, *role);
    const bool has_extent = table->read("extent", argument.extent);
    if (role != nullptr && argument.role != Role::scalar && !has_extent) {
        table->fail(fmt::format("argument {} has no extent", entry.name), "Say how many elements it holds: extent = \"n\".");
    }
    if (has_extent && argument.role == Role::scalar) {
        table->fail(fmt::format("argument {} is a scalar and has an extent", entry.name), "Remove one of the two.");
    }
    if (has_extent) {
        read_buffer(*table, argument);
    } else {
        read_scalar(*table, argument);
    }
    if (const Status status = table->finish(); !status) return tl::make_unexpected(status.error());
    return argument;
}

Result<NamedSize> read_size(const NamedNode& entry, TomlTable& section) {
    NamedSize size;
    size.name = entry.name;
    size.where = section.place_of(*entry.node);
    if (!entry.node->is_table()) {  // n = 1024: small and large at once
        section.convert(*entry.node, fmt::format("size {}", entry.name), size.small_value);
        size.large_value = size.small_value;
        return size;
    }
    auto table = section.as_table(*entry.node, fmt::format("size {}", entry.name));
    if (!table->read("small", size.small_value)) {
        table->fail(fmt::format("size {} has no small value", entry.name), "Give it small = VALUE and large = VALUE.");
    }
    if (!table->read("large", size.large_value)) size.large_value = size.small_value;
    table->read("minimum", size.minimum);
    table->read("maximum", size.maximum);
    table->read("multiple_of", size.multiple_of);
    table->read("power_of_two", size.power_of_two);
    if (const Status status = table->finish(); !status) return tl::make_unexpected(status.error());
    return size;
}

// Reads every entry of a section in the order of the file.
template <class T, class Reader>
Result<std::vector<T>> read_entries(TomlTable section, Reader reader) {
    std::vector<T> result;
    for (const NamedNode& entry : section.entries()) {
        if (!is_expression_name(entry.name)) {
            section.fail(*entry.node, fmt::format("'{}' is no name", entry.name), "Names are letters, digits and _, as in C.");
        }
        auto item = reader(entry, section);
        if (!item) return tl::make_unexpected(std::move(item.error()));
        result.push_back(std::move(*item));
    }
    if (const Status status = section.finish(); !status) return tl::make_unexpected(status.error());
    return result;
}

}  // namespace

Result<Fill> read_fill(const toml::node& node, const std::string& file, const std::string& what) {
    const SourceLocation where{file, static_cast<std::uint32_t>(node.source().begin.line),
                               static_cast<std::uint32_t>(node.source().begin.column)};
    if (const auto* name = node.as_string()) return fill_from_name(name->get(), where);
    const toml::table* content = node.as_table();
    if (content == nullptr || content->size() != 1) {
        return user_error(what + " is no fill", where, "Write a kind with its values: { uniform = [-1, 1] }.");
    }
    TomlTable table(*content, file, what);
    Fill fill;
    for (const auto& [name, kind] : kFillKinds) {
        const toml::node* values = table.find(name);
        if (values == nullptr) continue;
        fill.kind = kind;
        read_fill_values(table, *values, name, fill);
    }
    if (const Status status = table.finish(); !status) return tl::make_unexpected(status.error());
    return fill;
}

Result<std::vector<NamedSize>> read_sizes(TomlTable section) { return read_entries<NamedSize>(std::move(section), read_size); }

Result<std::vector<Argument>> read_arguments(TomlTable section) {
    return read_entries<Argument>(std::move(section), read_argument);
}

Result<std::vector<Scratch>> read_scratch(TomlTable section) {
    return read_entries<Scratch>(std::move(section), [](const NamedNode& entry, TomlTable& outer) -> Result<Scratch> {
        Scratch scratch;
        scratch.name = entry.name;
        auto table = outer.as_table(*entry.node, fmt::format("scratch {}", entry.name));
        if (!table) return scratch;
        table->read("type", scratch.type);
        if (!table->read("extent", scratch.extent)) {
            table->fail(fmt::format("scratch {} has no extent", entry.name), "Say how many elements it holds: extent = \"n\".");
        }
        if (const Status status = table->finish(); !status) return tl::make_unexpected(status.error());
        return scratch;
    });
}

}  // namespace optiml::task
