#pragma once
// A module loaded into a memory: where its variables are, and its kernels decoded.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "emulator/execution/program.h"
#include "emulator/execution/shared_layout.h"
#include "emulator/storage/memory_implementation.h"

namespace optiml::emulator {

// What a kernel and the functions it may call can do; decides what has to be kept track of and what may run at once.
struct KernelTraits {
    bool communicates = false;     // blocks may wait for each other or use each other's results within the launch
    bool atomics = false;          // beyond the block's own memory
    bool publishes = false;        // fences, releases, acquires or mbarriers: order beyond barriers has to be followed
    bool partial_barriers = false; // named barriers, counts, arrivals: order between some warps only
    bool partial_masks = false;    // warp-wide primitives for parts of a warp
    bool uses_heap = false;

    // Blocks of other kernels are expected to have nothing to do with each other.
    bool mixes_blocks() const { return communicates || atomics; }
    // Where only some threads are ordered, race detection has to know all readers of a place, not just that there were several.
    bool keeps_each_reader() const { return publishes || partial_barriers || partial_masks; }
};

// Where a kernel may write: the buffers of these parameters, or any; surfaces.
struct WrittenParameters {
    std::vector<bool> parameters;
    bool anything = false;
    bool surfaces = false;
};

struct KernelImage {
    const ptx::Function* function = nullptr;
    std::vector<std::unique_ptr<Program>> programs;  // by function number; null: not reachable from the kernel
    const Program* entry = nullptr;
    SharedLayout shared;
    KernelTraits traits;
    // By site number (MemoryForm::site): the instruction. sites[0] stands for all that found no number.
    std::vector<std::pair<const ptx::Function*, std::uint32_t>> sites;
    WrittenParameters written;
};

class ModuleImage {
public:
    // The module must stay alive and unchanged as long as the memory is used.
    ModuleImage(const ptx::Module& module, Memory::Implementation& memory);

    const ptx::Module& module() const { return module_; }
    const KernelImage& kernel(const ptx::Function& function);
    std::uint64_t variable_address(std::uint32_t variable) const { return addresses_[variable]; }
    // Regions of .global and .const variables; null for others.
    Region* variable_region(std::uint32_t variable) const { return regions_[variable]; }

private:
    const ptx::Module& module_;
    std::vector<std::uint64_t> addresses_;
    std::vector<Region*> regions_;
    std::map<const ptx::Function*, KernelImage> kernels_;
};

// The image of a module in a memory, made on first use.
ModuleImage& image_of(const ptx::Module& module, Memory::Implementation& memory);

}  // namespace optiml::emulator
