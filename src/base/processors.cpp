#include "base/processors.h"

#include <algorithm>
#include <thread>

#include <sched.h>

namespace optiml {

std::uint32_t available_processors() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return static_cast<std::uint32_t>(std::max(1, CPU_COUNT(&allowed)));
    return std::max(1u, std::thread::hardware_concurrency());  // more processors than a cpu_set_t has bits
}

}  // namespace optiml
