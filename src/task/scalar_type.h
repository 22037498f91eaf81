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
std::optional<ScalarType> scalar_type_named(std::string_view name);  // either name

// Whether an integer type can hold the value.
bool can_hold(ScalarType type, std::int64_t value);

// One element as the device stores it, little-endian. Floats are rounded to the nearest, ties to even; doubles given to integer
// types are rounded towards zero and kept within the type's range (NaN gives 0).
void store_float(ScalarType type, double value, std::uint8_t* bytes);
void store_integer(ScalarType type, std::int64_t value, std::uint8_t* bytes);
// The element's value; integers beyond 2^53 are rounded.
double load_float(ScalarType type, const std::uint8_t* bytes);
// Integer types only; u64 values from 2^63 on come out negative (the same bits).
std::int64_t load_integer(ScalarType type, const std::uint8_t* bytes);

}  // namespace optiml::task
