#include "cuda_source/prelude.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string>

#include "cuda_source/prelude_parts.h"

namespace optiml::cuda_source {
namespace {

std::string joined(std::initializer_list<std::string_view> parts) {
    std::string text;
    for (const std::string_view part : parts) text += part;
    return text;
}

// clang-format off
constexpr std::string_view covered_headers[] = {
    "algorithm", "array", "assert.h", "cassert", "cfloat", "chrono", "climits", "cmath", "cstddef", "cstdint", "cstdio",
    "cstdlib", "cstring", "ctime", "cuda.h", "cuda_device_runtime_api.h", "cuda_runtime.h", "cuda_runtime_api.h",
    "device_launch_parameters.h", "float.h", "fstream", "functional", "iomanip", "iostream", "limits", "limits.h",
    "math.h", "math_constants.h", "memory", "numeric", "random", "sstream", "stdbool.h", "stddef.h", "stdexcept",
    "stdint.h", "stdio.h", "stdlib.h", "string", "string.h", "sys/time.h", "time.h", "tuple", "type_traits", "utility",
    "vector", "vector_functions.h", "vector_types.h",
};
// clang-format on

}  // namespace

std::string_view nvrtc_prelude() {
    // 47: libcu++ defines some of the limits once more, with the same values.
    static const std::string text = joined(
        {"#ifndef OPTIML_PRELUDE\n#define OPTIML_PRELUDE\n#pragma nv_diag_suppress 47\n", nvrtc_text, std_text, "#endif\n"});
    return text;
}

std::string_view clang_prelude() {
    static const std::string text = joined({"#pragma GCC system_header\n", keywords_text, types_text, nvrtc_text, math_text,
                                            intrinsics_text, memory_text, std_text, host_text});
    return text;
}

bool is_covered_header(std::string_view name) {
    return std::find(std::begin(covered_headers), std::end(covered_headers), name) != std::end(covered_headers);
}

}  // namespace optiml::cuda_source
