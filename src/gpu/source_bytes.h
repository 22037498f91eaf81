#pragma once

#include <string>
#include <string_view>

namespace optiml::gpu {

// A source as NVRTC can read it, of the same length and with the same lines. NVRTC refuses a byte order mark, and takes a byte that is no
// UTF-8 (Latin-1 in a comment) together with those behind it, a line's end among them: the mark becomes spaces, such a byte '?'.
std::string readable_source(std::string_view source);

}  // namespace optiml::gpu
