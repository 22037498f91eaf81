#include "cuda_source/syntax.h"

#include <algorithm>

#include <fmt/format.h>

namespace optiml::cuda_source {

std::vector<FunctionId> SourceFile::kernels() const {
    std::vector<FunctionId> found;
    for (FunctionId id = 0; id < functions.size(); ++id) {
        if (functions[id].is_kernel && functions[id].body != none) found.push_back(id);
    }
    return found;
}

Result<FunctionId> SourceFile::find_kernel(std::string_view wanted) const {
    std::string_view plain = wanted.substr(0, wanted.find('<'));
    while (!plain.empty() && plain.back() == ' ') plain.remove_suffix(1);
    if (plain.starts_with("::")) plain.remove_prefix(2);

    std::vector<FunctionId> found;
    std::string names;
    for (const FunctionId id : kernels()) {
        const Function& function = functions[id];
        if (!names.empty()) names += ", ";
        names += function.qualified_name;
        const bool is_it = function.qualified_name == plain || function.name == plain || function.lowered_name == wanted;
        if (is_it) found.push_back(id);
    }
    const SourceLocation where{name, 0, 0};
    if (found.size() == 1) return found.front();
    if (names.empty()) return user_error("the source holds no kernel", where, "a kernel is a __global__ function with a body");
    if (found.empty()) return user_error(fmt::format("there is no kernel '{}'", wanted), where, "the kernels are: " + names);
    // A qualified name that is the same as another's plain name still means one kernel.
    const auto exact = [&](FunctionId id) { return functions[id].qualified_name == plain; };
    if (std::count_if(found.begin(), found.end(), exact) == 1) return *std::find_if(found.begin(), found.end(), exact);
    return user_error(fmt::format("'{}' names {} kernels", wanted, found.size()), where, "give the qualified name: " + names);
}

}  // namespace optiml::cuda_source
