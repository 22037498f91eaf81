#include "emulator/device_model.h"

#include <gtest/gtest.h>

namespace optiml::emulator {
namespace {

std::string h200_text() { return "name = \"x\"\ncompute_capability = 90\n[limits]\n"; }

TEST(DeviceModel, BuiltInModelsAreComplete) {
    ASSERT_EQ(device_model_names(), (std::vector<std::string>{"a100", "h200", "rtx4090"}));
    const DeviceModel h200 = find_device_model("h200").value();
    for (const std::string& name : device_model_names()) {
        const Result<DeviceModel> model = find_device_model(name);
        ASSERT_TRUE(model) << model.error().text();
        EXPECT_EQ(model->name, name);
        EXPECT_FALSE(model->shared_configurations.empty());
        EXPECT_EQ(model->shared_configurations.back(), model->shared_per_sm);
        for (const auto& [key, value] : h200.parameters) {
            EXPECT_TRUE(model->parameters.contains(key)) << name << " lacks " << key;
            EXPECT_GE(value, 0) << key;
        }
    }
    EXPECT_EQ(h200.sm_count, 132u);
    EXPECT_EQ(h200.compute_capability, 90u);
}

TEST(DeviceModel, UnknownNameSaysWhichThereAre) {
    const Result<DeviceModel> model = find_device_model("h2000");
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().kind, ErrorKind::user);
    EXPECT_NE(model.error().remedy.find("rtx4090"), std::string::npos);
}

TEST(DeviceModel, EveryComputeCapabilityHasItsLimits) {
    struct Case {
        std::uint32_t compute_capability;
        const char* name;
        std::uint32_t threads_per_sm, blocks_per_sm, shared_per_block;
    };
    for (const Case& expected : {Case{75, "sm_75", 1024, 16, 65536}, Case{80, "a100", 2048, 32, 166912}, Case{86, "sm_86", 1536, 16, 101376},
                                 Case{89, "rtx4090", 1536, 24, 101376}, Case{90, "h200", 2048, 32, 232448}, Case{100, "sm_100", 2048, 32, 232448},
                                 Case{120, "sm_120", 1536, 24, 101376}, Case{130, "sm_130", 1536, 24, 101376}}) {
        const Result<DeviceModel> model = model_of_capability(expected.compute_capability);
        ASSERT_TRUE(model) << expected.name;
        EXPECT_EQ(model->name, expected.name);
        EXPECT_EQ(model->compute_capability, expected.compute_capability);
        EXPECT_EQ(model->max_threads_per_sm, expected.threads_per_sm) << expected.name;
        EXPECT_EQ(model->max_blocks_per_sm, expected.blocks_per_sm) << expected.name;
        EXPECT_EQ(model->shared_per_block, expected.shared_per_block) << expected.name;
        EXPECT_GT(model->shared_per_sm, model->shared_per_block - 1) << expected.name;
    }
}

TEST(DeviceModel, ErrorsNameTheLine) {
    const Result<DeviceModel> unknown = parse_device_model(h200_text() + "sm_cuont = 3\n", "my.toml");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().where.file, "my.toml");
    EXPECT_EQ(unknown.error().where.line, 4u);

    const Result<DeviceModel> negative = parse_device_model(h200_text() + "sm_count = -1\n", "my.toml");
    ASSERT_FALSE(negative);
    EXPECT_EQ(negative.error().where.line, 4u);

    const Result<DeviceModel> broken = parse_device_model("name = \n", "my.toml");
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().where.line, 1u);

    const Result<DeviceModel> missing = parse_device_model(h200_text() + "sm_count = 1\n", "my.toml");
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().message.find("missing"), std::string::npos);
}

TEST(DeviceModel, SharedMemoryShrinksTheL1Cache) {
    const DeviceModel h200 = find_device_model("h200").value();
    EXPECT_EQ(h200.l1_cache_bytes(1, 0), 262144u - 8192u);
    EXPECT_EQ(h200.l1_cache_bytes(8, 16384), 262144u - 167936u);
    EXPECT_EQ(h200.l1_cache_bytes(2, 102400), 262144u - 233472u);
}

}  // namespace
}  // namespace optiml::emulator
