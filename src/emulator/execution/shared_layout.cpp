#include "emulator/execution/shared_layout.h"

#include <algorithm>

namespace optiml::emulator {
namespace {

constexpr std::uint32_t kGapBytes = 1024;
constexpr std::uint32_t kDynamicAlignment = 16;

std::uint32_t aligned(std::uint32_t offset, std::uint32_t alignment) { return (offset + alignment - 1) / alignment * alignment; }

class Layout {
public:
    void add(const ptx::Function* function, const std::vector<ptx::Variable>& variables) {
        for (std::uint32_t index = 0; index < variables.size(); ++index) {
            const ptx::Variable& variable = variables[index];
            if (variable.space != ptx::Space::shared) continue;
            if (variable.is_extern)
                dynamic_.push_back({function, index});
            else
                place(function, index, variable);
        }
    }

    SharedLayout finish() {
        layout_.dynamic_offset = aligned(layout_.packed_bytes, kDynamicAlignment) + gaps();
        for (const auto& key : dynamic_) layout_.offsets[key] = layout_.dynamic_offset;
        return std::move(layout_);
    }

private:
    std::uint32_t gaps() const { return static_cast<std::uint32_t>(layout_.variables.size()) * kGapBytes; }

    void place(const ptx::Function* function, std::uint32_t index, const ptx::Variable& variable) {
        layout_.packed_bytes = aligned(layout_.packed_bytes, std::max(variable.alignment, 1u));
        const std::uint32_t offset = layout_.packed_bytes + gaps();
        const auto bytes = static_cast<std::uint32_t>(variable.bytes);
        layout_.offsets[{function, index}] = offset;
        layout_.variables.push_back({variable.name, offset, bytes});
        layout_.packed_bytes += bytes;
    }

    SharedLayout layout_;
    std::vector<std::pair<const ptx::Function*, std::uint32_t>> dynamic_;
};

}  // namespace

SharedLayout lay_out_shared(const ptx::Module& module, const std::vector<const ptx::Function*>& functions) {
    Layout layout;
    layout.add(nullptr, module.variables);
    for (const ptx::Function* function : functions) layout.add(function, function->variables);
    return layout.finish();
}

}  // namespace optiml::emulator
