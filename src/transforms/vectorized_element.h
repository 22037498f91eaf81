#pragma once

#include <optional>

#include "transforms/rewrite.h"

namespace optiml::transforms {

// vectorized_access of a kernel in which thread i computes element i: a thread takes `width` elements, wide where all of them are within
// the bound and the addresses are aligned, one by one otherwise. The site's anchor is the declaration of the index.
std::optional<Site> vectorized_element_site(const Context& context, std::size_t kernel, const KernelTree& tree);
task::LaunchPlan vectorize_element(SourceEdit& edit, const Context& context, const Site& site, const KernelTree& tree, std::int64_t width);

}  // namespace optiml::transforms
