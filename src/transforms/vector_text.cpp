#include "transforms/vector_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace optiml::transforms {

using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::none;

VectorText::VectorText(const Context& context, std::size_t kernel, const KernelTree& tree, const Iteration& iteration,
                       const std::vector<VectorGroup>& groups, std::int64_t width, const SourceStyle& style, FreshNames names)
    : context_(context), kernel_(kernel), tree_(tree), iteration_(iteration), groups_(groups), width_(width), style_(style),
      element_(names.take("k")) {
    for (const VectorGroup& group : groups) values_.push_back(names.take(context.source.variables[group.base].name + "_values"));
}

std::string VectorText::address(const VectorGroup& group, const std::string& counter) const {
    std::string index = *index_text(context_, tree_, iteration_, group, counter);
    // The wide access begins at its lowest element, which a falling index reaches last.
    if (group.reversed) index += fmt::format(" - {}", width_ - 1);
    return index.empty() ? group.base_text : fmt::format("&{}[{}]", group.base_text, index);
}

std::vector<std::string> VectorText::unaligned_addresses(const std::string& counter) const {
    std::vector<std::string> addresses;
    for (const VectorGroup& group : groups_) {
        if (is_always_aligned(context_, kernel_, group, width_)) continue;
        const std::string text = address(group, counter);
        if (std::find(addresses.begin(), addresses.end(), text) == addresses.end()) addresses.push_back(text);
    }
    return addresses;
}

std::string VectorText::element_body(SourceEdit& edit, const std::string& first) const {
    const auto& source = context_.source;
    std::vector<ExpressionId> replaced;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        const std::string place = groups_[i].reversed ? fmt::format("{} - {}", width_ - 1, element_) : element_;
        for (const ExpressionId id : groups_[i].replaced) {
            edit.replace(id, fmt::format("{}[{}]", values_[i], place));
            replaced.push_back(id);
        }
    }
    const auto is_gone = [&](ExpressionId use) {
        return std::any_of(replaced.begin(), replaced.end(), [&](ExpressionId id) { return tree_.is_within(use, id); });
    };
    std::vector<cuda_source::StatementId> statements = iteration_.statements;
    // `const int i = counter;` has no purpose where every access that used it is wide.
    const auto is_unused_copy = [&](cuda_source::StatementId id) {
        const auto& variables = source.statements[id].variables;
        if (variables.size() != 1 || !names_counter(tree_, iteration_, variables.front())) return false;
        const auto uses = tree_.uses_of(variables.front());
        return std::all_of(uses.begin(), uses.end(), is_gone);
    };
    if (statements.size() > 1 && is_unused_copy(statements.front())) {
        edit.remove(statements.front());
        statements.erase(statements.begin());
    }
    for (const auto statement : statements) {
        for (const ExpressionId use : tree_.uses_of(iteration_.counter, statement)) {
            if (is_gone(use)) continue;
            const ExpressionId above = tree_.parent(use);
            const auto kind = above == none ? ExpressionKind::call : source.expressions[above].kind;
            const bool stands_alone = kind == ExpressionKind::call || kind == ExpressionKind::subscript ||
                                      (kind == ExpressionKind::cast && source.expressions[above].implicit && tree_.parent(above) == none);
            edit.replace(use, stands_alone ? fmt::format("{} + {}", first, element_) : fmt::format("({} + {})", first, element_));
        }
    }
    return iteration_.body != none ? edit.take_body(iteration_.body)
                                   : edit.take_statements(iteration_.statements.front(), iteration_.statements.back());
}

std::string VectorText::statements(SourceEdit& edit, const std::string& first) const {
    std::string before;
    std::string after;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        const VectorGroup& group = groups_[i];
        const std::string vector = vector_type(*group.element, width_);
        const std::string at = address(group, first);
        const std::string wide = fmt::format("*reinterpret_cast<{}*>({})", vector, values_[i]);
        before += fmt::format("alignas({}) {} {}[{}];\n", vector, element_type_name(*group.element), values_[i], width_);
        if (group.loads) {
            const std::string pointer = fmt::format("reinterpret_cast<const {}*>({})", vector, at);
            before += group.through_ldg ? fmt::format("{} = __ldg({});\n", wide, pointer) : fmt::format("{} = *{};\n", wide, pointer);
        }
        if (group.stores) {
            after += fmt::format("\n*reinterpret_cast<{}*>({}) = {};", vector, at, wide);
        }
    }
    const std::string header = fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", element_, width_);
    return before + "#pragma unroll\n" + style_.block(header, element_body(edit, first)) + after;
}

std::string alignment_condition(const std::vector<std::string>& addresses, std::int64_t bytes) {
    std::vector<std::string> numbers;
    for (const std::string& address : addresses) numbers.push_back(fmt::format("reinterpret_cast<size_t>({})", address));
    const std::string all = fmt::format("{}", fmt::join(numbers, " | "));
    return fmt::format("{} % {} == 0", numbers.size() == 1 ? all : '(' + all + ')', bytes);
}

std::int64_t vector_bytes(const std::vector<VectorGroup>& groups, std::int64_t width) {
    std::int64_t bytes = 0;
    for (const VectorGroup& group : groups) bytes = std::max<std::int64_t>(bytes, width * group.element->bits / 8);
    return bytes;
}

}  // namespace optiml::transforms
