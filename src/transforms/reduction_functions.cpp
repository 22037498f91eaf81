#include "transforms/reduction_functions.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace optiml::transforms {
namespace {

using cuda_source::FunctionId;
using cuda_source::Type;
using cuda_source::TypeKind;

struct Words {
    std::string_view name;
    std::string_view comment;
};

Words words_of(Combiner combiner) {
    switch (combiner) {
        case Combiner::sum:
            return {"sum", "Sum"};
        case Combiner::product:
            return {"product", "Product"};
        case Combiner::maximum:
            return {"max", "Maximum"};
        case Combiner::minimum:
            return {"min", "Minimum"};
    }
    return {};
}

bool has_neutral(Combiner combiner) { return combiner == Combiner::sum || combiner == Combiner::product; }

std::string warp_body(Combiner combiner, const Type& type) {
    const std::string other = "__shfl_xor_sync(0xffffffff, value, offset)";
    const std::string update = has_neutral(combiner) ? fmt::format("value {}= {};", combiner == Combiner::sum ? '+' : '*', other)
                                                     : fmt::format("value = {};", combined_text(combiner, type, "value", other));
    return "for (int offset = 16; offset > 0; offset /= 2) " + update + "\nreturn value;";
}

std::string block_body(Combiner combiner, const Type& type, const std::string& warp_function) {
    const std::string mine = has_neutral(combiner) ? fmt::format("lane < warps ? partial[lane] : {}", neutral_text(combiner, type))
                                                   : "partial[lane < warps ? lane : 0]";
    return fmt::format(
        "__shared__ {0} partial[32];\n"
        "const unsigned int lane = threadIdx.x % 32;\n"
        "const unsigned int warps = blockDim.x / 32;\n"
        "value = {1}(value);\n"
        "__syncthreads();  // partial may still be read from the call before\n"
        "if (lane == 0) partial[threadIdx.x / 32] = value;\n"
        "__syncthreads();\n"
        "return {1}({2});",
        type_name(type), warp_function, mine);
}

std::string warps_body(Combiner combiner, const Type& type) {
    return fmt::format(
        "__shared__ {0} partial[1024];\n"
        "__syncthreads();  // partial may still be read from the call before\n"
        "partial[threadIdx.x] = value;\n"
        "__syncthreads();\n"
        "value = partial[threadIdx.x % 32];\n"
        "for (unsigned int other = threadIdx.x % 32 + 32; other < blockDim.x; other += 32) value = {1};\n"
        "return value;",
        type_name(type), combined_text(combiner, type, "value", "partial[other]"));
}

std::string definition(const SourceStyle& style, const Type& type, const std::string& name, const std::string& body) {
    return style.block(fmt::format("static __device__ __forceinline__ {0} {1}({0} value)", type_name(type), name), body) + '\n';
}

// "float", "unsigned" ...: tells functions of different types apart.
std::string type_word(const Type& type) {
    if (type.kind == TypeKind::floating) return type_name(type);
    return (type.is_signed ? "" : std::string("unsigned") + (type.bits == 64 ? "_" : "")) + (type.bits == 64  ? "long"
                                                                                             : type.is_signed ? "int"
                                                                                                              : "");
}

std::string comment(Team team, Combiner combiner) {
    const auto word = words_of(combiner).comment;
    if (team == Team::warps)
        return fmt::format("// {} over the threads of the block that have the same lane; every one gets it.\n", word);
    return fmt::format("// {} over the {}; every {} gets it.\n", word,
                       team == Team::warp ? "lanes of the warp" : "threads of the block (a multiple of 32 along x)",
                       team == Team::warp ? "lane" : "thread");
}

bool reads_as(const Context& context, FunctionId function, const std::string& text) {
    const auto squeezed = [](std::string_view wide) {
        std::string narrow;
        std::copy_if(wide.begin(), wide.end(), std::back_inserter(narrow),
                     [](char c) { return c != ' ' && c != '\n' && c != '\t'; });
        return narrow;
    };
    return squeezed(context.source.text_of(context.source.functions[function].span)) == squeezed(text);
}

struct Existing {
    Team team = Team::warp;
    Combiner combiner = Combiner::sum;
    const Type* type = nullptr;
};

// What a function of the source is, if it is one of ours.
std::optional<Existing> existing(const Context& context, FunctionId id) {
    const auto& function = context.source.functions[id];
    if (function.is_kernel || function.parameters.size() != 1) return std::nullopt;
    const Type& type = context.source.types[context.source.variables[function.parameters[0]].type];
    for (const Combiner combiner : {Combiner::sum, Combiner::product, Combiner::maximum, Combiner::minimum}) {
        if (reads_as(context, id, definition({}, type, function.name, warp_body(combiner, type))))
            return Existing{Team::warp, combiner, &type};
        if (reads_as(context, id, definition({}, type, function.name, warps_body(combiner, type))))
            return Existing{Team::warps, combiner, &type};
        for (const FunctionId callee : callees_of(context.source, id)) {
            const auto& called = context.source.functions[callee];
            if (reads_as(context, id, definition({}, type, function.name, block_body(combiner, type, called.name))) &&
                reads_as(context, callee, definition({}, type, called.name, warp_body(combiner, type)))) {
                return Existing{Team::block, combiner, &type};
            }
        }
    }
    return std::nullopt;
}

}  // namespace

