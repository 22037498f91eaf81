#include "optimizer/launch_wrapper.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
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
struct Extents {
    integer x, y, z;
    bool is_empty() const { return x == 0 || y == 0 || z == 0; }
    bool is_in_range() const { return x >= 0 && y >= 0 && z >= 0 && x <= 0x7fffffff && y <= 65535 && z <= 65535; }
    dim3 dim() const { return dim3(static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z)); }
};
// Whether a kernel's parameter of that type can hold the value.
template <class Integer> bool fits(integer value) { return static_cast<integer>(static_cast<Integer>(value)) == value; }
template <class Element> bool is_aligned(const Element* address, integer elements_behind) {
    return reinterpret_cast<size_t>(address) % 16 == static_cast<size_t>(elements_behind) * sizeof(Element) % 16;
}
// What exceeds 48 KiB together with the kernel's own shared memory must be asked for.
template <class Kernel> cudaError_t allow_shared(Kernel kernel, integer bytes) {
    if (bytes <= 0) return cudaSuccess;
    cudaFuncAttributes attributes;
    const cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
    if (error != cudaSuccess) return error;
    if (bytes + static_cast<integer>(attributes.sharedSizeBytes) <= 48 * 1024) return cudaSuccess;
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
}
)";

using task::Step;

std::string identifier(std::string_view text) {
    std::string name;
    for (const char c : text) name += is_word_character(c) ? c : '_';
    return name;
}

class Wrapper {
public:
    Wrapper(const task::Task& task, const task::Candidate& candidate, const std::string& kernel_file)
        : task_(task), candidate_(candidate), plan_(candidate.plan), kernel_file_(kernel_file), name_(identifier(task.name)) {}

    std::string write() {
        text_ = fmt::format("// Launches {} as OptiML verified it.\n#pragma once\n\n#include <cuda_runtime.h>\n", task_.name);
        if (uses(task::ScalarType::f16)) text_ += "#include <cuda_fp16.h>\n";
        if (uses(task::ScalarType::bf16)) text_ += "#include <cuda_bf16.h>\n";
        write_kernels();
        text_ += fmt::format("namespace host {{\n{}\n", kHelpers);
        write_steps_function();
        write_launch_function();
        text_ += fmt::format("}}  // namespace host\n}}  // namespace {}_launch\n\n", name_);
        write_public_function();
        return std::move(text_);
    }

private:
    bool uses(task::ScalarType type) const {
        return std::any_of(task_.arguments.begin(), task_.arguments.end(), [&](const auto& argument) { return argument.type == type; }) ||
               std::any_of(plan_.scratch.begin(), plan_.scratch.end(), [&](const auto& scratch) { return scratch.type == type; });
    }

    // The kernels in a namespace of their own, so that wrappers go together and several files can include one; what they include stands
    // before it, where it belongs. Their macros hold for them alone.
    void write_kernels() {
        if (!candidate_.compile.extra.empty()) text_ += fmt::format("// Compiled by OptiML with: {}\n", fmt::join(candidate_.compile.extra, " "));
        std::string names;
        for (const std::string& define : candidate_.compile.defines) {
            const std::size_t equals = define.find('=');
            const std::string name = define.substr(0, equals);
            const std::string value = equals == std::string::npos ? "1" : define.substr(equals + 1);
            text_ += fmt::format("\n#undef {0}\n#define {1} {2}", name.substr(0, name.find('(')), name, value);
            names += fmt::format("#undef {}\n", name.substr(0, name.find('(')));
        }
        for (const std::string& include : includes()) text_ += "\n" + include;
        text_ += fmt::format("\nnamespace {}_launch {{\nnamespace {{\n#include \"{}\"\n}}  // namespace\n{}\n", name_, kernel_file_, names);
    }

    std::vector<std::string> includes() const {
        std::vector<std::string> lines;
        for (const std::string_view line : lines_of(candidate_.source)) {
            const std::string_view text = trimmed(line);
            if (text.starts_with('#') && trimmed(text.substr(1)).starts_with("include")) lines.emplace_back(text);
        }
        return lines;
    }

    void line(const std::string& text) { text_ += std::string(4 * indent_, ' ') + text + "\n"; }

