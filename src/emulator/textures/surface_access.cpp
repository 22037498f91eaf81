// suld.b and sust.b: loads and stores of texels by their place, which may be written in the same launch as any other memory.

#include <bit>

#include <fmt/format.h>

#include "emulator/checks/taint_flow.h"
#include "emulator/execution/access_parts.h"
#include "emulator/execution/executor.h"
#include "emulator/execution/handlers.h"
#include "emulator/execution/memory_steps.h"
#include "emulator/execution/rows.h"
#include "emulator/textures/block_linear.h"
#include "emulator/values/shadow_flow.h"

namespace optiml::emulator {
namespace {

using ptx::Geometry;
using ptx::SurfaceBounds;

// Axes of the coordinates, and whether the number of a layer stands before them.
struct SurfaceAxes {
    std::uint32_t count = 0;
    bool layered = false;
};

SurfaceAxes surface_axes_of(Geometry geometry) {
    switch (geometry) {
        case Geometry::d1: return {1, false};
        case Geometry::d2: return {2, false};
        case Geometry::d3: return {3, false};
        case Geometry::a1d: return {1, true};
        case Geometry::a2d: return {2, true};
        default: return {};
    }
}

class SurfaceAccess {
public:
    SurfaceAccess(Executor& executor, const Operation& operation, LaneMask active)
        : executor_(executor), operation_(operation), request_(executor.request), axes_(surface_axes_of(operation.instruction->modifiers.geometry)) {
        request_.active = active;
        request_.lane_bytes = operation.memory.lane_bytes();
        request_.space = ptx::Space::global;
        request_.contiguous = false;
        for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
            if (!place(lane)) request_.active &= ~(1u << lane);
        }
    }

    void load(LaneMask active) {
        if (executor_.frame().taint.any) taint_flow::clear_destinations(executor_, operation_, active);
        if (executor_.state().wide()) shadow_flow::forget_destinations(executor_, operation_, active);
        const LaneMask absent = active & ~request_.active;
        load_pages(executor_, operation_, request_);
        if (executor_.state().options.checks) taint_flow::load(executor_, operation_, request_);
        if (executor_.state().wide()) shadow_flow::load(executor_, operation_, request_);
        clear_staging(executor_, request_.lane_bytes, absent);
        unpack(executor_, operation_, active);
        observe();
    }

    void store(LaneMask active) {
        pack(executor_, operation_);
        if (executor_.frame().taint.any) taint_flow::reaches_store(executor_, operation_, active);
        store_pages(executor_, operation_, request_);
        if (executor_.frame().taint.any) taint_flow::store(executor_, operation_, request_);
        if (executor_.state().wide()) shadow_flow::store(executor_, operation_, request_);
        observe();
    }

private:
    std::int64_t coordinate(std::uint32_t source, std::uint32_t lane) {
        return static_cast<std::int32_t>(lane_value(executor_.source(operation_, source), lane));
    }

    // Finds the lane's address; false: it accesses nothing.
    bool place(std::uint32_t lane) {
        const TextureObject* surface = surface_of(lane);
        if (surface == nullptr) return false;
        const TextureLayout& layout = surface->description.layout;
        const std::int64_t texel_bytes = layout.texel_bytes();
        const std::array<std::int64_t, 3> extents{static_cast<std::int64_t>(layout.width) * texel_bytes, static_cast<std::int64_t>(layout.height),
                                                  static_cast<std::int64_t>(layout.depth)};
        std::uint32_t source = 0;
        const std::int64_t layer = axes_.layered ? coordinate(source++, lane) : 0;
        bool inside = layer >= 0 && layer < static_cast<std::int64_t>(layout.layers);
        std::array<std::int64_t, 3> at{};  // x in bytes
        for (std::uint32_t axis = 0; axis < axes_.count; ++axis) {
            at[axis] = coordinate(source++, lane);
            const std::int64_t bytes = axis == 0 ? request_.lane_bytes : 1;
            inside &= at[axis] >= 0 && at[axis] <= extents[axis] - bytes;
            if (operation_.instruction->modifiers.bounds == SurfaceBounds::clamp) at[axis] = std::clamp<std::int64_t>(at[axis], 0, extents[axis] - bytes);
        }
        if (!inside && !goes_on_outside(*surface, lane)) return false;
        const Tap texel{.texel = {static_cast<std::uint64_t>(at[0] / texel_bytes), static_cast<std::uint64_t>(at[1]), static_cast<std::uint64_t>(at[2])},
                        .layer = static_cast<std::uint64_t>(std::clamp<std::int64_t>(layer, 0, static_cast<std::int64_t>(layout.layers) - 1))};
        const std::uint64_t start = executor_.state().memory.regions[surface->region].address();
        const auto within = static_cast<std::uint64_t>(at[0] % texel_bytes);
        request_.addresses[lane] = start + texel.index_in(layout) * static_cast<std::uint64_t>(texel_bytes) + within;
        array_addresses_[lane] = start + BlockLinear(layout).offset_of(texel) + within;
        return true;
    }

