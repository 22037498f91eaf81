#pragma once
// One page as several host threads left it, by the histories of what they accessed.

#include <span>

#include "emulator/storage/page.h"

namespace optiml::emulator {

// Whether nothing that was written in one of the pages was accessed in another.
bool may_merge(std::span<Page* const> pages);

// Copies what was written in one page to the other: bytes, whether they are initialised, and shadows.
void copy_written(const Page& from, Page& to);

}  // namespace optiml::emulator
