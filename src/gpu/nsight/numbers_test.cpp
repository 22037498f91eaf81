#include "gpu/nsight/numbers.h"

#include <gtest/gtest.h>

namespace optiml::gpu::nsight {
namespace {

TEST(NsightNumbers, TheDecimalMarkIsWhatAllValuesAgreeOn) {
    struct Case {
        std::vector<std::string_view> values;
        char mark;
    };
    const Case cases[] = {
        {{}, '.'},
        {{"1,234"}, '.'},            // either: thousands as in English
        {{"1.234"}, '.'},
        {{"1,234", "0.5"}, '.'},
        {{"1.234", "0,5"}, ','},
        {{"1.234", "1.234.567"}, ','},
        {{"1,234,567"}, '.'},
        {{"1,234.5"}, '.'},
        {{"1.234,5"}, ','},
        {{"text", "12", "0,001"}, ','},
    };
    for (const Case& wanted : cases) EXPECT_EQ(decimal_mark_of(wanted.values), wanted.mark) << (wanted.values.empty() ? "" : wanted.values.front());
}

TEST(NsightNumbers, ReadsWhatALocaleWrites) {
    struct Case {
        const char* text;
        char mark;
        std::optional<double> value;
    };
    const Case cases[] = {
        {"1,234,567", '.', 1234567}, {"1.234.567", ',', 1234567}, {"1\u202f234,5", ',', 1234.5}, {"1'234.5", '.', 1234.5},
        {"-3", '.', -3},             {"1.5e+09", '.', 1.5e9},     {"12 (5; 7)", '.', 12},        {"12; 5", '.', 12},
        {"", '.', {}},               {"n/a", '.', {}},            {"NVIDIA H200", '.', {}},      {"nan", '.', {}},
        {"3 apples", '.', {}},
    };
    for (const Case& wanted : cases) EXPECT_EQ(parse_number(wanted.text, wanted.mark), wanted.value) << wanted.text;
}

TEST(NsightNumbers, UnitsScaleToBytesNanosecondsAndHertz) {
    struct Case {
        const char* unit;
        double factor;
    };
    const Case cases[] = {{"", 1},        {"%", 1},       {"byte", 1},         {"Kbyte", 1e3},           {"Mbyte", 1e6},         {"Kbyte/block", 1e3},
                          {"nsecond", 1}, {"us", 1e3},    {"msecond", 1e6},    {"second", 1e9},          {"Ghz", 1e9},           {"hz", 1},
                          {"Gbyte/s", 1e9}, {"Tbyte/second", 1e12}, {"cycle/nsecond", 1e9}, {"cycle/usecond", 1e6}, {"register/thread", 1}, {"gadget", 1}};
    for (const Case& wanted : cases) EXPECT_DOUBLE_EQ(factor_to_base(wanted.unit), wanted.factor) << wanted.unit;
}

}  // namespace
}  // namespace optiml::gpu::nsight
