#pragma once
// The seam between the executor and the counters: what each warp instruction did. One observer a simulated SM; the executor calls
// it in a deterministic order for that SM whatever the number of host threads.

#include <cstdint>
#include <span>
#include <vector>

#include "emulator/lanes.h"

namespace optiml::emulator {

enum class AccessKind : std::uint8_t { load, store, atomic, reduction, async_copy };

struct MemoryAccess {
    ptx::Space space = ptx::Space::global;  // resolved: never generic
    AccessKind kind = AccessKind::load;
    ptx::AtomicOperation atomic = ptx::AtomicOperation::none;
    ptx::Type type = ptx::Type::b32;
    LaneMask active = 0;
    std::uint32_t bytes = 4;                // a lane, all vector elements together
    std::uint32_t slot = 0;                 // of the block, as given to begin_block
    std::uint32_t warp = 0;                 // within the block
    bool noncoherent = false;
    // Byte addresses by lane (of active lanes): global and constant: device addresses; shared: offsets in the block's shared memory;
    // local: offsets in the thread's frame. ldmatrix and stmatrix: the lanes that give row addresses are the active ones, bytes 16.
    const std::uint64_t* addresses = nullptr;
    // async_copy only: where in shared memory the bytes go (`addresses` are the global ones).
    const std::uint64_t* shared_addresses = nullptr;
    // Surfaces only: where the buffer has the bytes (`addresses` are those in a block-linear array).
    const std::uint64_t* buffer_addresses = nullptr;
};

// A warp's texture fetch.
struct TextureFetch {
    LaneMask active = 0;
    std::uint32_t slot = 0;                 // as of MemoryAccess
    std::uint32_t warp = 0;
    std::uint32_t texel_bytes = 4;
    std::uint32_t taps = 1;                 // texels that a lane's filter reads
    // Of the texels that all lanes read: as a block-linear array has them, and as the buffer has them (TextureLayout).
    std::span<const std::uint64_t> addresses;
    std::span<const std::uint64_t> buffer_addresses;
};

// How often each instruction of a function ran; the executor keeps these itself (an addition a warp instruction) and hands them over
// once per simulated SM.
struct InstructionCounts {
    const ptx::Function* function = nullptr;
    std::vector<std::uint64_t> warps;    // warp instructions issued (also where the guard is false for every lane), by index into function->instructions
    std::vector<std::uint64_t> threads;  // active lanes, guards applied
};

class Observer {
public:
    virtual ~Observer() = default;
    // A block becomes resident on this SM. slot: the smallest number that no resident block has, so that slots stay below the
    // number of blocks resident at once.
    virtual void begin_block(std::uint64_t linear_block, std::uint32_t slot) = 0;
    // The block has ended; warp_instructions: PTX warp instructions issued by each of its warps.
    virtual void end_block(std::uint64_t linear_block, std::uint32_t slot, std::span<const std::uint64_t> warp_instructions) = 0;
    // For every executed instruction that accesses memory (not .param); index into function.instructions. active == 0 is never reported.
    virtual void access(const ptx::Function& function, std::uint32_t index, const MemoryAccess& access) = 0;
    virtual void fetch(const ptx::Function& function, std::uint32_t index, const TextureFetch& fetch) = 0;
    // A conditional branch: lanes that take it and lanes that do not.
    virtual void branch(const ptx::Function& function, std::uint32_t index, LaneMask taken, LaneMask not_taken) = 0;
    // Once, after the SM's last block.
    virtual void finish(const std::vector<InstructionCounts>& counts) = 0;
};

}  // namespace optiml::emulator
