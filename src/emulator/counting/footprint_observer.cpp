#include "emulator/counting/footprint_observer.h"

#include <algorithm>

namespace optiml::emulator {
namespace {

bool reads(AccessKind kind) { return kind != AccessKind::store; }
bool writes(AccessKind kind) { return kind == AccessKind::store || kind == AccessKind::atomic || kind == AccessKind::reduction; }

}  // namespace

FootprintObserver::FootprintObserver(const Memory::Implementation& memory) {
    for (const Region* region : memory.buffers) buffers_.push_back({region->address(), std::max(1u, region->spec().element_bytes)});
    buffer_of_slot_.assign(memory.regions.size() + 1, buffers_.size());
    for (std::size_t i = 0; i < buffers_.size(); ++i) buffer_of_slot_[buffers_[i].address >> kSlotShift] = i;
}

void FootprintObserver::begin_block(std::uint64_t, std::uint32_t slot) {
    if (residents_.size() <= slot) residents_.resize(slot + 1);
    residents_[slot] = std::vector<Touched>(buffers_.size());
}

void FootprintObserver::end_block(std::uint64_t linear_block, std::uint32_t slot, std::span<const std::uint64_t>) {
    BlockFootprint footprint{linear_block, {}};
    for (const Touched& touched : residents_[slot]) footprint.buffers.push_back({touched.read.size(), touched.written.size()});
    footprints_.push_back(std::move(footprint));
}

void FootprintObserver::access(const ptx::Function&, std::uint32_t, const MemoryAccess& access) {
    if (access.space != ptx::Space::global) return;
    for (LaneMask rest = access.active; rest != 0; rest &= rest - 1) {
        const std::uint64_t* addresses = access.buffer_addresses != nullptr ? access.buffer_addresses : access.addresses;
        touch(access.slot, addresses[std::countr_zero(rest)], access.bytes, reads(access.kind), writes(access.kind));
    }
}

void FootprintObserver::fetch(const ptx::Function&, std::uint32_t, const TextureFetch& fetch) {
    for (const std::uint64_t address : fetch.buffer_addresses) touch(fetch.slot, address, fetch.texel_bytes, true, false);
}

void FootprintObserver::touch(std::uint32_t block_slot, std::uint64_t address, std::uint32_t bytes, bool reads, bool writes) {
    const std::uint64_t slot = address >> kSlotShift;
    const std::size_t number = slot < buffer_of_slot_.size() ? buffer_of_slot_[slot] : buffers_.size();
    if (number == buffers_.size() || address < buffers_[number].address) return;
    const std::uint64_t offset = address - buffers_[number].address;
    const std::uint64_t size = buffers_[number].element_bytes;
    Touched& touched = residents_[block_slot][number];
    for (std::uint64_t element = offset / size; element <= (offset + bytes - 1) / size; ++element) {
        if (reads) touched.read.add(element);
        if (writes) touched.written.add(element);
    }
}

}  // namespace optiml::emulator
