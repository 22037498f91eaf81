#pragma once

#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "emulator/memory.h"
#include "emulator/storage/region.h"
#include "emulator/textures/texture_object.h"
#include "ptx/module.h"

namespace optiml::emulator {

class ModuleImage;

struct Memory::Implementation {
    Implementation();
    ~Implementation();

    // Regions in the order in which they were added: region i has slot i + 1.
    std::deque<Region> regions;
    std::vector<Region*> buffers;  // by BufferId
    std::vector<TextureObject> textures;
    std::uint64_t next_stagger = 0;
    std::uint64_t heap_bytes = 0;  // given out by device-side malloc
    std::vector<std::unique_ptr<AccessHistory>> spare_histories;
    std::map<const ptx::Module*, std::unique_ptr<ModuleImage>> images;

    Region& add_region(BufferSpec spec);
    // Histories of accesses, for pages; they are given back and cleared by forget_accesses().
    std::unique_ptr<AccessHistory> take_history();
    // A launch begins: nobody has accessed anything.
    void forget_accesses();
    // nullptr: no texture object has this handle.
    const TextureObject* find_texture(std::uint64_t handle) const {
        const std::uint64_t number = handle - kTextureWindow;
        return number < textures.size() ? &textures[number] : nullptr;
    }
    // The region in whose slot an address lies; it need not contain it. nullptr: a window or nothing at all.
    Region* region_near(std::uint64_t address) {
        const std::uint64_t slot = address >> kSlotShift;
        return slot - 1 < regions.size() ? &regions[slot - 1] : nullptr;
    }
};

}  // namespace optiml::emulator
