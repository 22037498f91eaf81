#include "gpu/nsight/numbers.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace optiml::gpu::nsight {
namespace {


bool separates_thousands(char letter) {
    const bool is_byte_of_a_space = static_cast<unsigned char>(letter) >= 0x80;  // narrow or no-break, in UTF-8
    return letter == '\'' || letter == ' ' || letter == '.' || letter == ',' || is_byte_of_a_space;
}

// +1: the value shows that the point is its decimal mark, -1: the comma, 0: it may be either.
int vote(std::string_view value) {
    const auto points = std::count(value.begin(), value.end(), '.');
    const auto commas = std::count(value.begin(), value.end(), ',');
    if (points + commas == 0 || !is_digit(value.front())) return 0;
    if (points > 0 && commas > 0) return value.rfind('.') > value.rfind(',') ? 1 : -1;
    if (points + commas > 1) return commas > 0 ? 1 : -1;
    const std::size_t mark = value.find_first_of(".,");
    const bool could_be_thousands = value.size() - mark == 4 && mark <= 3 && value.front() != '0';
    if (could_be_thousands) return 0;
    return points > 0 ? 1 : -1;
}

struct Scaled {
    std::string_view unit;
    double factor;
};
// Decimal prefixes throughout: Nsight Compute's Kbyte is 1000 bytes.
constexpr Scaled kPrefixes[] = {{"K", 1e3}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}};
constexpr Scaled kTimes[] = {{"ns", 1},  {"nsecond", 1},  {"us", 1e3}, {"usecond", 1e3},
                             {"ms", 1e6}, {"msecond", 1e6}, {"s", 1e9},  {"second", 1e9}, {"sec", 1e9}};
constexpr double kNanosecondsPerSecond = 1e9;
constexpr std::string_view kScalable[] = {"byte", "B", "hz", "Hz", "inst", "sector", "cycle", "request", "warp", "thread", "block"};

std::optional<double> nanoseconds(std::string_view unit) {
    for (const Scaled& time : kTimes) {
        if (unit == time.unit) return time.factor;
    }
    return std::nullopt;
}

double factor_of(std::string_view unit) {
    if (const auto time = nanoseconds(unit)) return *time;
    for (const Scaled& prefix : kPrefixes) {
        const std::string_view rest = unit.starts_with(prefix.unit) ? unit.substr(1) : std::string_view();
        if (std::find(std::begin(kScalable), std::end(kScalable), rest) != std::end(kScalable)) return prefix.factor;
    }
    return 1;
}

}  // namespace

char decimal_mark_of(const std::vector<std::string_view>& values) {
    int votes = 0;
    for (const std::string_view value : values) {
        if (!value.empty()) votes += vote(value);
    }
    return votes < 0 ? ',' : '.';
}

std::optional<double> parse_number(std::string_view text, char decimal_mark) {
    std::string digits;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char letter = text[i];
        if (letter == decimal_mark) {
            digits.push_back('.');
        } else if (is_digit(letter) || letter == '-' || letter == '+' || letter == 'e' || letter == 'E') {
            digits.push_back(letter);
        } else if (letter == ';' || letter == '(') {
            break;  // values of the single instances
        } else if (!separates_thousands(letter)) {
            return std::nullopt;
        }
    }
    const auto value = parsed_number<double>(digits);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

double factor_to_base(std::string_view unit) {
    const std::size_t slash = unit.find('/');
    const std::string_view divisor = slash == std::string_view::npos ? std::string_view() : unit.substr(slash + 1);
    return factor_of(unit.substr(0, slash)) * (kNanosecondsPerSecond / nanoseconds(divisor).value_or(kNanosecondsPerSecond));
}

}  // namespace optiml::gpu::nsight
