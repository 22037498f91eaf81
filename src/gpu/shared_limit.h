#pragma once
// How much shared memory a kernel may be launched with. Private to src/gpu: it needs CUDA's headers.

#include <cstdint>

#include "gpu/driver.h"

namespace optiml::gpu {

// Lets a kernel be launched with that many bytes of dynamic shared memory: what exceeds 48 KiB together with the kernel's own static
// shared memory must be asked for. Fails where the card has less.
DeviceStatus allow_shared(const Driver& driver, CUfunction function, std::uint32_t dynamic_bytes);

}  // namespace optiml::gpu
