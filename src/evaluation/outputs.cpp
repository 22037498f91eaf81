#include "evaluation/outputs.h"

#include <algorithm>

namespace optiml::evaluation {

std::vector<Output> read_outputs(const task::ResolvedPlan& plan, const Workspace& workspace) {
    std::vector<Output> outputs;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        const task::ResolvedBuffer& buffer = plan.buffers[i];
        if (buffer.is_scratch || buffer.role == task::Role::input) continue;
        const std::uint32_t size = task::bytes_of(buffer.type);
        Output output{i, buffer.name, buffer.type, buffer.elements};
        output.bytes.resize(buffer.elements * size);
        workspace.memory.read(workspace.buffers[i], 0, output.bytes.data(), output.bytes.size());
        const std::vector<std::uint8_t> unwritten = workspace.memory.uninitialized(workspace.buffers[i], 0, output.bytes.size());
        output.written.resize(buffer.elements);
        for (std::uint64_t element = 0; element < buffer.elements; ++element) {
            const auto begin = unwritten.begin() + static_cast<std::ptrdiff_t>(element * size);
            output.written[element] = std::all_of(begin, begin + size, [](std::uint8_t flag) { return flag == 0; });
        }
        outputs.push_back(std::move(output));
    }
    return outputs;
}

WideOutput read_wide(const Output& output, const Workspace& workspace) {
    WideOutput wide;
    if (!task::is_float(output.type)) return wide;
    wide.high.resize(output.elements);
    wide.low.resize(output.elements);
    if (task::bytes_of(output.type) == 2) {  // halves carry no shadow in memory
        for (std::uint64_t i = 0; i < output.elements; ++i) wide.high[i] = output.value(i);
        return wide;
    }
    workspace.memory.read_shadow(workspace.buffers[output.buffer], 0, output.elements, wide.high.data(), wide.low.data());
    return wide;
}

}  // namespace optiml::evaluation
