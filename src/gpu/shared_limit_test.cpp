#include "gpu/shared_limit.h"

#include <gtest/gtest.h>

namespace optiml::gpu {
namespace {

int static_bytes = 0;
int allowed_bytes = 0;  // 0: nothing was asked for

Driver driver_of_a_kernel_with(int bytes) {
    static_bytes = bytes;
    allowed_bytes = 0;
    Driver driver;
    driver.FuncGetAttribute = [](int* value, CUfunction_attribute which, CUfunction) {
        *value = which == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES ? static_bytes : -1;
        return CUDA_SUCCESS;
    };
    driver.FuncSetAttribute = [](CUfunction, CUfunction_attribute which, int value) {
        allowed_bytes = which == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ? value : -1;
        return CUDA_SUCCESS;
    };
    return driver;
}

TEST(SharedLimit, IsRaisedForWhatExceedsItTogether) {
    struct Case {
        int static_bytes;
        std::uint32_t dynamic_bytes;
        int allowed_bytes;
    };
    for (const Case& expected : {Case{0, 0, 0}, Case{49152, 0, 0}, Case{0, 49152, 0}, Case{0, 49153, 49153}, Case{1, 49152, 49152},
                                 Case{49152, 1, 1}, Case{32768, 16384, 0}, Case{32768, 16385, 16385}}) {
        const Driver driver = driver_of_a_kernel_with(expected.static_bytes);
        EXPECT_TRUE(allow_shared(driver, nullptr, expected.dynamic_bytes));
        EXPECT_EQ(allowed_bytes, expected.allowed_bytes) << expected.static_bytes << " + " << expected.dynamic_bytes;
    }
}

}  // namespace
}  // namespace optiml::gpu
