// tex and tld4.

#include <bit>

#include <fmt/format.h>

#include "emulator/checks/taint_flow.h"
#include "emulator/execution/executor.h"
#include "emulator/execution/half.h"
#include "emulator/execution/handlers.h"
#include "emulator/execution/rows.h"
#include "emulator/textures/block_linear.h"
#include "emulator/textures/sampler.h"
#include "emulator/textures/texel.h"

namespace optiml::emulator {
namespace {

using ptx::Geometry;
using ptx::MipmapMode;

constexpr std::uint32_t kChannels = 4;

bool matches(Geometry geometry, TextureShape shape, bool texel_indices) {
    switch (shape) {
        case TextureShape::linear: return geometry == Geometry::d1 && texel_indices;
        case TextureShape::one_d: return geometry == Geometry::d1;
        case TextureShape::two_d: return geometry == Geometry::d2;
        case TextureShape::three_d: return geometry == Geometry::d3;
        case TextureShape::one_d_layered: return geometry == Geometry::a1d;
        case TextureShape::two_d_layered: return geometry == Geometry::a2d;
        case TextureShape::cube: return geometry == Geometry::cube;
        case TextureShape::cube_layered: return geometry == Geometry::acube;
    }
    return false;
}

bool has_layer(Geometry geometry) { return geometry == Geometry::a1d || geometry == Geometry::a2d || geometry == Geometry::acube; }

std::uint32_t axes_of(Geometry geometry) {
    switch (geometry) {
        case Geometry::d1:
        case Geometry::a1d: return 1;
        case Geometry::d2:
        case Geometry::a2d: return 2;
        default: return 3;
    }
}

// What one lane gets.
struct Fetched {
    std::array<std::uint32_t, kChannels> bits{};
    std::array<double, kChannels> exact{};  // floats before they are rounded
    bool is_float = false;
};

class Fetch {
public:
    Fetch(Executor& executor, const Operation& operation, LaneMask active)
        : executor_(executor), operation_(operation), instruction_(*operation.instruction), active_(active) {
        const ptx::Operand& coordinates = instruction_.sources[1];
        coordinates_ = coordinates.kind == ptx::OperandKind::vector ? coordinates.count : 1;
        texel_indices_ = !ptx::is_float(instruction_.modifiers.source_type);
    }

    void run() {
        for (LaneMask rest = active_; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
            const TextureObject* texture = texture_of(lane);
            write(lane, texture == nullptr ? Fetched() : fetch(*texture, lane));
        }
        observe();
    }

private:
    std::uint64_t handle_of(std::uint32_t lane) {
        const AddressForm& form = operation_.memory.address;
        return form.offset + (form.base.width == 0 ? 0 : lane_value(executor_.frame().row_of(form.base), lane));
    }

    const TextureObject* texture_of(std::uint32_t lane) {
        const std::uint64_t handle = handle_of(lane);
        const TextureObject* texture = executor_.state().memory.find_texture(handle);
        if (texture == nullptr || texture->is_surface) {
            report(lane, fmt::format("{} through the handle {:#x}, which is no texture object", instruction_.text, handle), "");
            return nullptr;
        }
        const TextureShape shape = texture->description.layout.shape;
        if (matches(instruction_.modifiers.geometry, shape, texel_indices_)) return texture;
        const std::string& name = executor_.state().memory.regions[texture->region].spec().name;
        report(lane, fmt::format("{} reads '{}', which is a texture of shape {}", instruction_.text, name, name_of(shape)), name);
        return nullptr;
    }

    void report(std::uint32_t lane, std::string message, const std::string& buffer) {
        Finding finding = executor_.finding(FindingKind::out_of_bounds, operation_, lane, std::move(message));
        finding.buffer = buffer;
        executor_.report(std::move(finding));
    }

    // Source `index` as a number; exact: from the wider domain where it has one.
    double number(std::uint32_t index, std::uint32_t lane, bool exact) {
        const Slot& slot = executor_.program().source(operation_, index);
        const ShadowRows& shadows = executor_.frame().shadows;
        if (exact && shadows.has(slot.row, lane)) {
            const ShadowValue value = shadows.get(slot.row, lane);
            return value.high + value.low;
        }
        return std::bit_cast<float>(static_cast<std::uint32_t>(lane_value(executor_.source(operation_, index), lane)));
    }

