#include "transforms/launch_bounds_attribute.h"

#include <fmt/format.h>

namespace optiml::transforms {

void set_launch_bounds(SourceEdit& edit, const Context& context, std::size_t kernel, std::int64_t threads, std::int64_t blocks) {
    const auto& function = context.source.functions[context.kernels[kernel].function];
    const std::string attribute =
        blocks == 0 ? fmt::format("__launch_bounds__({})", threads) : fmt::format("__launch_bounds__({}, {})", threads, blocks);
    if (function.launch_bounds_span.empty()) {
        edit.insert(function.name_span.begin, attribute + ' ');
    } else {
        edit.replace(function.launch_bounds_span, attribute);
    }
}

void update_launch_bounds(SourceEdit& edit, const Context& context, std::size_t kernel, std::int64_t threads) {
    const auto& function = context.source.functions[context.kernels[kernel].function];
    if (function.launch_bounds_span.empty()) return;
    set_launch_bounds(edit, context, kernel, threads, function.launch_bounds_blocks.value_or(0));
}

}  // namespace optiml::transforms
