#include "transforms/vector_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace optiml::transforms {

using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::none;

VectorText::VectorText(const Context& context, std::size_t kernel, const KernelTree& tree, const Iteration& iteration,
                       const std::vector<VectorGroup>& groups, std::int64_t width, const SourceStyle& style, FreshNames& names)
    : context_(context), kernel_(kernel), tree_(tree), iteration_(iteration), groups_(groups), width_(width), style_(style),
      counter_(context.source.variables[iteration.counter].name), element_(names.take("k")) {
    for (const VectorGroup& group : groups) values_.push_back(names.take(context.source.variables[group.base].name + "_values"));
}

std::string VectorText::address(const VectorGroup& group, const std::string& counter) const {
    std::string index = *index_text(context_, tree_, iteration_, group, counter);
    // The wide access begins at its lowest element, which a falling index reaches last.
    if (group.reversed) index += fmt::format(" - {}", width_ - 1);
    return index.empty() ? group.base_text : fmt::format("&{}[{}]", group.base_text, index);
}

std::string VectorText::alignment(const std::string& counter) const {
    std::vector<std::string> addresses;
    std::int64_t bytes = 0;
    for (const VectorGroup& group : groups_) {
        if (is_always_aligned(context_, kernel_, group, width_)) continue;
        const std::string text = fmt::format("reinterpret_cast<size_t>({})", address(group, counter));
        if (std::find(addresses.begin(), addresses.end(), text) == addresses.end()) addresses.push_back(text);
        bytes = std::max<std::int64_t>(bytes, width_ * group.element->bits / 8);
    }
    if (addresses.empty()) return {};
    const std::string all = fmt::format("{}", fmt::join(addresses, " | "));
    return fmt::format("{} % {} == 0", addresses.size() == 1 ? all : '(' + all + ')', bytes);
}

std::string VectorText::element_body(SourceEdit& edit) const {
    const auto& source = context_.source;
    std::vector<ExpressionId> replaced;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        const std::string place = groups_[i].reversed ? fmt::format("{} - {}", width_ - 1, element_) : element_;
        for (const ExpressionId id : groups_[i].replaced) {
            edit.replace(id, fmt::format("{}[{}]", values_[i], place));
            replaced.push_back(id);
        }
    }
    for (const auto statement : iteration_.statements) {
        for (const ExpressionId use : tree_.uses_of(iteration_.counter, statement)) {
            const bool is_gone = std::any_of(replaced.begin(), replaced.end(), [&](ExpressionId id) { return tree_.is_within(use, id); });
            if (is_gone) continue;
            const ExpressionId above = tree_.parent(use);
            const auto kind = above == none ? ExpressionKind::call : source.expressions[above].kind;
            const bool stands_alone = kind == ExpressionKind::call || kind == ExpressionKind::subscript ||
                                      (kind == ExpressionKind::cast && source.expressions[above].implicit && tree_.parent(above) == none);
            edit.replace(use, stands_alone ? fmt::format("{} + {}", counter_, element_) : fmt::format("({} + {})", counter_, element_));
        }
    }
    return edit.take_statements(iteration_.statements.front(), iteration_.statements.back());
}

std::string VectorText::statements(SourceEdit& edit) const {
    std::string before;
    std::string after;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        const VectorGroup& group = groups_[i];
        const std::string vector = vector_type(*group.element, width_);
        const std::string at = address(group, counter_);
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
    return before + "#pragma unroll\n" + style_.block(header, element_body(edit)) + after;
}

}  // namespace optiml::transforms