    std::int32_t integer(std::uint32_t index, std::uint32_t lane) {
        return static_cast<std::int32_t>(lane_value(executor_.source(operation_, index), lane));
    }

    TextureCoordinates coordinates_of_lane(const TextureObject& texture, std::uint32_t lane, bool exact) {
        TextureCoordinates result;
        const Geometry geometry = instruction_.modifiers.geometry;
        std::uint32_t source = 0;
        if (has_layer(geometry)) result.layer = integer(source++, lane);
        result.texel_indices = texel_indices_;
        for (std::uint32_t axis = 0; axis < axes_of(geometry); ++axis, ++source)
            result.position[axis] = texel_indices_ ? integer(source, lane) : number(source, lane, exact);
        if (instruction_.modifiers.mipmap == MipmapMode::level)
            result.level = texel_indices_ ? integer(coordinates_, lane) : number(coordinates_, lane, exact);
        if (instruction_.modifiers.mipmap == MipmapMode::grad) result.level = level_by_gradients(texture, lane, exact);
        return result;
    }

    // Of the longer of the two derivatives, in texels.
    double level_by_gradients(const TextureObject& texture, std::uint32_t lane, bool exact) {
        const TextureLayout& layout = texture.description.layout;
        const std::array<double, 3> extents{static_cast<double>(layout.width), static_cast<double>(layout.height),
                                            static_cast<double>(layout.depth)};
        const std::uint32_t axes = axes_of(instruction_.modifiers.geometry);
        const std::uint32_t stride = instruction_.sources[2].kind == ptx::OperandKind::vector ? instruction_.sources[2].count : 1;
        double longest = 0;
        for (std::uint32_t derivative = 0; derivative < 2; ++derivative) {
            double square = 0;
            for (std::uint32_t axis = 0; axis < axes; ++axis) {
                const double part = number(coordinates_ + derivative * stride + axis, lane, exact);
                const double texels = texture.description.sampling.normalized_coordinates ? part * extents[axis] : part;
                square += texels * texels;
            }
            longest = std::max(longest, square);
        }
        return 0.5 * std::log2(longest);
    }

    const std::uint8_t* bytes_of(const TextureObject& texture, const Tap& tap) {
        Region& region = executor_.state().memory.regions[texture.region];
        const TextureLayout& layout = texture.description.layout;
        const std::uint64_t address = region.address() + tap.index_in(layout) * layout.texel_bytes();
        return region.page(address).bytes.data() + address % kPageBytes;
    }

    Footprint footprint(const TextureObject& texture, std::uint32_t lane, bool exact) {
        const TextureCoordinates coordinates = coordinates_of_lane(texture, lane, exact);
        return instruction_.opcode == ptx::Opcode::tld4 ? gathered(texture.description, coordinates)
                                                        : footprint_of(texture.description, coordinates);
    }

    Fetched fetch(const TextureObject& texture, std::uint32_t lane) {
        const Footprint taps = footprint(texture, lane, false);
        note(texture, taps);
        Fetched fetched;
        fetched.is_float = reads_floats(texture.description);
        if (instruction_.opcode == ptx::Opcode::tld4)
            gather(texture, taps, fetched);
        else if (fetched.is_float)
            filter(texture, taps, fetched.exact);
        else if (!taps.begin()->outside)
            fetched.bits = integer_texel(texture.description, bytes_of(texture, *taps.begin()));
        if (!fetched.is_float) return fetched;
        for (std::uint32_t channel = 0; channel < kChannels; ++channel)
            fetched.bits[channel] = std::bit_cast<std::uint32_t>(static_cast<float>(fetched.exact[channel]));
        if (executor_.state().wide() && instruction_.opcode == ptx::Opcode::tex)
            filter(texture, footprint(texture, lane, true), fetched.exact);
        return fetched;
    }

    void filter(const TextureObject& texture, const Footprint& taps, std::array<double, kChannels>& values) {
        values.fill(0);
        for (const Tap& tap : taps) {
            if (tap.outside || tap.weight == 0) continue;
            const std::array<double, kChannels> texel = float_texel(texture.description, bytes_of(texture, tap));
            for (std::uint32_t channel = 0; channel < kChannels; ++channel) values[channel] += tap.weight * texel[channel];
        }
    }

