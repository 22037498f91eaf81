#include "task/toml_limits.h"

#include <algorithm>

#include <fmt/format.h>

namespace optiml::task {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr std::uint32_t kMostKeyParts = 16;
constexpr std::uint32_t kMostBrackets = 32;

// Steps over the text and counts; what is no TOML is for the parser to tell.
class Scanner {
public:
    Scanner(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    Status scan() {
        while (position_ < text_.size()) {
            const char c = text_[position_];
            if (c == '#') {
                skip_to('\n');
            } else if (c == '"' || c == '\'') {
                skip_string(c);
            } else {
                if (Status status = count(c); !status) return status;
                ++position_;
            }
        }
        return {};
    }

private:
    Status count(char c) {
        switch (c) {
            case '\n':
                ++line_;
                [[fallthrough]];
            case '=':
            case ',': dots_ = 0; return {};
            case '.': return ++dots_ < kMostKeyParts ? Status() : too_deep(fmt::format("a key has more than {} parts", kMostKeyParts));
            case '[':
            case '{':
                dots_ = 0;
                return ++brackets_ <= kMostBrackets ? Status() : too_deep(fmt::format("brackets nest more than {} deep", kMostBrackets));
            case ']':
            case '}':
                if (brackets_ > 0) --brackets_;
                return {};
            default: return {};
        }
    }

    Status too_deep(std::string message) const {
        return user_error(std::move(message), {file_, line_, 0}, "No task file needs that: see docs/task_files.md.");
    }

    void skip_to(char end) { position_ = std::min(text_.find(end, position_), text_.size()); }

    void skip_string(char quote) {
        const std::string_view triple = quote == '"' ? R"(""")" : "'''";
        const bool many_lines = text_.substr(position_).starts_with(triple);
        const std::string_view end = many_lines ? triple : triple.substr(0, 1);
        position_ += end.size();
        while (position_ < text_.size() && !text_.substr(position_).starts_with(end)) {
            if (text_[position_] == '\\' && quote == '"') ++position_;
            if (position_ < text_.size() && text_[position_] == '\n') {
                if (!many_lines) return;  // the string never ends
                ++line_;
            }
            ++position_;
        }
        position_ += end.size();
    }

    std::string_view text_;
    const std::string& file_;
    std::size_t position_ = 0;
    std::uint32_t line_ = 1, dots_ = 0, brackets_ = 0;
};

}  // namespace

Status check_toml_limits(std::string_view text, const std::string& file) {
    if (text.size() > kMostBytes) {
        return user_error(fmt::format("the task file has {} bytes; at most {} MiB are read", text.size(), kMostBytes >> 20), {file},
                          "Put values into a file of their own (fill = { file = ... }).");
    }
    return Scanner(text, file).scan();
}

}  // namespace optiml::task
