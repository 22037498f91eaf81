#include <algorithm>
#include <array>
#include <string_view>

#include "transforms/kernel_tree.h"

namespace optiml::transforms {
namespace {

using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::none;
using cuda_source::SourceFile;

// CUDA's mathematical functions without their f suffix, and conversions: no side effect, value from the arguments alone.
constexpr std::array pure_functions = std::to_array<std::string_view>({
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos", "cosh", "cospi", "erf", "erfc",
    "erfcinv", "erfcx", "erfinv", "exp", "exp10", "exp2", "expm1", "fabs", "fdim", "fdivide", "floor", "fma", "fmax", "fmin", "fmod",
    "hypot", "isfinite", "isinf", "isnan", "ldexp", "lgamma", "log", "log10", "log1p", "log2", "logb", "max", "min", "nearbyint",
    "nextafter", "norm3d", "norm4d", "normcdf", "pow", "rcbrt", "remainder", "rhypot", "rint", "round", "rsqrt", "scalbn", "signbit",
    "sin", "sinh", "sinpi", "sqrt", "tan", "tanh", "tgamma", "trunc", "umax", "umin", "llmax", "llmin"});

bool is_known_pure(std::string_view name) {
    if (name.starts_with("std::")) name.remove_prefix(5);
    // Intrinsics: __expf, __float2int_rn, __umulhi, __ldg, __int_as_float, make_float4 ...; those with an effect are named below.
    if (name.starts_with("make_")) return true;
    if (name.starts_with("__")) {
        constexpr std::array with_effect = std::to_array<std::string_view>(
            {"__syncthreads", "__syncwarp", "__threadfence", "__shfl", "__ballot", "__all", "__any", "__activemask", "__match",
             "__reduce", "__nanosleep", "__trap", "__brkpt", "__pr", "__prof", "__nv", "__stcg", "__stcs", "__stwb", "__stwt", "__vote"});
        return std::none_of(with_effect.begin(), with_effect.end(), [&](std::string_view effect) { return name.starts_with(effect); });
    }
    const auto known = [&](std::string_view plain) {
        return std::find(pure_functions.begin(), pure_functions.end(), plain) != pure_functions.end();
    };
    return known(name) || (name.ends_with('f') && known(name.substr(0, name.size() - 1)));
}

// Kernels cannot write what they read through a texture object. One form stores its result through a pointer.
bool is_texture_fetch(std::string_view name) {
    constexpr std::array fetches = std::to_array<std::string_view>({"tex1D", "tex2D", "tex3D", "texCubemap"});
    return std::any_of(fetches.begin(), fetches.end(), [&](std::string_view fetch) { return name.starts_with(fetch); });
}

bool changes_operand(const cuda_source::Expression& node) {
    return node.kind == ExpressionKind::assignment ||
           (node.kind == ExpressionKind::unary && (node.op.find("++") != std::string::npos || node.op.find("--") != std::string::npos));
}

// A local of the function or an element or member of one; nothing reached through a pointer, nothing shared.
bool is_own_local(const SourceFile& source, cuda_source::FunctionId function, ExpressionId target) {
    const auto& node = source.expressions[target];
    if (node.kind == ExpressionKind::variable) {
        const auto& variable = source.variables[node.variable];
        const bool is_private = variable.storage == cuda_source::Storage::local || variable.storage == cuda_source::Storage::parameter;
        return is_private && variable.function == function;
    }
    if (node.kind != ExpressionKind::subscript && node.kind != ExpressionKind::member) return false;
    const ExpressionId object = without_implicit_casts(source, node.children[0]);
    return source.type_of(object).kind != cuda_source::TypeKind::pointer && is_own_local(source, function, object);
}

bool is_pure_function(const SourceFile& source, cuda_source::FunctionId function, int depth);

bool is_pure_call(const SourceFile& source, const cuda_source::Expression& call, int depth) {
    if (call.function != none) return is_pure_function(source, call.function, depth);
    return is_known_pure(call.name) || (is_texture_fetch(call.name) && call.takes_values_only);
}

bool is_pure_function(const SourceFile& source, cuda_source::FunctionId function, int depth) {
    constexpr int deepest = 16;  // recursion is rare in device code; deeper chains count as impure
    if (depth > deepest || source.functions[function].body == none) return false;
    const KernelTree tree(source, function);
    const auto has_effect = [&](ExpressionId id) {
        const auto& node = source.expressions[id];
        if (changes_operand(node)) return !is_own_local(source, function, without_implicit_casts(source, node.children[0]));
        if (node.kind == ExpressionKind::call) return !is_pure_call(source, node, depth + 1);
        return node.by_reference || node.kind == ExpressionKind::member_call || node.kind == ExpressionKind::lambda;
    };
    const auto is_opaque = [&](cuda_source::StatementId id) {
        return source.statements[id].kind == cuda_source::StatementKind::inline_assembly;
    };
    const auto is_reference = [&](cuda_source::VariableId parameter) {
        return source.types[source.variables[parameter].type].kind == cuda_source::TypeKind::reference;
    };
    const auto& parameters = source.functions[function].parameters;
    return std::none_of(tree.expressions().begin(), tree.expressions().end(), has_effect) &&
           std::none_of(tree.statements().begin(), tree.statements().end(), is_opaque) &&
           std::none_of(parameters.begin(), parameters.end(), is_reference);
}

}  // namespace

bool is_pure(const SourceFile& source, ExpressionId id) {
    const auto& node = source.expressions[id];
    switch (node.kind) {
        case ExpressionKind::member_call:
        case ExpressionKind::lambda:
        case ExpressionKind::template_dependent:
        case ExpressionKind::other: return false;
        default: break;
    }
    if (node.by_reference || changes_operand(node) || (node.kind == ExpressionKind::call && !is_pure_call(source, node, 0))) return false;
    return std::all_of(node.children.begin(), node.children.end(),
                       [&](ExpressionId child) { return child == none || is_pure(source, child); });
}

}  // namespace optiml::transforms
