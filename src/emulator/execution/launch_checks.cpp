#include "emulator/execution/launch_checks.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace optiml::emulator {
namespace {

std::vector<std::uint8_t> bytes_of(const KernelArgument& argument, const Memory& memory) {
    if (const auto* bytes = std::get_if<std::vector<std::uint8_t>>(&argument)) return *bytes;
    const auto& buffer = std::get<BufferArgument>(argument);
    const std::uint64_t address = memory.address(buffer.buffer) + static_cast<std::uint64_t>(buffer.offset);
    std::vector<std::uint8_t> bytes(sizeof address);
    std::memcpy(bytes.data(), &address, sizeof address);
    return bytes;
}

class LaunchCheck {
public:
    explicit LaunchCheck(const Launch& launch) : launch_(launch) {}

    void at_most(std::uint64_t value, std::uint64_t limit, std::string_view what) {
        if (value > limit) add(fmt::format("{} is {}, the device's limit is {}", what, value, limit));
    }
    void at_least_one(std::uint64_t value, std::string_view what) {
        if (value == 0) add(fmt::format("{} is 0", what));
    }
    void add(std::string message) {
        Finding finding;
        finding.kind = FindingKind::launch;
        finding.message = std::move(message);
        finding.kernel = launch_.kernel;
        findings_.push_back(std::move(finding));
    }
    std::vector<Finding> take() { return std::move(findings_); }

private:
    const Launch& launch_;
    std::vector<Finding> findings_;
};

}  // namespace

Result<std::vector<std::uint8_t>> parameter_block(const ptx::Function& kernel, const Launch& launch, const Memory& memory) {
    if (launch.arguments.size() != kernel.parameters.size())
        return internal_error(fmt::format("kernel '{}' takes {} arguments, the launch gives {}", launch.kernel, kernel.parameters.size(),
                                          launch.arguments.size()));
    std::vector<std::uint8_t> block;
    for (std::size_t index = 0; index < kernel.parameters.size(); ++index) {
        const ptx::Parameter& parameter = kernel.parameters[index];
        const std::vector<std::uint8_t> bytes = bytes_of(launch.arguments[index], memory);
        if (bytes.size() != parameter.bytes)
            return internal_error(fmt::format("argument {} of kernel '{}' has {} bytes, the launch gives {}", index + 1, launch.kernel,
                                              parameter.bytes, bytes.size()));
        block.resize(std::max<std::size_t>(block.size(), parameter.offset + parameter.bytes));
        std::copy(bytes.begin(), bytes.end(), block.begin() + static_cast<std::ptrdiff_t>(parameter.offset));
    }
    return block;
}

std::vector<Finding> check_launch(const Launch& launch, const KernelImage& kernel, const DeviceModel& device) {
    LaunchCheck check(launch);
    const Dim3& block = launch.block;
    const Dim3& grid = launch.grid;
    check.at_least_one(grid.count(), "the number of blocks");
    check.at_least_one(block.count(), "the number of threads in a block");
    check.at_most(grid.x, device.max_grid_x, "grid x");
    check.at_most(grid.y, device.max_grid_y, "grid y");
    check.at_most(grid.z, device.max_grid_z, "grid z");
    check.at_most(block.x, device.max_block_x, "block x");
    check.at_most(block.y, device.max_block_y, "block y");
    check.at_most(block.z, device.max_block_z, "block z");
    check.at_most(block.count(), device.max_threads_per_block, "the number of threads in a block");
    check.at_most(std::uint64_t{kernel.shared.packed_bytes} + launch.dynamic_shared, device.shared_per_block,
                  "shared memory of a block in bytes");
    check.at_most(std::uint64_t{launch.resources.registers} * block.count(), device.registers_per_sm, "registers of a block");
    const ptx::Function& function = *kernel.function;
    const auto threads = [](const std::uint32_t (&extents)[3]) {
        return std::uint64_t{extents[0]} * std::max(extents[1], 1u) * std::max(extents[2], 1u);
    };
    if (const std::uint64_t most = threads(function.max_threads); most != 0 && block.count() > most)
        check.add(fmt::format("{} threads in a block, the kernel's launch bounds allow {}", block.count(), most));
    if (const std::uint64_t required = threads(function.required_threads); required != 0 && block.count() != required)
        check.add(fmt::format("{} threads in a block, the kernel requires {}", block.count(), required));
    return check.take();
}

}  // namespace optiml::emulator
