#include "emulator/textures/texel.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/execution/half.h"

namespace optiml::emulator {
namespace {

template <class T>
T load(const std::uint8_t* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

// Sign- or zero-extended.
std::uint32_t integer_channel(ChannelType channel, const std::uint8_t* bytes) {
    switch (channel) {
        case ChannelType::i8: return static_cast<std::uint32_t>(load<std::int8_t>(bytes));
        case ChannelType::u8: return load<std::uint8_t>(bytes);
        case ChannelType::i16: return static_cast<std::uint32_t>(load<std::int16_t>(bytes));
        case ChannelType::u16:
        case ChannelType::f16: return load<std::uint16_t>(bytes);
        default: return load<std::uint32_t>(bytes);
    }
}

double float_channel(ChannelType channel, const std::uint8_t* bytes) {
    switch (channel) {
        case ChannelType::i8: return std::max(-1.0, load<std::int8_t>(bytes) / 127.0);
        case ChannelType::u8: return load<std::uint8_t>(bytes) / 255.0;
        case ChannelType::i16: return std::max(-1.0, load<std::int16_t>(bytes) / 32767.0);
        case ChannelType::u16: return load<std::uint16_t>(bytes) / 65535.0;
        case ChannelType::f16: return float_of_f16(load<std::uint16_t>(bytes));
        default: return load<float>(bytes);
    }
}

}  // namespace

bool reads_floats(const TextureDescription& texture) { return is_float(texture.layout.channel) || texture.sampling.normalized_floats; }

std::array<double, 4> float_texel(const TextureDescription& texture, const std::uint8_t* bytes) {
    std::array<double, 4> values{};
    const ChannelType channel = texture.layout.channel;
    for (std::uint32_t i = 0; i < texture.layout.channels; ++i) values[i] = float_channel(channel, bytes + i * bytes_of(channel));
    return values;
}

std::array<std::uint32_t, 4> integer_texel(const TextureDescription& texture, const std::uint8_t* bytes) {
    std::array<std::uint32_t, 4> values{};
    const ChannelType channel = texture.layout.channel;
    for (std::uint32_t i = 0; i < texture.layout.channels; ++i) values[i] = integer_channel(channel, bytes + i * bytes_of(channel));
    return values;
}

}  // namespace optiml::emulator
