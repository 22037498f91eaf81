#include "task/toml_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "task/nearest.h"

namespace optiml::task {
namespace {

bool stands_before(const toml::source_position& a, const toml::source_position& b) {
    return a.line != b.line ? a.line < b.line : a.column < b.column;
}

SourceLocation place(const std::string& file, const toml::source_position& position) {
    return {file, static_cast<std::uint32_t>(position.line), static_cast<std::uint32_t>(position.column)};
}

}  // namespace

std::string_view kind_of(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::string: return "a string";
        case toml::node_type::integer: return "an integer";
        case toml::node_type::floating_point: return "a float";
        case toml::node_type::boolean: return "a boolean";
        case toml::node_type::array: return "an array";
        case toml::node_type::table: return "a table";
        default: return "a date or time";
    }
}

SourceLocation TomlTable::place_of(const toml::node& node) const { return place(file_, node.source().begin); }

void TomlTable::fail(Error error) {
    if (!error_) error_ = std::move(error);
}

void TomlTable::fail(const toml::node& node, std::string message, std::string remedy) {
    fail(Error{ErrorKind::user, std::move(message), place_of(node), std::move(remedy)});
}

void TomlTable::fail_missing(std::string_view key, std::string message, std::string remedy) {
    const std::string wanted[] = {std::string(key)};
    for (const auto& [other, node] : *table_) {
        if (std::find(known_.begin(), known_.end(), other.str()) != known_.end() || nearest_name(other.str(), wanted).empty()) continue;
        return fail(unknown_key(other, wanted));
    }
    fail(std::move(message), std::move(remedy));
}

Error TomlTable::unknown_key(const toml::key& key, std::span<const std::string> known) const {
    return {ErrorKind::user, fmt::format("{} has the unknown key '{}'", what_, key.str()), place(file_, key.source().begin),
            suggestion_for(key.str(), known, "keys")};
}

const toml::node* TomlTable::find(std::string_view key) {
    known_.emplace_back(key);
    return table_->get(key);
}

std::optional<TomlTable> TomlTable::table(std::string_view key, std::string what) {
    const toml::node* node = find(key);
    return node == nullptr ? std::nullopt : as_table(*node, std::move(what));
}

std::optional<TomlTable> TomlTable::as_table(const toml::node& node, std::string what) {
    if (const auto* inner = node.as_table()) return TomlTable(*inner, file_, std::move(what));
    fail(node, fmt::format("{} is {}, not a table", what, kind_of(node)), "Write { key = value, ... } or a section of its own.");
    return std::nullopt;
}

std::vector<NamedNode> TomlTable::entries() {
    std::vector<NamedNode> result;
    for (const auto& [key, node] : *table_) {
        known_.emplace_back(key.str());
        result.push_back({std::string(key.str()), &node});
    }
    std::sort(result.begin(), result.end(), [](const NamedNode& a, const NamedNode& b) {
        return stands_before(a.node->source().begin, b.node->source().begin);
    });
    return result;
}

void TomlTable::convert(const toml::node& node, std::string_view what, std::string& target) {
    if (const auto* value = node.as_string()) {
        target = value->get();
    } else {
        fail(node, fmt::format("{} is {}, not a string", what, kind_of(node)), "Put it in quotes.");
    }
}

void TomlTable::convert(const toml::node& node, std::string_view what, bool& target) {
    if (const auto* value = node.as_boolean()) {
        target = value->get();
    } else {
        fail(node, fmt::format("{} is {}, not a boolean", what, kind_of(node)), "Write true or false.");
    }
}

void TomlTable::convert(const toml::node& node, std::string_view what, double& target) {
    if (const auto* real = node.as_floating_point()) {
        target = real->get();
    } else if (const auto* integer = node.as_integer()) {
        target = static_cast<double>(integer->get());
    } else {
        fail(node, fmt::format("{} is {}, not a number", what, kind_of(node)), "Write a number such as 0.5 or 1e-5.");
    }
}

void TomlTable::convert(const toml::node& node, std::string_view what, Expression& target) {
    SourceLocation begin = place_of(node);
    std::string text;
    if (const auto* integer = node.as_integer()) {
        text = fmt::format("{}", integer->get());
    } else if (const auto* string = node.as_string()) {
        text = string->get();
        ++begin.column;  // past the quote
    } else {
        return fail(node, fmt::format("{} is {}, not an expression", what, kind_of(node)),
                    "Write an integer, or an expression over the sizes in quotes, such as \"ceil_div(n, 256)\".");
    }
    auto parsed = Expression::parse(text, std::move(begin));
    if (!parsed) return fail(std::move(parsed.error()));
    target = std::move(*parsed);
}

void TomlTable::convert(const toml::node& node, std::string_view what, std::int64_t& target) {
    Expression expression;
    convert(node, what, expression);
    auto value = expression.evaluate({});
    if (!value) return fail(std::move(value.error()));
    target = *value;
}

void TomlTable::convert(const toml::node& node, std::string_view what, ScalarType& target) {
    std::string name;
    convert(node, what, name);
    if (failed()) return;
    if (const auto type = scalar_type_named(name)) {
        target = *type;
        return;
    }
    std::vector<std::string> known;
    for (int i = 0; i <= static_cast<int>(ScalarType::f64); ++i) known.emplace_back(name_of(static_cast<ScalarType>(i)));
    fail(node, fmt::format("unknown type '{}'", name), suggestion_for(name, known, "types"));
}

void TomlTable::convert(const toml::node& node, std::string_view what, std::vector<std::string>& target) {
    target.clear();
    if (const auto* array = node.as_array()) {
        for (const toml::node& item : *array) convert(item, what, target.emplace_back());
    } else {
        convert(node, what, target.emplace_back());
    }
}

Status TomlTable::finish() const {
    if (error_) return tl::make_unexpected(*error_);
    const toml::key* first_unknown = nullptr;
    for (const auto& [key, node] : *table_) {
        if (std::find(known_.begin(), known_.end(), key.str()) != known_.end()) continue;
        if (first_unknown == nullptr || stands_before(key.source().begin, first_unknown->source().begin)) first_unknown = &key;
    }
    if (first_unknown == nullptr) return {};
    return tl::make_unexpected(unknown_key(*first_unknown, known_));
}

}  // namespace optiml::task
