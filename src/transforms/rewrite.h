#pragma once
// What every transformation's apply() begins and ends with, and questions that many ask before.

#include <string>

#include "transforms/kernel_tree.h"
#include "transforms/source_edit.h"
#include "transforms/source_style.h"
#include "transforms/transformation.h"

namespace optiml::transforms {

// The context's candidate with the edit appended to its path.
task::Candidate derived(const Context& context, const Transformation& transformation, const Site& site, const Parameters& parameters);

// The same with the source replaced by the edits' result.
Result<task::Candidate> derived(const Context& context, const Transformation& transformation, const Site& site,
                                const Parameters& parameters, const SourceEdit& edit);

// "loop over c in softmax, line 14"
std::string describe(const Context& context, std::size_t kernel, std::string_view what, std::uint32_t offset);
const std::string& kernel_name(const Context& context, std::size_t kernel);

// A kernel with a body that does not come from a macro; of a template, the one instance that the plan launches: the rewrite is for it alone.
bool is_editable(const Context& context, std::size_t kernel);

// Threads neither wait for nor speak to each other: no barrier, warp primitive, shared array or code that we cannot see into.
// Then any order of the threads, and any distribution of their work over other threads, gives the same result.
bool has_independent_threads(const Context& context, std::size_t kernel);

// Every choice of one value for each of the names.
std::vector<Parameters> all_choices(const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& domain);

}  // namespace optiml::transforms
