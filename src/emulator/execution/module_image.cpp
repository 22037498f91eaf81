#include "emulator/execution/module_image.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "emulator/execution/decode.h"
#include "emulator/execution/kernel_traits.h"
#include "emulator/execution/pointer_flow.h"
#include "emulator/storage/address_space.h"

namespace optiml::emulator {
namespace {

bool has_region(const ptx::Variable& variable) {
    return variable.space == ptx::Space::global || variable.space == ptx::Space::constant;
}

// Functions that the kernel may reach, itself first: by call, or because their address is taken anywhere.
std::vector<std::uint32_t> reachable_functions(const ptx::Module& module, std::uint32_t kernel) {
    std::vector<std::uint32_t> reached{kernel};
    const auto reach = [&](std::uint32_t function) {
        if (std::ranges::find(reached, function) == reached.end()) reached.push_back(function);
    };
    for (const ptx::Variable& variable : module.variables)
        for (const auto& relocation : variable.relocations)
            if (relocation.is_function) reach(relocation.index);
    for (std::size_t next = 0; next < reached.size(); ++next)
        for (const ptx::Instruction& instruction : module.functions[reached[next]].instructions)
            for (const ptx::Operand& operand : instruction.sources)
                if (operand.kind == ptx::OperandKind::function) reach(operand.index);
    return reached;
}

}  // namespace

ModuleImage::ModuleImage(const ptx::Module& module, Memory::Implementation& memory)
    : module_(module), addresses_(module.variables.size()), regions_(module.variables.size()) {
    for (std::size_t index = 0; index < module.variables.size(); ++index) {
        const ptx::Variable& variable = module.variables[index];
        if (!has_region(variable)) continue;
        regions_[index] = &memory.add_region({.name = variable.name,
                                              .bytes = variable.bytes,
                                              .element_bytes = std::max(1u, ptx::bits_of(variable.type) / 8),
                                              .initialized = true});
        regions_[index]->may_be_written = variable.space == ptx::Space::global;
        addresses_[index] = regions_[index]->address();
    }
    for (std::size_t index = 0; index < module.variables.size(); ++index) {
        const ptx::Variable& variable = module.variables[index];
        if (regions_[index] == nullptr || !variable.initialized) continue;
        regions_[index]->write(0, variable.initial.data(), std::min<std::uint64_t>(variable.initial.size(), variable.bytes));
        for (const auto& relocation : variable.relocations) {
            const std::uint64_t base = relocation.is_function ? kFunctionWindow + relocation.index : addresses_[relocation.index];
            const std::uint64_t value = base + relocation.addend;
            std::uint8_t bytes[sizeof value];
            std::memcpy(bytes, &value, sizeof value);
            regions_[index]->write(relocation.offset, bytes, std::min<std::uint64_t>(relocation.size, sizeof value));
        }
    }
}

const KernelImage& ModuleImage::kernel(const ptx::Function& function) {
    const auto [known, is_new] = kernels_.try_emplace(&function);
    KernelImage& image = known->second;
    if (!is_new) return image;
    const auto number = static_cast<std::uint32_t>(&function - module_.functions.data());
    const std::vector<std::uint32_t> reached = reachable_functions(module_, number);
    std::vector<const ptx::Function*> functions;
    for (const std::uint32_t index : reached) functions.push_back(&module_.functions[index]);
    image.function = &function;
    image.shared = lay_out_shared(module_, functions);
    image.sites.emplace_back(nullptr, 0);
    image.programs.resize(module_.functions.size());
    for (const std::uint32_t index : reached)
        if (module_.functions[index].has_body)
            image.programs[index] = std::make_unique<Program>(decode(module_.functions[index], index, *this, image));
    image.entry = image.programs[number].get();
    image.traits = traits_of(functions);
    image.written = written_parameters(function, functions);
    return image;
}

ModuleImage& image_of(const ptx::Module& module, Memory::Implementation& memory) {
    std::unique_ptr<ModuleImage>& image = memory.images[&module];
    if (image == nullptr) image = std::make_unique<ModuleImage>(module, memory);
    return *image;
}

}  // namespace optiml::emulator
