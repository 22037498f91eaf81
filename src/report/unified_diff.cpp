#include "report/unified_diff.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

namespace optiml::report {
namespace {

constexpr std::ptrdiff_t kContext = 3;
constexpr std::ptrdiff_t kMostEdits = 4000;  // 64 MB of saved frontiers

using Lines = std::vector<std::string_view>;

enum class Kind : char { keep = ' ', remove = '-', insert = '+' };

struct Line {
    Kind kind;
    std::string_view text;
};

Lines lines_of(std::string_view text) {
    Lines lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1);
        lines.push_back(text.substr(0, end + 1));
        text.remove_prefix(end + 1);
    }
    return lines;
}

// The frontiers V of Myers' greedy algorithm: V[k] is the furthest line of `before` on diagonal k after d edits.
class Script {
public:
    Script(const Lines& before, const Lines& after) : before_(before), after_(after) {}

    std::vector<Line> compute() {
        const auto rows = static_cast<std::ptrdiff_t>(before_.size());
        const auto columns = static_cast<std::ptrdiff_t>(after_.size());
        const std::ptrdiff_t most = std::min(rows + columns, kMostEdits);
        std::vector<std::ptrdiff_t> furthest(static_cast<std::size_t>(2 * most + 3), 0);
        const auto at = [&](std::ptrdiff_t k) -> std::ptrdiff_t& { return furthest[static_cast<std::size_t>(k + most + 1)]; };
        std::vector<std::vector<std::ptrdiff_t>> frontiers;
        for (std::ptrdiff_t d = 0; d <= most; ++d) {
            frontiers.emplace_back(furthest.begin() + (most - d), furthest.begin() + (most + d + 3));
            for (std::ptrdiff_t k = -d; k <= d; k += 2) {
                const bool down = k == -d || (k != d && at(k - 1) < at(k + 1));
                std::ptrdiff_t row = down ? at(k + 1) : at(k - 1) + 1;
                while (row < rows && row - k < columns && equal(row, row - k)) ++row;
                at(k) = row;
                if (row >= rows && row - k >= columns) return trace(frontiers);
            }
        }
        return replace_all();
    }

private:
    bool equal(std::ptrdiff_t row, std::ptrdiff_t column) const {
        return before_[static_cast<std::size_t>(row)] == after_[static_cast<std::size_t>(column)];
    }

    // frontiers[d] holds V[-d-1 .. d+1] as it was before step d.
    std::vector<Line> trace(const std::vector<std::vector<std::ptrdiff_t>>& frontiers) const {
        std::vector<Line> script;
        auto row = static_cast<std::ptrdiff_t>(before_.size());
        auto column = static_cast<std::ptrdiff_t>(after_.size());
        for (auto d = static_cast<std::ptrdiff_t>(frontiers.size()) - 1; d >= 0; --d) {
            const auto at = [&](std::ptrdiff_t k) {
                return frontiers[static_cast<std::size_t>(d)][static_cast<std::size_t>(k + d + 1)];
            };
            const std::ptrdiff_t k = row - column;
            const bool down = k == -d || (k != d && at(k - 1) < at(k + 1));
            const std::ptrdiff_t previous_row = d == 0 ? 0 : down ? at(k + 1) : at(k - 1);
            const std::ptrdiff_t previous_column = d == 0 ? 0 : previous_row - (down ? k + 1 : k - 1);
            while (row > previous_row && column > previous_column) {
                script.push_back({Kind::keep, before_[static_cast<std::size_t>(--row)]});
                --column;
            }
            if (d == 0) break;
            if (down) {
                script.push_back({Kind::insert, after_[static_cast<std::size_t>(--column)]});
            } else {
                script.push_back({Kind::remove, before_[static_cast<std::size_t>(--row)]});
            }
        }
        std::reverse(script.begin(), script.end());
        return script;
    }

    std::vector<Line> replace_all() const {
        std::vector<Line> script;
        for (const std::string_view line : before_) script.push_back({Kind::remove, line});
        for (const std::string_view line : after_) script.push_back({Kind::insert, line});
        return script;
    }

    const Lines& before_;
    const Lines& after_;
};

// "12,3" as diff writes ranges: the count is left out where it is 1, and an empty range names the line before it.
std::string range(std::ptrdiff_t first, std::ptrdiff_t count) {
    if (count == 1) return fmt::format("{}", first + 1);
    return fmt::format("{},{}", count == 0 ? first : first + 1, count);
}

void append_line(std::string& text, const Line& line) {
    text += static_cast<char>(line.kind);
    text += line.text;
    if (line.text.empty() || line.text.back() != '\n') text += "\n\\ No newline at end of file\n";
}

std::string hunks(const std::vector<Line>& script) {
    std::string text;
    const auto size = static_cast<std::ptrdiff_t>(script.size());
    const auto changed = [&](std::ptrdiff_t i) { return script[static_cast<std::size_t>(i)].kind != Kind::keep; };
    std::ptrdiff_t before_line = 0;
    std::ptrdiff_t after_line = 0;
    std::ptrdiff_t written = 0;  // script lines accounted for in before_line and after_line
    const auto advance_to = [&](std::ptrdiff_t end, std::string* body) {
        for (; written < end; ++written) {
            const Line& line = script[static_cast<std::size_t>(written)];
            if (line.kind != Kind::insert) ++before_line;
            if (line.kind != Kind::remove) ++after_line;
            if (body != nullptr) append_line(*body, line);
        }
    };
    for (std::ptrdiff_t i = 0; i < size; ++i) {
        if (!changed(i)) continue;
        std::ptrdiff_t last = i;  // the last change that belongs to this hunk
        for (std::ptrdiff_t j = i; j < size && j <= last + 2 * kContext + 1; ++j) {
            if (changed(j)) last = j;
        }
        advance_to(std::max(written, i - kContext), nullptr);
        const std::ptrdiff_t before_first = before_line;
        const std::ptrdiff_t after_first = after_line;
        std::string body;
        advance_to(std::min(size, last + kContext + 1), &body);
        text += fmt::format("@@ -{} +{} @@\n{}", range(before_first, before_line - before_first),
                            range(after_first, after_line - after_first), body);
        i = written - 1;
    }
    return text;
}

}  // namespace

std::string unified_diff(std::string_view before, std::string_view after, std::string_view before_name, std::string_view after_name) {
    if (before == after) return {};
    const Lines before_lines = lines_of(before);
    const Lines after_lines = lines_of(after);
    return fmt::format("--- {}\n+++ {}\n{}", before_name, after_name, hunks(Script(before_lines, after_lines).compute()));
}

}  // namespace optiml::report
