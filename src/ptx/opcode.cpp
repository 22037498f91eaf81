#include "ptx/opcode.h"

#include <iterator>

#include "ptx/opcode_table.h"

namespace optiml::ptx {
namespace {

enum class Number : std::uint8_t { untyped, unsigned_, signed_, floating };

struct TypeEntry {
    Type type;
    std::string_view name;
    std::uint32_t bits;
    Number number;
};

using enum Number;

// In the order of enum Type.
constexpr TypeEntry kTypes[] = {
    {Type::none, "", 0, untyped},         {Type::pred, "pred", 1, untyped},       {Type::b8, "b8", 8, untyped},
    {Type::b16, "b16", 16, untyped},      {Type::b32, "b32", 32, untyped},        {Type::b64, "b64", 64, untyped},
    {Type::b128, "b128", 128, untyped},   {Type::u8, "u8", 8, unsigned_},         {Type::u16, "u16", 16, unsigned_},
    {Type::u32, "u32", 32, unsigned_},    {Type::u64, "u64", 64, unsigned_},      {Type::s8, "s8", 8, signed_},
    {Type::s16, "s16", 16, signed_},      {Type::s32, "s32", 32, signed_},        {Type::s64, "s64", 64, signed_},
    {Type::f16, "f16", 16, floating},     {Type::f16x2, "f16x2", 32, floating},   {Type::bf16, "bf16", 16, floating},
    {Type::bf16x2, "bf16x2", 32, floating}, {Type::tf32, "tf32", 32, floating},   {Type::f32, "f32", 32, floating},
    {Type::f64, "f64", 64, floating},     {Type::e4m3x2, "e4m3x2", 16, floating}, {Type::e5m2x2, "e5m2x2", 16, floating},
    {Type::u16x2, "u16x2", 32, unsigned_}, {Type::s16x2, "s16x2", 32, signed_},   {Type::u4, "u4", 4, unsigned_},
    {Type::s4, "s4", 4, signed_},         {Type::b1, "b1", 1, untyped},           {Type::f32x2, "f32x2", 64, floating},
};

constexpr bool in_order() {
    for (std::size_t i = 0; i < std::size(kTypes); ++i) {
        if (static_cast<std::size_t>(kTypes[i].type) != i) return false;
    }
    return true;
}
static_assert(in_order());

const TypeEntry& entry_of(Type type) {
    const auto index = static_cast<std::size_t>(type);
    return kTypes[index < std::size(kTypes) ? index : 0];
}

}  // namespace

std::string_view name_of(Opcode opcode) { return entry_of(opcode).name; }
std::uint32_t destination_count(Opcode opcode) { return entry_of(opcode).destinations; }

std::uint32_t bits_of(Type type) { return entry_of(type).bits; }
bool is_float(Type type) { return entry_of(type).number == floating; }
bool is_signed(Type type) { return entry_of(type).number == signed_; }
std::string_view name_of(Type type) { return entry_of(type).name; }

Type find_type(std::string_view name) {
    for (const TypeEntry& entry : kTypes) {
        if (entry.name == name) return entry.type;
    }
    return Type::none;
}

}  // namespace optiml::ptx
