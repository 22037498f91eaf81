#include "task/inference.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "task/extent_inference.h"
#include "task/scalar_type.h"
#include "task/texture_declaration.h"
#include "task/texture_inference.h"

namespace optiml::task {
namespace {

using cuda_source::Access;
using cuda_source::KernelFacts;
using cuda_source::Polynomial;
using cuda_source::SourceFile;
using cuda_source::Symbol;
using cuda_source::Type;
using cuda_source::TypeKind;
using cuda_source::VariableId;

struct BufferUse {
    bool reads = false;
    bool writes = false;
    bool atomic = false;
    bool extent_known = true;
    std::optional<Polynomial> extent;
};

class Inference {
public:
    Inference(const SourceFile& source, cuda_source::FunctionId kernel)
        : source_(source), kernel_(source.functions[kernel]), facts_(cuda_source::analyze(source, kernel)), extents_(source, kernel) {}

    InferredTask infer() {
        for (const Access& access : facts_.accesses) add(access);
        const std::string arguments = argument_lines();
        const std::string launch = launch_lines();
        InferredTask result;
        result.toml = fmt::format("kernel = \"{}\"\n\n[sizes]\n{}\n[arguments]\n{}\n[launch]\n{}", kernel_.name, size_lines(), arguments, launch);
        result.questions = std::move(questions_);
        return result;
    }

private:
    void add(const Access& access) {
        if (access.base == cuda_source::none) {
            ask("Which buffers an access of the kernel reaches cannot be seen: check all extents.");
            return;
        }
        if (source_.variables[access.base].storage != cuda_source::Storage::parameter) return;
        BufferUse& use = uses_[access.base];
        use.reads |= access.reads && !access.atomic;
        use.writes |= access.writes;
        use.atomic |= access.atomic;
        const auto extent = extents_.extent_of(access);
        if (!extent) {
            use.extent_known = false;
        } else if (!use.extent) {
            use.extent = extent;
        } else {
            use.extent = ExtentInference::larger(*use.extent, *extent);
            use.extent_known &= use.extent.has_value();
        }
    }

    std::string argument_lines() {
        std::string lines;
        for (const VariableId id : kernel_.parameters) {
            const Type& type = source_.types[source_.variables[id].type];
            const auto texture = fetched_texture(source_, id);
            if (texture) {
                lines += texture_line(id, *texture);
            } else {
                lines += type.kind == TypeKind::pointer ? buffer_line(id, type) : scalar_line(id, type);
            }
        }
        return lines;
    }

    std::string buffer_line(VariableId id, const Type& pointer) {
        const std::string& name = source_.variables[id].name;
        const Type& element = source_.types[pointer.element];
        const BufferUse use = uses_.contains(id) ? uses_.at(id) : BufferUse{};
        std::string extent = "?";
        if (use.extent_known && use.extent) {
            extent = text_of(*use.extent);
        } else {
            ask(fmt::format("How many elements does '{}' hold?", name));
        }
        std::string line = fmt::format("{} = {{ type = \"{}\", extent = \"{}\"", name, type_text(name, element), extent);
        if (use.atomic) ask(fmt::format("Does '{}' begin at 0 (clear = \"{}\" under [launch]) or with values (role = \"inout\")?", name, name));
        if (use.writes || use.atomic) line += use.reads ? ", role = \"inout\"" : ", role = \"output\"";
        return line + " }\n";
    }

    // A texel a thread, as far as the guards say; the host's choice of filter, address modes and coordinates does not show in the kernel.
    std::string texture_line(VariableId id, const FetchedTexture& texture) {
        const std::string& name = source_.variables[id].name;
        const Type& result = source_.types[texture.result];
        std::map<std::size_t, Polynomial> bounds;
        for (const GuardedIndex& guard : extents_.guards()) bounds.emplace(guard.axis, guard.bound);
        std::string extents;
        has_line_ |= texture.shape == TextureShape::one_d;
        for (std::size_t axis = 0; axis < extents_of(texture.shape); ++axis) {
            const bool known = bounds.contains(axis) && !is_cube(texture.shape);
            if (!known) ask(fmt::format("How many texels does '{}' have along each axis?", name));
            extents += fmt::format("{}\"{}\"", extents.empty() ? "" : ", ", known ? text_of(bounds.at(axis)) : "?");
        }
        if (!texture.in_texels) ask(fmt::format("Does '{}' take normalized coordinates, and which filter and address modes has it?", name));
        return fmt::format("{} = {{ texture = \"{}\", type = \"{}\", channels = {}, extent = [{}], filter = \"point\", address = \"clamp\" }}\n",
                           name, name_of(texture.shape), type_text(name, result), result.kind == TypeKind::vector ? result.extent : 1, extents);
    }

