#include "evaluation/workspace.h"

#include <cmath>
#include <cstring>

#include "base/random.h"

namespace optiml::evaluation {
namespace {

constexpr std::uint64_t kPerturbationStream = 0x5000000;

// One step up or down in the order of floats of that width; zeros, infinities and NaNs stay.
template <class Bits>
void move_to_neighbour(std::uint8_t* bytes, bool up) {
    Bits bits;
    std::memcpy(&bits, bytes, sizeof bits);
    bits = static_cast<Bits>(up ? bits + 1 : bits - 1);
    std::memcpy(bytes, &bits, sizeof bits);
}

void perturb(task::ScalarType type, std::uint64_t stream, std::uint64_t element, std::uint8_t* bytes) {
    const double value = task::load_float(type, bytes);
    if (value == 0 || !std::isfinite(value)) return;
    const bool up = random_bits(stream, element) % 2 == 0;
    std::uint8_t before[8];
    const std::uint32_t size = task::bytes_of(type);
    std::memcpy(before, bytes, size);
    switch (size) {
        case 2: move_to_neighbour<std::uint16_t>(bytes, up); break;
        case 4: move_to_neighbour<std::uint32_t>(bytes, up); break;
        default: move_to_neighbour<std::uint64_t>(bytes, up); break;
    }
    if (!std::isfinite(task::load_float(type, bytes))) std::memcpy(bytes, before, size);
}

task::ElementGenerator perturbed(task::ElementGenerator generator, task::ScalarType type, std::uint64_t stream) {
    return [generator = std::move(generator), type, stream](std::uint64_t first, std::uint64_t count, std::uint8_t* bytes) {
        generator(first, count, bytes);
        const std::uint32_t size = task::bytes_of(type);
        for (std::uint64_t i = 0; i < count; ++i) perturb(type, stream, first + i, bytes + i * size);
    };
}

// Memory asks for bytes, which may begin and end inside an element.
emulator::ByteGenerator by_bytes(task::ElementGenerator generator, std::uint32_t size) {
    return [generator = std::move(generator), size](std::uint64_t offset, std::uint64_t count, std::uint8_t* bytes) {
        if (count == 0) return;
        const std::uint64_t first = offset / size, last = (offset + count - 1) / size;
        if (offset % size == 0 && count % size == 0) return generator(first, count / size, bytes);
        std::vector<std::uint8_t> elements((last - first + 1) * size);
        generator(first, last - first + 1, elements.data());
        std::memcpy(bytes, elements.data() + (offset - first * size), count);
    };
}

// The texture or surface object over the last of the workspace's buffers; 0: kernels get its address.
std::uint64_t add_object(const task::ResolvedBuffer& buffer, Workspace& workspace) {
    if (!buffer.texture) return 0;
    if (buffer.is_surface) return workspace.memory.add_surface(workspace.buffers.back(), buffer.texture->layout);
    return workspace.memory.add_texture(workspace.buffers.back(), *buffer.texture);
}

}  // namespace

Result<task::ElementGenerator> input_generator(const task::Task& task, const std::string& name, const InputChoice& choice,
                                               const Disk& disk) {
    const task::Argument* argument = task.find_argument(name);
    if (argument == nullptr) return internal_error("the plan has an input that the task has not: " + name);
    auto generator = task::generator_of(task, *argument, choice.sizes, choice.pattern, choice.seed, disk);
    if (!generator || !choice.perturbed || !task::is_float(argument->type)) return generator;
    const auto index = static_cast<std::uint64_t>(argument - task.arguments.data());
    return perturbed(std::move(*generator), argument->type, kPerturbationStream + index + 1000003 * choice.seed);
}

Result<Workspace> make_workspace(const task::Task& task, const task::ResolvedPlan& plan, const InputChoice& choice, const Disk& disk) {
    Workspace workspace;
    for (const task::ResolvedBuffer& buffer : plan.buffers) {
        const std::uint32_t size = task::bytes_of(buffer.type);
        emulator::BufferSpec spec{buffer.name, buffer.elements * size, size, buffer.misalignment};
        if (buffer.role != task::Role::output) {
            auto generator = input_generator(task, buffer.name, choice, disk);
            if (!generator) return tl::make_unexpected(std::move(generator.error()));
            spec.initialized = true;
            spec.generator = by_bytes(std::move(*generator), size);
        }
        workspace.buffers.push_back(workspace.memory.add(std::move(spec)));
        workspace.textures.push_back(add_object(buffer, workspace));
    }
    return workspace;
}

}  // namespace optiml::evaluation
