#pragma once
// Comma-separated values as Nsight Compute writes them (RFC 4180: quotes double inside quotes, line ends inside quotes belong to the
// field), with the line each record begins on.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace optiml::gpu::nsight {

struct CsvRecord {
    std::uint32_t line = 0;  // counted from 1
    std::vector<std::string> fields;
};

// Empty lines and the tool's own messages ("==PROF== ...") between records are left out. first_line: number of the text's first line.
// Error (user): a quote that is never closed, at the line where it opens.
Result<std::vector<CsvRecord>> read_csv(std::string_view text, std::uint32_t first_line, const std::string& file);

}  // namespace optiml::gpu::nsight
