#pragma once
// How the user writes: kept by every rewrite, so that the result reads as one text.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cuda_source/syntax.h"

namespace optiml::transforms {

struct SourceStyle {
    std::string indent = "    ";         // one level
    bool brace_on_own_line = false;      // the opening brace of functions and loops
    bool camel_case = false;             // rowCount rather than row_count

    // A statement with a body: "for (...) {\n    body\n}", or with the brace on its own line. body: lines indented as from column 1.
    std::string block(std::string_view header, std::string_view body) const;
    // The same without braces, "for (...) body", for a body that is one short line.
    std::string block_or_line(std::string_view header, std::string_view body) const;
};

SourceStyle style_of(const cuda_source::SourceFile& source, cuda_source::FunctionId kernel);

// Identifiers that occur nowhere in the text yet.
class FreshNames {
public:
    FreshNames(std::string_view text, const SourceStyle& style);
    // words: "row_sum"; gives row_sum, rowSum in a camel-case text, row_sum_2 where that is taken.
    std::string take(std::string_view words);
    // The first of several that is free; the last with a number where none is.
    std::string take_first(const std::vector<std::string_view>& choices);

private:
    std::string styled(std::string_view words) const;

    std::set<std::string, std::less<>> taken_;
    bool camel_case_;
};

// Every line after the first gets `extra` in front; empty lines and directives in column 1 stay, but for pragmas.
std::string indented(std::string_view text, std::string_view extra);

}  // namespace optiml::transforms
