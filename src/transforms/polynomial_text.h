#pragma once

#include <optional>
#include <string>

#include "cuda_source/analysis.h"

namespace optiml::transforms {

// "row * cols + c - 1"; nullopt where a symbol has no text that means the same elsewhere: an opaque expression.
std::optional<std::string> polynomial_text(const cuda_source::SourceFile& source, const cuda_source::Polynomial& polynomial);

}  // namespace optiml::transforms