    // Declarations of what both functions take. with_defaults: float scalars have the task's values.
    std::string parameters(bool with_scratch, bool with_defaults) const {
        std::vector<std::string> all;
        for (const task::Argument& argument : task_.arguments) {
            if (argument.role == task::Role::scalar) continue;
            if (argument.texture) {
                all.push_back((argument.texture->is_surface ? "cudaSurfaceObject_t " : "cudaTextureObject_t ") + argument.name);
                continue;
            }
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

    std::string forwarded(bool with_scratch) const {
        std::vector<std::string> all;
        for (const task::Argument& argument : task_.arguments) {
            if (argument.role != task::Role::scalar) all.push_back(argument.name);
        }
        for (const task::Scratch& scratch : plan_.scratch) {
            if (with_scratch) all.push_back(scratch.name);
        }
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
        text_ += fmt::format("static inline cudaError_t run_steps({}) {{\n", parameters(true, false));
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
        line(fmt::format("const Extents grid{{{}}};", extents(launch.grid)));
        line(fmt::format("const Extents block{{{}}};", extents(launch.block)));
        line("if (!grid.is_in_range() || !block.is_in_range()) return cudaErrorInvalidConfiguration;");
        line(fmt::format("const integer shared = {};", launch.dynamic_shared.cpp_text()));
        line(fmt::format("error = allow_shared({}, shared);", launch.kernel));
        line("if (error != cudaSuccess) return error;");
        std::vector<std::string> arguments;
        for (const task::LaunchArgument& argument : launch.arguments) arguments.push_back(value_of(argument));
        for (const std::string& condition : integer_conditions(launch)) line(fmt::format("if (!{}) return cudaErrorInvalidValue;", condition));
        line("if (!grid.is_empty()) {");
        ++indent_;
        line(fmt::format("{}<<<grid.dim(), block.dim(), static_cast<size_t>(shared), stream>>>({});", launch.kernel, fmt::join(arguments, ", ")));
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

    // That no integer loses bits on its way into the kernel.
    std::vector<std::string> integer_conditions(const task::Launch& launch) const {
        std::vector<std::string> conditions;
        for (const task::LaunchArgument& argument : launch.arguments) {
            if (!argument.buffers.empty()) continue;
            const task::Argument* scalar = argument.scalar_argument.empty() ? nullptr : task_.find_argument(argument.scalar_argument);
            const task::ScalarType type = scalar != nullptr ? scalar->type : argument.type;
            if (is_float(type)) continue;
            const std::string value = (scalar != nullptr ? scalar->value : argument.value).cpp_text();
            conditions.push_back(fmt::format("fits<{}>({})", cuda_name_of(type), value));
        }
        return conditions;
    }

    std::string value_of(const task::LaunchArgument& argument) const {
        if (!argument.scalar_argument.empty()) {
            const task::Argument& scalar = *task_.find_argument(argument.scalar_argument);
            const std::string value = is_float(scalar.type) ? scalar.name : scalar.value.cpp_text();
            return fmt::format("static_cast<{}>({})", cuda_name_of(scalar.type), value);
        }
        if (argument.buffers.empty()) return fmt::format("static_cast<{}>({})", cuda_name_of(argument.type), argument.value.cpp_text());
        const task::Argument* first = task_.find_argument(argument.buffers.front());
        if (first != nullptr && first->texture) return first->name;
        std::vector<std::string> addresses;
        const bool has_offset = !(argument.offset == task::Expression(0));
        for (const std::string& buffer : argument.buffers) {
            addresses.push_back(has_offset ? fmt::format("{} + ({})", buffer, argument.offset.cpp_text()) : buffer);
        }
        if (addresses.size() == 1) return fmt::format("Pointer{{{}}}", addresses.front());
        for (std::string& address : addresses) address = fmt::format("Pointer{{{}}}", address);
        return fmt::format("choose({}, {})", argument.selector.cpp_text(), fmt::join(addresses, ", "));
    }

    // What the task demands of sizes and buffers: for other ones nothing was verified.
    void write_demands() {
        for (const task::NamedSize& size : task_.sizes) {
            std::string fault = fmt::format("{} < {}", size.name, size.minimum);
            if (size.maximum != INT64_MAX) fault += fmt::format(" || {} > {}", size.name, size.maximum);
            if (!(size.multiple_of == task::Expression(1))) fault += fmt::format(" || {} % ({}) != 0", size.name, size.multiple_of.cpp_text());
            if (size.power_of_two) fault += fmt::format(" || {0} < 1 || ({0} & ({0} - 1)) != 0", size.name);
            line(fmt::format("if ({}) return cudaErrorInvalidValue;", fault));
        }
        for (const task::Argument& argument : task_.arguments) {
            if (argument.role == task::Role::scalar || argument.texture) continue;
            line(fmt::format("if (!is_aligned({}, {})) return cudaErrorMisalignedAddress;", argument.name, argument.alignment_offset.cpp_text()));
        }
    }

    void write_launch_function() {
        text_ += fmt::format("static inline cudaError_t launch({}) {{\n", parameters(false, false));
        indent_ = 1;
        write_demands();
        line("cudaError_t error = cudaSuccess;");
        for (const task::Scratch& scratch : plan_.scratch) {
            line(fmt::format("{}* {} = nullptr;", cuda_name_of(scratch.type), scratch.name));
            line(fmt::format("if (error == cudaSuccess) error = cudaMallocAsync(&{}, {}, stream);", scratch.name,
                             bytes_of_buffer(scratch.name)));
        }
        line(fmt::format("if (error == cudaSuccess) error = run_steps({});", forwarded(true)));
        for (const task::Scratch& scratch : plan_.scratch) {
            line(fmt::format("if ({0} != nullptr) cudaFreeAsync({0}, stream);", scratch.name));
        }
        line("return error;");
        text_ += "}\n\n";
    }

    // Texture and surface objects are the caller's: what was verified holds for those like this.
    static std::string demand_of_texture(const task::Argument& argument) {
        const task::TextureDeclaration& texture = *argument.texture;
        const TextureSampling& sampling = texture.sampling;
        std::vector<std::string> extents;
        for (const task::Expression& extent : texture.extent) extents.push_back(extent.text());
        if (texture.is_surface) {
            return fmt::format("// {}: a {} surface of {}, {} channels of {}.\n", argument.name, name_of(texture.shape), fmt::join(extents, " x "), texture.channels,
                               cuda_name_of(argument.type));
        }
        std::vector<std::string_view> modes;
        for (std::uint32_t axis = 0; axis < coordinates_of(texture.shape); ++axis) modes.push_back(name_of(sampling.address[axis]));
        return fmt::format("// {}: a {} texture of {}, {} channels of {}, {} levels, filter {}, address {}, {} coordinates, read as {}.\n", argument.name,
                           name_of(texture.shape), fmt::join(extents, " x "), texture.channels, cuda_name_of(argument.type), texture.levels,
                           name_of(sampling.filter), fmt::join(modes, " "), sampling.normalized_coordinates ? "normalized" : "unnormalized",
                           sampling.normalized_floats ? "normalized floats" : "elements");
    }

    void write_public_function() {
        text_ += "// Buffers are on the device, aligned to 16 bytes (after the offset that the task declares). Returns the first error; errors while the\n"
                 "// kernels run show up at the next synchronisation.\n";
        for (const task::Argument& argument : task_.arguments) {
            if (argument.texture) text_ += demand_of_texture(argument);
        }
        text_ += fmt::format("static inline cudaError_t launch_{}({}) {{\n", name_, parameters(false, true));
        indent_ = 1;
        line(fmt::format("return {}_launch::host::launch({});", name_, forwarded(false)));
        text_ += "}\n";
    }

    const task::Task& task_;
    const task::Candidate& candidate_;
    const task::LaunchPlan& plan_;
    const std::string& kernel_file_;
    const std::string name_;
    std::string text_;
    std::size_t indent_ = 0;
};

}  // namespace

std::string launch_wrapper(const task::Task& task, const task::Candidate& candidate, const std::string& kernel_file) {
    return Wrapper(task, candidate, kernel_file).write();
}

}  // namespace optiml::optimizer
