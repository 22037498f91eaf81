#include "optimizer/device_settings.h"

#include <gtest/gtest.h>

namespace optiml::optimizer {
namespace {

workers::DeviceSettings settings_of(const EvaluatorRequest& request) { return device_settings(request, {0}, 2, std::nullopt); }

TEST(DeviceSettings, TheTierIsTheUsersElseThatOfTheStage) {
    const task::Task task;
    EvaluatorRequest request{task, "cuda:0", {}};
    EXPECT_EQ(settings_of(request).tier, gpu::MetricTier::one_pass);
    request.gpu.tier = "two_passes";
    EXPECT_EQ(settings_of(request).tier, gpu::MetricTier::two_passes);
    request.thoroughness = Thoroughness::final;
    request.gpu.tier = "full";
    EXPECT_EQ(settings_of(request).tier, gpu::MetricTier::full);
    request.gpu.tier.clear();
    EXPECT_EQ(settings_of(request).tier, gpu::MetricTier::four_passes);
    request.only_verify = true;
    EXPECT_FALSE(settings_of(request).tier);
}

TEST(DeviceSettings, WarmTimesAreTakenOfFewCandidatesOnly) {
    const task::Task task;
    EvaluatorRequest request{task, "cuda:0", {}};
    EXPECT_FALSE(settings_of(request).session.take_warm_time);
    request.few_candidates = true;
    EXPECT_TRUE(settings_of(request).session.take_warm_time);
    const EvaluatorRequest finalist{task, "cuda:0", {}, Thoroughness::final};
    EXPECT_TRUE(settings_of(finalist).session.take_warm_time);
}

}  // namespace
}  // namespace optiml::optimizer
