#pragma once
// For tests and benchmarks: kernels of testdata with buffers, launched in a few lines.

#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "base/disk.h"
#include "emulator/emulator.h"
#include "ptx/parser.h"

namespace optiml::emulator {

// Findings as lines "kind line: message"; empty: none, and the launch ran to its end.
inline std::string describe(const LaunchResult& result) {
    std::string text = result.completed ? "" : "not completed\n";
    for (const Finding& finding : result.findings)
        text += std::string(name_of(finding.kind)) + " " + std::to_string(finding.line) + ": " + finding.message + "\n";
    return text;
}

class LaunchKit {
public:
    // PTX text.
    explicit LaunchKit(std::string_view ptx) {
        Result<ptx::Module> parsed = ptx::parse(ptx);
        if (parsed)
            module_ = std::move(*parsed);
        else
            error_ = parsed.error().text();
        device.sm_count = 4;
    }
    // PTX text, or the file src/emulator/testdata/NAME.ptx.
    static LaunchKit from_file(const std::string& name) {
        const Result<std::string> text = RealDisk().read(std::string(OPTIML_SOURCE_DIR) + "/src/emulator/testdata/" + name + ".ptx");
        return LaunchKit(text ? *text : std::string());
    }

    const std::string& error() const { return error_; }
    const ptx::Module& module() const { return module_; }

    template <class Element>
    BufferId input(const std::string& name, const std::vector<Element>& values) {
        const BufferId buffer = memory.add({.name = name,
                                            .bytes = values.size() * sizeof(Element),
                                            .element_bytes = sizeof(Element),
                                            .initialized = true});
        memory.write(buffer, 0, values.data(), values.size() * sizeof(Element));
        return buffer;
    }
    template <class Element>
    BufferId output(const std::string& name, std::size_t count) {
        return memory.add({.name = name, .bytes = count * sizeof(Element), .element_bytes = sizeof(Element)});
    }
    template <class Element>
    std::vector<Element> read(BufferId buffer) const {
        std::vector<Element> values(memory.spec(buffer).bytes / sizeof(Element));
        memory.read(buffer, 0, values.data(), values.size() * sizeof(Element));
        return values;
    }

    struct Buffer {
        BufferId id;
    };
    static KernelArgument argument(Buffer buffer) { return BufferArgument{buffer.id, 0}; }
    static KernelArgument argument(BufferArgument buffer) { return buffer; }
    template <class Scalar>
        requires std::is_trivially_copyable_v<Scalar>
    static KernelArgument argument(const Scalar& value) {
        std::vector<std::uint8_t> bytes(sizeof value);
        std::memcpy(bytes.data(), &value, sizeof value);
        return bytes;
    }

    template <class... Arguments>
    LaunchResult run(const std::string& kernel, Dim3 grid, Dim3 block, const Arguments&... arguments) {
        Launch launch{.module = &module_, .kernel = kernel, .grid = grid, .block = block, .dynamic_shared = dynamic_shared,
                      .arguments = {argument(arguments)...}, .resources = {.registers = 32}};
        Result<LaunchResult> result = emulator::run(launch, memory, device, options);
        if (result) return std::move(*result);
        error_ = result.error().text();
        return {};
    }

    Memory memory;
    DeviceModel device;
    RunOptions options;
    std::uint32_t dynamic_shared = 0;

private:
    ptx::Module module_;
    std::string error_;
};

}  // namespace optiml::emulator
