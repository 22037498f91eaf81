#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace optiml::task {

enum class ScalarType : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64 };

std::uint32_t bytes_of(ScalarType type);
bool is_float(ScalarType type);
std::string_view name_of(ScalarType type);                     // "f32"
std::string_view cuda_name_of(ScalarType type);                // "float"
std::optional<ScalarType> scalar_type_named(std::string_view name);

}  // namespace optiml::task