    std::string scalar_line(VariableId id, const Type& type) {
        const std::string& name = source_.variables[id].name;
        if (type.kind == TypeKind::integer && bounds_something(id)) {
            sizes_.insert(name);
            return fmt::format("{} = \"{}\"\n", name, type_text(name, type));
        }
        ask(fmt::format("Which value does '{}' have?", name));
        return fmt::format("{} = {{ type = \"{}\", value = {} }}\n", name, type_text(name, type), type.kind == TypeKind::integer ? "\"?\"" : "1.0");
    }

    bool bounds_something(VariableId id) const {
        const Symbol symbol = Symbol::of_variable(id);
        for (const GuardedIndex& guard : extents_.guards()) {
            if (guard.bound.depends_on(symbol)) return true;
        }
        return std::any_of(uses_.begin(), uses_.end(), [&](const auto& use) {
            return use.second.extent && use.second.extent->depends_on(symbol);
        });
    }

    std::string type_text(const std::string& name, const Type& type) {
        if (type.kind == TypeKind::floating && type.bits == 16) return type.is_bfloat ? "bf16" : "f16";
        if (type.kind == TypeKind::floating) return fmt::format("f{}", type.bits);
        if (type.kind == TypeKind::integer) return fmt::format("{}{}", type.is_signed ? 'i' : 'u', type.bits);
        if (type.kind == TypeKind::vector) return type_text(name, source_.types[type.element]);
        ask(fmt::format("Of which type are the elements of '{}' ({})?", name, type.spelling));
        return "?";
    }

    std::string launch_lines() {
        std::map<std::size_t, Polynomial> bounds;
        for (const GuardedIndex& guard : extents_.guards()) bounds.emplace(guard.axis, guard.bound);
        const bool covers = bounds.contains(0) && (bounds.size() == 1 || (bounds.size() == 2 && bounds.contains(1)));
        if (!covers) {
            ask("How many blocks of how many threads are launched?");
            return "grid = \"?\"\nblock = 256\n";
        }
        if (facts_.has_barrier || facts_.has_warp_primitives || facts_.uses_dynamic_shared || has_shared_arrays()) {
            ask("Which block size are the kernel's shared memory, barriers and warps written for?");
        }
        if (bounds.size() == 1) return fmt::format("grid = \"ceil_div({}, 256)\"\nblock = 256\n", text_of(bounds.at(0)));
        return fmt::format("grid = [\"ceil_div({}, 16)\", \"ceil_div({}, 16)\"]\nblock = [16, 16]\n", text_of(bounds.at(0)),
                           text_of(bounds.at(1)));
    }

    bool has_shared_arrays() const {
        return std::any_of(source_.variables.begin(), source_.variables.end(), [](const cuda_source::Variable& variable) {
            return variable.storage == cuda_source::Storage::shared || variable.storage == cuda_source::Storage::dynamic_shared;
        });
    }

    // Odd sizes that differ; the more there are, the smaller.
    std::string size_lines() const {
        constexpr int small[] = {67, 129, 43, 29, 23};
        const char* large = has_line_ ? "16384" : sizes_.size() == 1 ? "\"2^24\"" : sizes_.size() == 2 ? "4096" : sizes_.size() == 3 ? "1024" : "128";
        std::string lines;
        std::size_t next = 0;
        for (const std::string& name : sizes_) {
            lines += fmt::format("{} = {{ small = {}, large = {} }}\n", name, sizes_.size() == 1 ? 10007 : small[next++ % std::size(small)], large);
        }
        return lines;
    }

    std::string text_of(const Polynomial& polynomial) {
        std::string text;
        for (const auto& [symbols, coefficient] : polynomial.terms) {
            std::string term;
            for (const Symbol& symbol : symbols) {
                const std::string& name = source_.variables[symbol.variable].name;
                sizes_.insert(name);
                term += (term.empty() ? "" : " * ") + name;
            }
            const std::int64_t magnitude = coefficient < 0 ? -coefficient : coefficient;
            if (magnitude != 1 || term.empty()) term = fmt::format("{}{}{}", magnitude, term.empty() ? "" : " * ", term);
            text += text.empty() ? (coefficient < 0 ? "-" : "") : (coefficient < 0 ? " - " : " + ");
            text += term;
        }
        return text.empty() ? "0" : text;
    }

    void ask(std::string question) {
        if (std::find(questions_.begin(), questions_.end(), question) == questions_.end()) questions_.push_back(std::move(question));
    }

    const SourceFile& source_;
    const cuda_source::Function& kernel_;
    KernelFacts facts_;
    ExtentInference extents_;
    std::map<VariableId, BufferUse> uses_;
    std::set<std::string> sizes_;
    bool has_line_ = false;  // of texels: a texture along one axis, which is short
    std::vector<std::string> questions_;
};

}  // namespace

InferredTask infer_task(const cuda_source::SourceFile& source, cuda_source::FunctionId kernel) { return Inference(source, kernel).infer(); }

}  // namespace optiml::task
