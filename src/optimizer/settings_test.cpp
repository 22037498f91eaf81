#include "optimizer/settings.h"

#include <gtest/gtest.h>

namespace optiml::optimizer {
namespace {

struct BudgetCase {
    const char* text;
    std::optional<Budget> budget;
};

TEST(Budget, IsACountOrATimeOrBoth) {
    for (const BudgetCase& expected : {BudgetCase{"200", Budget{200, {}}},
                                       {"60s", Budget{{}, 60.0}},
                                       {"1.5m", Budget{{}, 90.0}},
                                       {"2h", Budget{{}, 7200.0}},
                                       {"200,2m", Budget{200, 120.0}},
                                       {"60s,7", Budget{7, 60.0}},
                                       {"200,100", {}},
                                       {"60s,1m", {}},
                                       {"200,", {}},
                                       {",60s", {}},
                                       {"200,60s,1", {}},
                                       {"0", {}},
                                       {"0s", {}},
                                       {"-5", {}},
                                       {"2.5", {}},
                                       {"60 s", {}},
                                       {"60sec", {}},
                                       {"infs", {}},
                                       {"", {}},
                                       {"many", {}}}) {
        const Result<Budget> budget = parse_budget(expected.text);
        ASSERT_EQ(budget.has_value(), expected.budget.has_value()) << expected.text;
        if (budget) {
            EXPECT_EQ(*budget, *expected.budget) << expected.text;
        } else {
            EXPECT_EQ(budget.error().kind, ErrorKind::user);
        }
    }
}

TEST(Settings, SurviveJson) {
    Settings settings;
    settings.choice = {"/k/softmax.cu", "/k/other.toml", "softmax", "small", {{"rows", 5}}};
    settings.device = "emulated:a100";
    settings.budget = {{}, 60.0};
    settings.seed = 18446744073709551615u;
    settings.search = "greedy";
    settings.out = "x";
    settings.task_digest = "ab";
    const Result<Settings> again = settings_from_json(to_json(settings));
    ASSERT_TRUE(again);
    EXPECT_EQ(to_json(*again), to_json(settings));
    EXPECT_EQ(again->budget, settings.budget);
    EXPECT_EQ(again->seed, settings.seed);
    EXPECT_EQ(again->choice.sizes, settings.choice.sizes);
    EXPECT_FALSE(settings_from_json("{}"));
}

}  // namespace
}  // namespace optiml::optimizer
