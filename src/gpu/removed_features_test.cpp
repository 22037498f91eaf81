#include "gpu/removed_features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace optiml::gpu {
namespace {

using testing::HasSubstr;

std::string undefined(const std::string& name) { return "identifier \"" + name + "\" is undefined"; }

std::string no_member(const std::string& name) { return "class \"cudaDeviceProp\" has no member \"" + name + "\""; }

constexpr const char* kNoArchitecture = "invalid value for --gpu-architecture (-arch)";

TEST(RemovedFeatures, SendToWhatThereIs) {
    const std::pair<std::string, std::string> cases[] = {
        {undefined("cudaThreadExit"), "cudaThreadExit: call cudaDeviceReset, on the host."},
        {undefined("cudaThreadSynchronize"), "cudaThreadSynchronize: call cudaDeviceSynchronize, on the host;"},
        {undefined("cudaThreadSetCacheConfig"), "cudaThreadSetCacheConfig: call cudaDeviceSetCacheConfig, on the host."},
        {undefined("__shfl_xor"), "__shfl_xor without a mask: call __shfl_xor_sync,"},
        {no_member("clockRate"), "cudaDeviceProp::clockRate: ask cudaDeviceGetAttribute for cudaDevAttrClockRate on the host"},
        {no_member("deviceOverlap"),
         "cudaDeviceProp::deviceOverlap: ask cudaDeviceGetAttribute for cudaDevAttrGpuOverlap on the host"},
        {no_member("cooperativeMultiDeviceLaunch"), "cudaDeviceProp::cooperativeMultiDeviceLaunch: write 0"},
    };
    for (const auto& [complaint, text] : cases) {
        const auto removed = removed_feature(complaint, {});
        ASSERT_TRUE(removed) << complaint;
        EXPECT_THAT(removed->text, testing::StartsWith("CUDA no longer has " + text));
        EXPECT_THAT(removed->text, HasSubstr("(The compiler says: " + complaint + ")"));
    }
}

TEST(RemovedFeatures, AreNoSlipsOfThePen) {
    for (const std::string& complaint : {undefined("cudaThreadFoo"), undefined("cudaThreadExchangeStreamCaptureMod"),
                                         undefined("__shfl_dwon"), no_member("nmae"), no_member("clockrate")}) {
        EXPECT_FALSE(removed_feature(complaint, {"-arch=sm_60"})) << complaint;
    }
}

TEST(RemovedFeatures, AreArchitecturesBeforeTheOldest) {
    for (const std::string architecture : {"sm_60", "sm_72", "compute_35"}) {
        for (const char* form : {"-arch=", "--gpu-architecture=", ""}) {
            const auto removed = removed_feature(kNoArchitecture, {"-w", form + architecture});
            ASSERT_TRUE(removed) << form << architecture;
            EXPECT_THAT(removed->text, HasSubstr("CUDA no longer has " + architecture +
                                                 ", nor any other architecture before sm_75: leave -arch out"));
        }
    }
    for (const char* option : {"-arch=sm_9O", "-arch=sm_75", "-arch=sm_900", "-arch=sm_6", "-DARCH=sm_60"}) {
        EXPECT_FALSE(removed_feature(kNoArchitecture, {option})) << option;
    }
    EXPECT_FALSE(removed_feature(kNoArchitecture, {}));
}

}  // namespace
}  // namespace optiml::gpu
