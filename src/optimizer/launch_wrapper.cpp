#include "optimizer/launch_wrapper.h"

#include <algorithm>

#include <fmt/format.h>

namespace optiml::optimizer {
namespace {

constexpr const char* kHelpers = R"(
using integer = long long;

inline integer ceil_div(integer a, integer b) { return a / b + (a % b != 0 && (a % b > 0) == (b > 0)); }
inline integer min(integer a, integer b) { return a < b ? a : b; }
inline integer max(integer a, integer b) { return a > b ? a : b; }
template <class... Rest> integer min(integer a, integer b, integer c, Rest... rest) { return min(min(a, b), c, rest...); }
template <class... Rest> integer max(integer a, integer b, integer c, Rest... rest) { return max(max(a, b), c, rest...); }
inline integer pow2_at_least(integer a) { integer power = 1; while (power < a) power *= 2; return power; }
inline integer log2_ceil(integer a) { integer log = 0; while ((1LL << log) < a) ++log; return log; }
inline integer power(integer a, integer b) { integer result = 1; while (b-- > 0) result *= a; return result; }

// A pointer that becomes whatever pointer the kernel declares.
struct Pointer {
    const void* address;
    template <class T> operator T*() const { return static_cast<T*>(const_cast<void*>(address)); }
};
template <class... Pointers> Pointer choose(integer index, Pointers... pointers) {
    const Pointer all[] = {pointers...};
    return all[index];
}
inline dim3 extents(integer x, integer y, integer z) {
    return dim3(static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z));
}
// Dynamic shared memory beyond 48 KiB must be asked for.
template <class Kernel> cudaError_t allow_shared(Kernel kernel, integer bytes) {
    if (bytes <= 48 * 1024) return cudaSuccess;
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
}
)";

using task::Step;

std::string identifier(std::string_view text) {
    std::string name;
    for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return name;
}

class Wrapper {
public:
    Wrapper(const task::Task& task, const task::LaunchPlan& plan, const std::string& kernel_file)
        : task_(task), plan_(plan), kernel_file_(kernel_file), name_(identifier(task.name)) {}

    std::string write() {
        text_ = fmt::format("// Launches {} as OptiML verified it.\n#pragma once\n\n#include <cuda_runtime.h>\n", task_.name);
        if (uses(task::ScalarType::f16)) text_ += "#include <cuda_fp16.h>\n";
        if (uses(task::ScalarType::bf16)) text_ += "#include <cuda_bf16.h>\n";
        text_ += fmt::format("\n#include \"{}\"\n\nnamespace {}_launch {{\n{}\n", kernel_file_, name_, kHelpers);
        write_steps_function();
        text_ += fmt::format("}}  // namespace {}_launch\n\n", name_);
        write_public_function();
        return std::move(text_);
    }

private:
    bool uses(task::ScalarType type) const {
        return std::any_of(task_.arguments.begin(), task_.arguments.end(), [&](const auto& argument) { return argument.type == type; }) ||
               std::any_of(plan_.scratch.begin(), plan_.scratch.end(), [&](const auto& scratch) { return scratch.type == type; });
    }

    void line(const std::string& text) { text_ += std::string(4 * indent_, ' ') + text + "\n"; }

    // Declarations of what both functions take. with_defaults: float scalars have the task's values.
    std::string parameters(bool with_scratch, bool with_defaults) const {
        std::vector<std::string> all;
        for (const task::Argument& argument : task_.arguments) {
            if (argument.role == task::Role::scalar) continue;
            const char* constant = argument.role == task::Role::input ? "const " : "";
            all.push_back(fmt::format("{}{}* {}", constant, cuda_name_of(argument.type), argument.name));
        }
        for (const task::Scratch& scratch : plan_.scratch) {
            if (with_scratch) all.push_back(fmt::format("{}* {}", cuda_name_of(scratch.type), scratch.name));
        }
        for (const task::NamedSize& size : task_.sizes) all.push_back("long long " + size.name);
        for (const task::Argument& argument : task_.arguments) {
            if (argument.role != task::Role::scalar || !is_float(argument.type)) continue;
            all.push_back(fmt::format("double {}", argument.name) + (with_defaults ? fmt::format(" = {}", argument.float_value) : ""));
        }
        all.push_back(with_defaults ? "cudaStream_t stream = nullptr" : "cudaStream_t stream");
        return fmt::format("{}", fmt::join(all, ", "));
    }

    std::string forwarded() const {
        std::vector<std::string> all;
        for (const task::Argument& argument : task_.arguments) {
            if (argument.role != task::Role::scalar) all.push_back(argument.name);
        }
        for (const task::Scratch& scratch : plan_.scratch) all.push_back(scratch.name);
        for (const task::NamedSize& size : task_.sizes) all.push_back(size.name);
        for (const task::Argument& argument : task_.arguments) {
            if (argument.role == task::Role::scalar && is_float(argument.type)) all.push_back(argument.name);
        }
        all.push_back("stream");
        return fmt::format("{}", fmt::join(all, ", "));
    }

    std::string bytes_of_buffer(const std::string& name) const {
        for (const task::Scratch& scratch : plan_.scratch) {
            if (scratch.name == name) return fmt::format("({}) * {}", scratch.extent.cpp_text(), bytes_of(scratch.type));
        }
        const task::Argument* argument = task_.find_argument(name);
        return fmt::format("({}) * {}", argument->extent.cpp_text(), bytes_of(argument->type));
    }