    // One channel of four texels, counter-clockwise from the upper left one (y grows downwards: from x, y + 1).
    void gather(const TextureObject& texture, const Footprint& taps, Fetched& fetched) {
        constexpr std::array<std::uint32_t, kChannels> order{2, 3, 1, 0};
        const auto channel = static_cast<std::uint32_t>(std::string_view("rgba").find(instruction_.modifiers.component));
        for (std::uint32_t place = 0; place < kChannels; ++place) {
            const Tap& tap = taps.taps[order[place]];
            if (tap.outside) continue;
            if (fetched.is_float)
                fetched.exact[place] = float_texel(texture.description, bytes_of(texture, tap))[channel];
            else
                fetched.bits[place] = integer_texel(texture.description, bytes_of(texture, tap))[channel];
        }
    }

    void write(std::uint32_t lane, const Fetched& fetched) {
        const bool half = instruction_.modifiers.type == ptx::Type::f16;
        for (std::uint32_t channel = 0; channel < operation_.destination_count; ++channel) {
            const std::uint32_t bits = fetched.bits[channel];
            set_lane_value(executor_.destination(operation_, channel), lane,
                           half && fetched.is_float ? f16_of(std::bit_cast<float>(bits)) : bits);
            if (!executor_.state().wide()) continue;
            const std::uint32_t row = executor_.program().destination(operation_, channel).row;
            if (fetched.is_float && !half)
                executor_.frame().shadows.set(row, lane, {fetched.exact[channel], 0});
            else
                executor_.frame().shadows.forget(row, 1u << lane);
        }
    }

    void note(const TextureObject& texture, const Footprint& taps) {
        if (executor_.observer() == nullptr) return;
        const TextureLayout& layout = texture.description.layout;
        const std::uint64_t start = executor_.state().memory.regions[texture.region].address();
        const BlockLinear places(layout);
        texel_bytes_ = layout.texel_bytes();
        taps_a_lane_ = std::max(taps_a_lane_, taps.count);
        for (const Tap& tap : taps) {
            if (tap.outside) continue;
            addresses_.push_back(start + places.offset_of(tap));
            buffer_addresses_.push_back(start + tap.index_in(layout) * layout.texel_bytes());
        }
    }

    void observe() {
        if (executor_.observer() == nullptr) return;
        executor_.observer()->fetch(*executor_.program().function, operation_.index,
                                    {.active = active_,
                                     .slot = executor_.block().slot,
                                     .warp = executor_.warp().number(),
                                     .texel_bytes = texel_bytes_,
                                     .taps = taps_a_lane_,
                                     .addresses = addresses_,
                                     .buffer_addresses = buffer_addresses_});
    }

    Executor& executor_;
    const Operation& operation_;
    const ptx::Instruction& instruction_;
    LaneMask active_;
    std::uint32_t coordinates_ = 1;  // sources that hold them
    bool texel_indices_ = false;
    std::uint32_t texel_bytes_ = 4;
    std::uint32_t taps_a_lane_ = 0;
    std::vector<std::uint64_t> addresses_;
    std::vector<std::uint64_t> buffer_addresses_;
};

}  // namespace

bool is_emulated_fetch(const ptx::Instruction& instruction) {
    const ptx::Modifiers& modifiers = instruction.modifiers;
    const std::size_t sources = modifiers.mipmap == MipmapMode::grad ? 4 : modifiers.mipmap == MipmapMode::level ? 3 : 2;
    const bool plain = instruction.sources.size() == sources && instruction.sources[0].kind == ptx::OperandKind::address &&
                       instruction.destinations.size() == 1 && modifiers.vector == kChannels;
    const bool known_type = modifiers.type == ptx::Type::f32 || modifiers.type == ptx::Type::f16 || modifiers.type == ptx::Type::u32 ||
                            modifiers.type == ptx::Type::s32;
    return plain && known_type && modifiers.geometry != Geometry::none;
}

namespace handlers {

Flow fetch_texture(Executor& executor, const Operation& operation, LaneMask active) {
    if (executor.frame().taint.any) {
        const Program& program = executor.program();
        taint_flow::reaches_address(executor, operation, operation.memory.address.base.row, active);
        for (std::uint32_t source = 0; source < operation.source_count; ++source)
            taint_flow::reaches_address(executor, operation, program.source(operation, source).row, active);
        taint_flow::clear_destinations(executor, operation, active);
    }
    Fetch(executor, operation, active).run();
    return Flow::next;
}

}  // namespace handlers
}  // namespace optiml::emulator
