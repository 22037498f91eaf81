#pragma once
// Lane functions by instruction type: one instance of an operation a type, chosen by a switch.

#include "emulator/arithmetic/vector/apply.h"

namespace optiml::emulator::OPTIML_LEVEL {

// map_lanes over equal types: Result and `Arity` sources of type T.
template <class Operation, int Arity, class T>
constexpr LaneFunction uniform() {
    if constexpr (Arity == 1) return map_lanes<Operation, T, T>;
    else if constexpr (Arity == 2) return map_lanes<Operation, T, T, T>;
    else return map_lanes<Operation, T, T, T, T>;
}

inline bool is_long(ptx::Type type) {
    using enum ptx::Type;
    return type == b64 || type == u64 || type == s64 || type == f64;
}

// Operations in which signed and unsigned integers agree.
template <class Operation, int Arity>
LaneFunction by_width(ptx::Type type) {
    using enum ptx::Type;
    switch (type) {
        case b16: case u16: case s16: return uniform<Operation, Arity, std::uint16_t>();
        case b32: case u32: case s32: return uniform<Operation, Arity, std::uint32_t>();
        case b64: case u64: case s64: return uniform<Operation, Arity, std::uint64_t>();
        default: return nullptr;
    }
}

template <class Operation, int Arity>
LaneFunction by_integer(ptx::Type type) {
    using enum ptx::Type;
    switch (type) {
        case u16: return uniform<Operation, Arity, std::uint16_t>();
        case u32: return uniform<Operation, Arity, std::uint32_t>();
        case u64: return uniform<Operation, Arity, std::uint64_t>();
        case s16: return uniform<Operation, Arity, std::int16_t>();
        case s32: return uniform<Operation, Arity, std::int32_t>();
        case s64: return uniform<Operation, Arity, std::int64_t>();
        default: return nullptr;
    }
}

}  // namespace optiml::emulator::OPTIML_LEVEL
