#include "gpu/shared_limit.h"

namespace optiml::gpu {

DeviceStatus allow_shared(const Driver& driver, CUfunction function, std::uint32_t dynamic_bytes) {
    constexpr std::uint32_t kWithoutAsking = 48 * 1024;
    if (dynamic_bytes == 0) return {};
    int static_bytes = 0;
    DeviceStatus asked = driver.check("cuFuncGetAttribute", driver.FuncGetAttribute(&static_bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function));
    if (!asked) return asked;
    if (dynamic_bytes + static_cast<std::uint32_t>(static_bytes) <= kWithoutAsking) return {};
    return driver.check("cuFuncSetAttribute", driver.FuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(dynamic_bytes)));
}

}  // namespace optiml::gpu
