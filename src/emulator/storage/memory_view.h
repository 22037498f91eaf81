#pragma once
// Memory for the host threads of one launch: each writes to a view of its own, and what they wrote comes together at the end.

#include <memory>
#include <vector>

#include "emulator/storage/memory_implementation.h"

namespace optiml::emulator {

using MemoryView = std::unique_ptr<Memory::Implementation>;

// A view of the memory (see Region): it has its regions and textures, and neither modules nor a heap.
MemoryView make_view(Memory::Implementation& original);

// Brings what was written in the views into the original. False, and the original is unchanged: bytes that were written in one view
// were read or written in another. Every access to what the kernel may write must be in the pages' histories. Uses up the views.
bool merge_views(Memory::Implementation& original, const std::vector<MemoryView>& views);

}  // namespace optiml::emulator
