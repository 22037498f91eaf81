#include "ptx/scopes.h"

#include "base/text.h"

namespace optiml::ptx {
namespace {

// Whether name is prefix followed by a canonical number below count.
bool names_member(std::string_view name, std::string_view prefix, std::uint64_t count) {
    if (name.size() <= prefix.size() || !name.starts_with(prefix)) return false;
    const std::string_view digits = name.substr(prefix.size());
    if (digits.size() > 1 && digits[0] == '0') return false;
    const auto number = parsed_number<std::uint64_t>(digits);
    return number && *number < count;
}

}  // namespace

void Scopes::open() {
    const auto id = static_cast<std::uint32_t>(parents_.size());
    parents_.push_back(open_.empty() ? none : open_.back().id);
    open_.push_back({id, {}, {}});
}

bool Scopes::close() {
    if (open_.size() == 1) return false;
    open_.pop_back();
    return true;
}

bool Scopes::declare(std::string_view name, Symbol symbol) { return open_.back().names.emplace(name, symbol).second; }

void Scopes::declare_registers(std::string_view prefix, std::uint64_t count, Type type) {
    open_.back().blocks.push_back({prefix, count, type});
}

Symbol* Scopes::find_in(OpenScope& scope, std::string_view name) {
    if (const auto place = scope.names.find(name); place != scope.names.end()) return &place->second;
    for (const RegisterBlock& block : scope.blocks) {
        if (!names_member(name, block.prefix, block.count)) continue;
        return &scope.names.emplace(name, Symbol{Symbol::Kind::reg, none, block.type}).first->second;
    }
    return nullptr;
}

const Symbol* Scopes::find(std::string_view name) {
    for (auto scope = open_.rbegin(); scope != open_.rend(); ++scope) {
        Symbol* symbol = find_in(*scope, name);
        if (symbol == nullptr) continue;
        if (symbol->kind == Symbol::Kind::reg && symbol->index == none) {
            symbol->index = static_cast<std::uint32_t>(function_.registers.size());
            function_.registers.push_back({std::string(name), symbol->type});
        }
        return symbol;
    }
    return nullptr;
}

bool Scopes::declare_label(std::string_view name, std::uint32_t instruction) {
    std::vector<Label>& labels = labels_[name];
    for (const Label& label : labels) {
        if (label.scope == current()) return false;
    }
    labels.push_back({current(), instruction});
    return true;
}

std::uint32_t Scopes::find_label(std::string_view name, std::uint32_t from_scope) const {
    const auto place = labels_.find(name);
    if (place == labels_.end()) return none;
    for (std::uint32_t scope = from_scope; scope != none; scope = parents_[scope]) {
        for (const Label& label : place->second) {
            if (label.scope == scope) return label.instruction;
        }
    }
    return none;
}

}  // namespace optiml::ptx