    void write_steps_function() {
        text_ += fmt::format("inline cudaError_t run_steps({}) {{\n", parameters(true, false));
        indent_ = 1;
        line("cudaError_t error = cudaSuccess;");
        write_steps(0, plan_.steps.size(), 0);
        line("return error;");
        text_ += "}\n\n";
    }

    // Steps [first, last) stand inside the same loops down to `depth`.
    void write_steps(std::size_t first, std::size_t last, std::size_t depth) {
        while (first < last) {
            const std::vector<task::Repeat>& repeats = plan_.steps[first].repeats;
            if (repeats.size() <= depth) {
                write_step(plan_.steps[first++]);
                continue;
            }
            std::size_t end = first + 1;
            const bool shared = !repeats[depth].group.empty();
            while (shared && end < last && plan_.steps[end].repeats.size() > depth && plan_.steps[end].repeats[depth] == repeats[depth]) {
                ++end;
            }
            const task::Repeat& repeat = repeats[depth];
            if (!repeat.counter.empty()) line(fmt::format("integer {} = 0;", repeat.counter));
            line(fmt::format("for (integer {0} = {1}; {2}; {0} = {3}{4}) {{", repeat.variable, repeat.from.cpp_text(),
                             repeat.condition.cpp_text(), repeat.next.cpp_text(),
                             repeat.counter.empty() ? "" : ", ++" + repeat.counter));
            ++indent_;
            write_steps(first, end, depth + 1);
            --indent_;
            line("}");
            first = end;
        }
    }

    void write_step(const Step& step) {
        if (step.kind == Step::Kind::clear) {
            line(fmt::format("error = cudaMemsetAsync({}, {}, {}, stream);", step.clear.buffer, step.clear.value,
                             bytes_of_buffer(step.clear.buffer)));
            line("if (error != cudaSuccess) return error;");
            return;
        }
        const task::Launch& launch = step.launch;
        line("{");
        ++indent_;
        line(fmt::format("const dim3 grid = extents({});", extents(launch.grid)));
        line(fmt::format("const dim3 block = extents({});", extents(launch.block)));
        line(fmt::format("const integer shared = {};", launch.dynamic_shared.cpp_text()));
        line(fmt::format("error = allow_shared({}, shared);", launch.kernel));
        line("if (error != cudaSuccess) return error;");
        std::vector<std::string> arguments;
        for (const task::LaunchArgument& argument : launch.arguments) arguments.push_back(value_of(argument));
        line("if (grid.x * grid.y * grid.z != 0) {  // an empty grid is no launch");
        ++indent_;
        line(fmt::format("{}<<<grid, block, static_cast<size_t>(shared), stream>>>({});", launch.kernel, fmt::join(arguments, ", ")));
        line("error = cudaGetLastError();");
        line("if (error != cudaSuccess) return error;");
        --indent_;
        line("}");
        --indent_;
        line("}");
    }

    static std::string extents(const task::Expression (&extents)[3]) {
        return fmt::format("{}, {}, {}", extents[0].cpp_text(), extents[1].cpp_text(), extents[2].cpp_text());
    }

    std::string value_of(const task::LaunchArgument& argument) const {
        if (!argument.scalar_argument.empty()) {
            const task::Argument& scalar = *task_.find_argument(argument.scalar_argument);
            const std::string value = is_float(scalar.type) ? scalar.name : scalar.value.cpp_text();
            return fmt::format("static_cast<{}>({})", cuda_name_of(scalar.type), value);
        }
        if (argument.buffers.empty()) return fmt::format("static_cast<{}>({})", cuda_name_of(argument.type), argument.value.cpp_text());
        std::vector<std::string> addresses;
        const bool has_offset = !(argument.offset == task::Expression(0));
        for (const std::string& buffer : argument.buffers) {
            addresses.push_back(has_offset ? fmt::format("{} + ({})", buffer, argument.offset.cpp_text()) : buffer);
        }
        if (addresses.size() == 1) return fmt::format("Pointer{{{}}}", addresses.front());
        for (std::string& address : addresses) address = fmt::format("Pointer{{{}}}", address);
        return fmt::format("choose({}, {})", argument.selector.cpp_text(), fmt::join(addresses, ", "));
    }

    void write_public_function() {
        text_ += "// Buffers are on the device. Returns the first error; errors while the kernels run show up at the next synchronisation.\n";
        text_ += fmt::format("inline cudaError_t launch_{}({}) {{\n", name_, parameters(false, true));
        indent_ = 1;
        line(fmt::format("using namespace {}_launch;", name_));
        line("cudaError_t error = cudaSuccess;");
        for (const task::Scratch& scratch : plan_.scratch) {
            line(fmt::format("{}* {} = nullptr;", cuda_name_of(scratch.type), scratch.name));
            line(fmt::format("if (error == cudaSuccess) error = cudaMallocAsync(&{}, {}, stream);", scratch.name,
                             bytes_of_buffer(scratch.name)));
        }
        line(fmt::format("if (error == cudaSuccess) error = run_steps({});", forwarded()));
        for (const task::Scratch& scratch : plan_.scratch) {
            line(fmt::format("if ({0} != nullptr) cudaFreeAsync({0}, stream);", scratch.name));
        }
        line("return error;");
        text_ += "}\n";
    }

    const task::Task& task_;
    const task::LaunchPlan& plan_;
    const std::string& kernel_file_;
    const std::string name_;
    std::string text_;
    std::size_t indent_ = 0;
};

}  // namespace

std::string launch_wrapper(const task::Task& task, const task::LaunchPlan& plan, const std::string& kernel_file) {
    return Wrapper(task, plan, kernel_file).write();
}

}  // namespace optiml::optimizer
