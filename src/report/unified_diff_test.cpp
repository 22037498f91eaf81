#include "report/unified_diff.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace optiml::report {
namespace {

struct Case {
    const char* before;
    const char* after;
    const char* diff;  // without the two name lines
};

TEST(UnifiedDiff, WritesWhatDiffWrites) {
    const Case cases[] = {
        {"a\nb\nc\n", "a\nB\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
        {"", "a\n", "@@ -0,0 +1 @@\n+a\n"},
        {"a\n", "", "@@ -1 +0,0 @@\n-a\n"},
        {"a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
        {"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n5\n6\n7\n8\n9\n", "@@ -2,6 +2,7 @@\n 2\n 3\n 4\n+x\n 5\n 6\n 7\n"},
    };
    for (const Case& expected : cases) {
        EXPECT_EQ(unified_diff(expected.before, expected.after, "old", "new"), std::string("--- old\n+++ new\n") + expected.diff);
    }
}

TEST(UnifiedDiff, DistantChangesAreHunksOfTheirOwnAndNearOnesShareOne) {
    std::string before;
    for (int i = 0; i < 40; ++i) before += std::to_string(i) + "\n";
    const auto with = [&](std::initializer_list<int> lines) {
        std::string after;
        for (int i = 0; i < 40; ++i) {
            after += std::find(lines.begin(), lines.end(), i) != lines.end() ? "changed\n" : std::to_string(i) + "\n";
        }
        const std::string diff = unified_diff(before, after, "a", "b");
        std::size_t hunks = 0;
        for (std::size_t at = diff.find("@@ -"); at != std::string::npos; at = diff.find("@@ -", at + 1)) ++hunks;
        return hunks;
    };
    EXPECT_EQ(with({5, 30}), 2u);
    EXPECT_EQ(with({5, 12}), 1u);  // six lines between: as diff -u
    EXPECT_EQ(with({5, 13}), 2u);
}

TEST(UnifiedDiff, EqualTextsGiveNothing) { EXPECT_EQ(unified_diff("a\n", "a\n", "x", "y"), ""); }

// What patch would do, for diffs of one file.
std::string patched(const std::string& before, const std::string& diff) {
    std::vector<std::string> lines;
    std::string line;
    for (const char c : before) {
        line += c;
        if (c == '\n') lines.push_back(std::exchange(line, {}));
    }
    std::string after;
    std::size_t next = 0;
    std::size_t at = 0;
    while (at < diff.size()) {
        const std::size_t end = diff.find('\n', at);
        const std::string text = diff.substr(at, end - at + 1);
        at = end + 1;
        if (text.starts_with("---") || text.starts_with("+++")) continue;
        if (text.starts_with("@@")) {
            int first = 0;
            int count = 1;
            std::sscanf(text.c_str(), "@@ -%d,%d", &first, &count);
            const std::size_t target = static_cast<std::size_t>(count == 0 ? first : first - 1);
            while (next < target) after += lines[next++];
            continue;
        }
        if (text[0] == '+') after += text.substr(1);
        if (text[0] == ' ') {
            EXPECT_EQ(lines[next], text.substr(1));
            after += lines[next++];
        }
        if (text[0] == '-') {
            EXPECT_EQ(lines[next++], text.substr(1));
        }
    }
    while (next < lines.size()) after += lines[next++];
    return after;
}

TEST(UnifiedDiff, RandomTextsCanBePatched) {
    for (std::uint64_t round = 0; round < 300; ++round) {
        std::string texts[2];
        for (std::uint64_t which = 0; which < 2; ++which) {
            const std::uint32_t count = random_bits(round, which) % 30;
            for (std::uint32_t i = 0; i < count; ++i) texts[which] += std::to_string(random_bits(2 * round + which, i) % 4) + "\n";
        }
        EXPECT_EQ(patched(texts[0], unified_diff(texts[0], texts[1], "old", "new")), texts[1]) << round;
    }
}

}  // namespace
}  // namespace optiml::report
