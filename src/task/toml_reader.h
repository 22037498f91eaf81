#pragma once
// Reads TOML tables key by key into fields. The first error sticks and finish() returns it, so that readers need no checks between;
// every error names file, line, column and a remedy, and keys that nobody asked for are errors.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include "base/result.h"
#include "task/expression.h"
#include "task/scalar_type.h"

namespace optiml::task {

struct NamedNode {
    std::string name;
    const toml::node* node = nullptr;
};

class TomlTable {
public:
    // what: how errors call the table, e.g. "size n".
    TomlTable(const toml::table& table, std::string file, std::string what)
        : table_(&table), file_(std::move(file)), what_(std::move(what)) {}

    // nullptr where the key is absent. A key is known from then on.
    const toml::node* find(std::string_view key);
    // Whether the key is there; the target keeps its value if not, or if the value is of another kind.
    template <class T>
    bool read(std::string_view key, T& target) {
        const toml::node* node = find(key);
        if (node != nullptr) convert(*node, "'" + std::string(key) + "'", target);
        return node != nullptr;
    }
    template <class T>
    bool read(std::string_view key, std::optional<T>& target) {
        const toml::node* node = find(key);
        if (node != nullptr) convert(*node, "'" + std::string(key) + "'", target.emplace());
        return node != nullptr;
    }
    // A table inside; what: how its errors call it.
    std::optional<TomlTable> table(std::string_view key, std::string what);
    std::optional<TomlTable> as_table(const toml::node& node, std::string what);

    // All keys in the order of the file, each known from then on.
    std::vector<NamedNode> entries();

    // Single nodes, for keys that take several kinds of values. what: how errors call the value.
    void convert(const toml::node& node, std::string_view what, std::string& target);
    void convert(const toml::node& node, std::string_view what, bool& target);
    void convert(const toml::node& node, std::string_view what, double& target);
    void convert(const toml::node& node, std::string_view what, Expression& target);
    void convert(const toml::node& node, std::string_view what, std::int64_t& target);  // an integer or a constant expression
    void convert(const toml::node& node, std::string_view what, ScalarType& target);
    void convert(const toml::node& node, std::string_view what, std::vector<std::string>& target);  // one string or an array

    void fail(Error error);
    void fail(const toml::node& node, std::string message, std::string remedy);
    void fail(std::string message, std::string remedy) { fail(*table_, std::move(message), std::move(remedy)); }
    // A key that must be there is absent: says so, or that a key that is there is a misspelling of it.
    void fail_missing(std::string_view key, std::string message, std::string remedy);
    bool failed() const { return error_.has_value(); }
    // The first error, if any; else an error for the first key that nobody asked for.
    Status finish() const;

    SourceLocation where() const { return place_of(*table_); }
    SourceLocation place_of(const toml::node& node) const;
    const std::string& file() const { return file_; }
    const std::string& what() const { return what_; }

private:
    Error unknown_key(const toml::key& key, std::span<const std::string> known) const;

    const toml::table* table_;
    std::string file_;
    std::string what_;
    std::vector<std::string> known_;
    std::optional<Error> error_;
};

// "a string", "an integer" ...
std::string_view kind_of(const toml::node& node);

}  // namespace optiml::task