ReductionFunctions::ReductionFunctions(const Context& context, std::size_t kernel, FreshNames& names)
    : context_(context), kernel_(kernel), names_(names), style_(style_of(context.source, context.kernels[kernel].function)) {
    const TextSpan span = context.source.functions[context.kernels[kernel].function].span;
    for (FunctionId id = 0; id < context.source.functions.size(); ++id) {
        const auto& function = context.source.functions[id];
        if (function.span.begin > span.begin) continue;  // not declared yet where the kernel stands
        if (const auto found = existing(context, id)) {
            known_.push_back({found->team, found->combiner, type_name(*found->type), function.name});
        }
    }
}

std::string ReductionFunctions::name_for(Team team, Combiner combiner, const Type& type) {
    for (const Known& known : known_) {
        if (known.team == team && known.combiner == combiner && known.type == type_name(type)) return known.name;
    }
    const std::string warp = team == Team::block ? name_for(Team::warp, combiner, type) : "";
    const std::string words = fmt::format("{}_{}",
                                          team == Team::warp    ? "warp"
                                          : team == Team::block ? "block"
                                                                : "warps",
                                          words_of(combiner).name);
    const std::string words_and_type = words + '_' + type_word(type);
    std::string name = names_.take_first({words, words_and_type});
    const std::string body = team == Team::warp    ? warp_body(combiner, type)
                             : team == Team::block ? block_body(combiner, type, warp)
                                                   : warps_body(combiner, type);
    definitions_ += comment(team, combiner) + definition(style_, type, name, body) + '\n';
    known_.push_back({team, combiner, type_name(type), name});
    return name;
}

void ReductionFunctions::insert(SourceEdit& edit) const {
    if (definitions_.empty()) return;
    edit.insert_before_function(context_.kernels[kernel_].function, definitions_);
}

std::string type_name(const Type& type) {
    if (type.kind == TypeKind::floating) return type.bits == 64 ? "double" : "float";
    const std::string base = type.bits == 64 ? "long long" : "int";
    return type.is_signed ? base : "unsigned " + base;
}

std::string neutral_text(Combiner combiner, const Type& type) {
    const std::string digit = combiner == Combiner::product ? "1" : "0";
    if (type.kind == TypeKind::floating) return digit + (type.bits == 64 ? ".0" : ".0f");
    return type.is_signed ? digit : digit + "u";
}

std::string combined_text(Combiner combiner, const Type& type, const std::string& a, const std::string& b) {
    if (combiner == Combiner::sum) return fmt::format("{} + {}", a, b);
    if (combiner == Combiner::product) return fmt::format("{} * {}", a, b);
    std::string function(words_of(combiner).name);
    if (type.kind == TypeKind::floating) function = 'f' + function + (type.bits == 64 ? "" : "f");
    return fmt::format("{}({}, {})", function, a, b);
}

bool is_reduction_function(const Context& context, FunctionId function) {
    const auto found = existing(context, function);
    return found && found->team != Team::warps;  // whose result differs from lane to lane
}

}  // namespace optiml::transforms
