#include "cli/card_model.h"

#include <gtest/gtest.h>

namespace optiml::cli {
namespace {

TEST(CardModel, IsFoundByTheDriversName) {
    const std::pair<const char*, const char*> cases[] = {
        {"NVIDIA H200", "h200"}, {"NVIDIA A100-SXM4-80GB", "a100"}, {"NVIDIA GeForce RTX 4090", "rtx4090"}, {"NVIDIA T4", ""}, {"0", ""}};
    for (const auto& [card, model] : cases) {
        const auto found = model_of_card(card);
        EXPECT_EQ(found ? found->name : "", model) << card;
    }
    EXPECT_EQ(plain_name("NVIDIA T4"), "nvidiat4");
}

}  // namespace
}  // namespace optiml::cli