    // Outside of the surface: whether the lane accesses the nearest texel instead.
    bool goes_on_outside(const TextureObject& surface, std::uint32_t lane) {
        const SurfaceBounds bounds = operation_.instruction->modifiers.bounds;
        const std::string& name = executor_.state().memory.regions[surface.region].spec().name;
        if (bounds == SurfaceBounds::trap) report(lane, fmt::format("{} outside of the surface '{}'", operation_.instruction->text, name), name);
        return bounds == SurfaceBounds::clamp;
    }

    const TextureObject* surface_of(std::uint32_t lane) {
        const AddressForm& form = operation_.memory.address;
        const std::uint64_t handle = form.offset + (form.base.width == 0 ? 0 : lane_value(executor_.frame().row_of(form.base), lane));
        const TextureObject* surface = executor_.state().memory.find_texture(handle);
        if (surface == nullptr || !surface->is_surface) {
            report(lane, fmt::format("{} through the handle {:#x}, which is no surface object", operation_.instruction->text, handle), "");
            return nullptr;
        }
        const TextureShape shape = surface->description.layout.shape;
        if (coordinates_of(shape) == axes_.count && is_layered(shape) == axes_.layered && !is_cube(shape)) return surface;
        const std::string& name = executor_.state().memory.regions[surface->region].spec().name;
        report(lane, fmt::format("{} accesses '{}', which is a surface of shape {}", operation_.instruction->text, name, name_of(shape)), name);
        return nullptr;
    }

    void report(std::uint32_t lane, std::string message, const std::string& buffer) {
        Finding finding = executor_.finding(FindingKind::out_of_bounds, operation_, lane, std::move(message));
        finding.buffer = buffer;
        executor_.report(std::move(finding));
    }

    void observe() {
        if (executor_.observer() == nullptr || request_.active == 0) return;
        executor_.observer()->access(*executor_.program().function, operation_.index,
                                     {.kind = operation_.memory.kind,
                                      .type = operation_.instruction->modifiers.type,
                                      .active = request_.active,
                                      .bytes = request_.lane_bytes,
                                      .slot = executor_.block().slot,
                                      .warp = executor_.warp().number(),
                                      .addresses = array_addresses_.data(),
                                      .buffer_addresses = request_.addresses.data()});
    }

    Executor& executor_;
    const Operation& operation_;
    Request& request_;
    SurfaceAxes axes_;
    std::array<std::uint64_t, kLanes> array_addresses_{};
};

}  // namespace

bool is_emulated_surface_access(const ptx::Instruction& instruction) {
    const bool stores = instruction.opcode == ptx::Opcode::sust;
    return instruction.modifiers.component == 'b' && surface_axes_of(instruction.modifiers.geometry).count > 0 && instruction.sources.size() == (stores ? 3u : 2u) &&
           instruction.sources[0].kind == ptx::OperandKind::address;
}

namespace handlers {

Flow access_surface(Executor& executor, const Operation& operation, LaneMask active) {
    if (executor.frame().taint.any) {
        taint_flow::reaches_address(executor, operation, operation.memory.address.base.row, active);
        const std::uint32_t values = operation.memory.kind == AccessKind::store ? operation.memory.elements : 0;
        for (std::uint32_t source = 0; source + values < operation.source_count; ++source)
            taint_flow::reaches_address(executor, operation, executor.program().source(operation, source).row, active);
    }
    SurfaceAccess access(executor, operation, active);
    if (operation.memory.kind == AccessKind::store)
        access.store(active);
    else
        access.load(active);
    return Flow::next;
}

}  // namespace handlers
}  // namespace optiml::emulator
