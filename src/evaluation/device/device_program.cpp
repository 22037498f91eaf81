#include "evaluation/device/device_program.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace optiml::evaluation::device {
namespace {

Finding launch_finding(std::string kernel, std::string message) {
    Finding finding;
    finding.kind = FindingKind::launch;
    finding.kernel = std::move(kernel);
    finding.message = std::move(message);
    return finding;
}

constexpr std::uint64_t kMostGridX = 2147483647, kMostGridYZ = 65535;

// What cuLaunchKernel would refuse, named by axis and limit. An empty grid launches nothing and is no fault.
std::string refusal(const task::ResolvedStep& step) {
    const char* axes[] = {"x", "y", "z"};
    for (int axis = 0; axis < 3; ++axis) {
        const std::uint64_t most = axis == 0 ? kMostGridX : kMostGridYZ;
        if (step.grid[axis] > most) return fmt::format("grid.{} is {}, at most {} is possible", axes[axis], step.grid[axis], most);
        if (step.block[axis] == 0) return fmt::format("block.{} is 0", axes[axis]);
    }
    // Each factor first: their product may overflow.
    if (*std::max_element(step.block.begin(), step.block.end()) > 1024 || step.block[0] * step.block[1] * step.block[2] > 1024) {
        return fmt::format("a block of {} x {} x {} threads, at most 1024 are possible", step.block[0], step.block[1], step.block[2]);
    }
    if (step.dynamic_shared > UINT32_MAX) return fmt::format("{} bytes of dynamic shared memory", step.dynamic_shared);
    return "";
}

bool is_empty(const task::ResolvedStep& step) { return step.grid[0] == 0 || step.grid[1] == 0 || step.grid[2] == 0; }

using Textures = std::map<std::uint32_t, gpu::DeviceTexture>;

// A texture's handle, a buffer's address, or a scalar.
std::vector<std::uint8_t> bytes_of(const task::ResolvedArgument& argument, const std::vector<gpu::DeviceAddress>& addresses,
                                   const Textures& textures) {
    if (!argument.is_buffer) return argument.bytes;
    const auto texture = textures.find(argument.buffer);
    const std::uint64_t value = texture != textures.end() ? texture->second.handle()
                                                          : addresses[argument.buffer] + static_cast<std::uint64_t>(argument.byte_offset);
    std::vector<std::uint8_t> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

tl::expected<Textures, Finding> make_textures(gpu::Device& device, const task::ResolvedPlan& plan, const std::vector<gpu::DeviceAddress>& addresses) {
    Textures textures;
    for (std::uint32_t i = 0; i < plan.buffers.size(); ++i) {
        const task::ResolvedBuffer& buffer = plan.buffers[i];
        if (!buffer.texture) continue;
        const auto use = buffer.is_surface ? gpu::TextureUse::surface : gpu::TextureUse::texture;
        auto texture = gpu::DeviceTexture::make(device, *buffer.texture, addresses[i], use);
        if (!texture) return tl::make_unexpected(launch_finding("", fmt::format("the texture {} cannot be made: {}", buffer.name, texture.error().text())));
        textures.emplace(i, std::move(*texture));
    }
    return textures;
}

std::string lowered_name_of(const CompiledCandidate& compiled, const std::string& kernel) {
    for (const gpu::CompiledKernel& known : compiled.kernels) {
        if (known.name == kernel) return known.lowered_name;
    }
    return "";
}

}  // namespace

gpu::DeviceResult<Buffers> allocate(gpu::Device& device, const task::ResolvedPlan& plan, std::size_t first, std::size_t last) {
    Buffers buffers;
    for (std::size_t i = first; i < last; ++i) {
        const task::ResolvedBuffer& wanted = plan.buffers[i];
        auto buffer = GuardedBuffer::make(device, wanted.elements * task::bytes_of(wanted.type), wanted.misalignment);
        if (!buffer) return tl::make_unexpected(buffer.error());
        buffers.push_back(std::move(*buffer));
    }
    return buffers;
}

tl::expected<DeviceProgram, Finding> DeviceProgram::make(gpu::Device& device, const gpu::DeviceModule& module,
                                                         const CompiledCandidate& compiled, const task::ResolvedPlan& plan,
                                                         const std::vector<gpu::DeviceAddress>& addresses) {
    DeviceProgram program;
    program.device_ = &device;
    auto textures = make_textures(device, plan, addresses);
    if (!textures) return tl::make_unexpected(std::move(textures.error()));
    program.textures_ = std::move(*textures);
    for (const task::ResolvedStep& step : plan.steps) {
        Step made;
        if (step.is_clear) {
            const task::ResolvedBuffer& buffer = plan.buffers[step.buffer];
            made.is_clear = true;
            made.address = addresses[step.buffer];
            made.bytes = buffer.elements * task::bytes_of(buffer.type);
            made.value = step.clear_value;
            program.steps_.push_back(std::move(made));
            continue;
        }
        if (is_empty(step)) continue;
        if (const std::string reason = refusal(step); !reason.empty()) return tl::make_unexpected(launch_finding(step.kernel, reason));
        const auto function = module.function(lowered_name_of(compiled, step.kernel));
        if (!function) return tl::make_unexpected(launch_finding(step.kernel, "the compiled code has no such kernel: " + function.error().text()));
        made.kernel = step.kernel;
        made.function = *function;
        for (int axis = 0; axis < 3; ++axis) {
            made.shape.grid[axis] = static_cast<std::uint32_t>(step.grid[axis]);
            made.shape.block[axis] = static_cast<std::uint32_t>(step.block[axis]);
        }
        made.shape.dynamic_shared = static_cast<std::uint32_t>(step.dynamic_shared);
        for (const task::ResolvedArgument& argument : step.arguments) made.arguments.push_back(bytes_of(argument, addresses, program.textures_));
        program.steps_.push_back(std::move(made));
        ++program.launch_count_;
    }
    return program;
}

gpu::DeviceStatus DeviceProgram::load_textures() {
    for (auto& [buffer, texture] : textures_) {
        if (const auto loaded = texture.load(); !loaded) return loaded;
    }
    return {};
}

gpu::DeviceStatus DeviceProgram::store_surfaces() {
    for (auto& [buffer, texture] : textures_) {
        if (const auto stored = texture.store(); !stored) return stored;
    }
    return {};
}

gpu::DeviceStatus DeviceProgram::enqueue(std::size_t most_launches) {
    std::vector<void*> pointers;
    std::size_t launches = 0;
    for (Step& step : steps_) {
        if (!step.is_clear && launches++ == most_launches) return {};
        if (step.is_clear) {
            if (const auto cleared = device_->fill(step.address, step.value, step.bytes); !cleared) return cleared;
            continue;
        }
        pointers.clear();
        for (std::vector<std::uint8_t>& argument : step.arguments) pointers.push_back(argument.data());
        const auto launched = device_->launch(step.function, step.shape, pointers.data());
        if (!launched) {
            failed_kernel_ = step.kernel;
            return launched;
        }
    }
    return {};
}

std::vector<std::string> DeviceProgram::launched_kernels() const {
    std::vector<std::string> names;
    for (const Step& step : steps_) {
        if (!step.is_clear) names.push_back(step.kernel);
    }
    return names;
}

std::vector<DeviceProgram::LaunchView> DeviceProgram::launches() const {
    std::vector<LaunchView> views;
    for (const Step& step : steps_) {
        if (!step.is_clear) views.push_back({&step.kernel, step.function, &step.shape});
    }
    return views;
}

}  // namespace optiml::evaluation::device
