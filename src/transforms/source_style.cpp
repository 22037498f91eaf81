#include "transforms/source_style.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace optiml::transforms {
namespace {

// The end of a comment that begins at i; i where none does.
std::size_t end_of_comment(std::string_view text, std::size_t i) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("//")) return std::min(text.find('\n', i), text.size());
    if (!rest.starts_with("/*")) return i;
    const std::size_t close = text.find("*/", i + 2);
    return close == std::string_view::npos ? text.size() : close + 2;
}

std::set<std::string, std::less<>> identifiers_of(std::string_view text) {
    std::set<std::string, std::less<>> names;
    for (std::size_t i = 0; i < text.size();) {
        if (const std::size_t end = end_of_comment(text, i); end != i) {
            i = end;
            continue;
        }
        if (!is_word_character(text[i]) || is_digit(text[i])) {
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < text.size() && is_word_character(text[end])) ++end;
        names.emplace(text.substr(i, end - i));
        i = end;
    }
    return names;
}

bool is_camel_case(std::string_view name) {
    for (std::size_t i = 1; i < name.size(); ++i) {
        if (std::islower(static_cast<unsigned char>(name[i - 1])) && std::isupper(static_cast<unsigned char>(name[i]))) return true;
    }
    return false;
}

// Of the names that the user chose in this kernel, whether more are rowCount than row_count.
bool prefers_camel_case(const cuda_source::SourceFile& source, cuda_source::FunctionId kernel) {
    int balance = 0;
    for (const auto& variable : source.variables) {
        if (variable.function != kernel) continue;
        if (is_camel_case(variable.name)) ++balance;
        if (variable.name.find('_') != std::string::npos) --balance;
    }
    return balance > 0;
}

std::string to_camel_case(std::string_view words) {
    std::string name;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] != '_') {
            name += words[i];
        } else if (i + 1 < words.size()) {
            name += static_cast<char>(std::toupper(static_cast<unsigned char>(words[++i])));
        }
    }
    return name;
}

}  // namespace

std::string SourceStyle::block(std::string_view header, std::string_view body) const {
    std::string text(header);
    text += brace_on_own_line ? "\n{\n" : " {\n";
    text += indent;
    text += indented(body, indent);
    text += "\n}";
    return text;
}

std::string SourceStyle::block_or_line(std::string_view header, std::string_view body) const {
    constexpr std::size_t longest_line = 110;
    const bool is_one_line = body.find('\n') == std::string_view::npos && header.size() + 1 + body.size() <= longest_line;
    if (!is_one_line || body.find("//") != std::string_view::npos) return block(header, body);
    return std::string(header) + ' ' + std::string(body);
}

SourceStyle style_of(const cuda_source::SourceFile& source, cuda_source::FunctionId kernel) {
    SourceStyle style;
    style.camel_case = prefers_camel_case(source, kernel);
    const auto& function = source.functions[kernel];
    if (function.body == cuda_source::none) return style;
    const auto& body = source.statements[function.body];
    const std::string_view text = source.text;
    const std::string_view outer = indentation_at(text, body.span.begin);
    style.brace_on_own_line = outer.data() + outer.size() == text.data() + body.span.begin &&
                              body.span.begin != function.span.begin;
    if (!body.children.empty()) {
        const std::string_view inner = indentation_at(text, source.statements[body.children.front()].span.begin);
        if (inner.size() > outer.size() && inner.starts_with(outer)) style.indent = inner.substr(outer.size());
    }
    return style;
}

FreshNames::FreshNames(std::string_view text, const SourceStyle& style)
    : taken_(identifiers_of(text)), camel_case_(style.camel_case) {}

std::string FreshNames::styled(std::string_view words) const { return camel_case_ ? to_camel_case(words) : std::string(words); }

std::string FreshNames::take_first(const std::vector<std::string_view>& choices) {
    const auto is_free = [&](std::string_view words) { return !taken_.contains(styled(words)); };
    const auto found = std::find_if(choices.begin(), choices.end(), is_free);
    return take(found == choices.end() ? choices.back() : *found);
}

std::string FreshNames::take(std::string_view words) {
    const std::string stem = styled(words);
    std::string name = stem;
    for (int i = 2; taken_.contains(name); ++i) name = stem + (camel_case_ ? "" : "_") + std::to_string(i);
    taken_.insert(name);
    return name;
}

std::string indented(std::string_view text, std::string_view extra) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        result += text[i];
        if (text[i] != '\n' || i + 1 == text.size() || text[i + 1] == '\n') continue;
        const std::string_view line = text.substr(i + 1);
        if (line.front() != '#' || line.starts_with("#pragma")) result += extra;
    }
    return result;
}

}  // namespace optiml::transforms
