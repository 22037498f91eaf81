#include "task/texture_inference.h"

#include <array>
#include <string_view>
#include <utility>

namespace optiml::task {
namespace {

using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::SourceFile;
using cuda_source::TypeKind;

// The first name that the function's begins with decides.
constexpr auto kFetches = std::to_array<std::pair<std::string_view, TextureShape>>({{"tex1Dfetch", TextureShape::linear},
                                                                                   {"tex1DLayered", TextureShape::one_d_layered},
                                                                                   {"tex1D", TextureShape::one_d},
                                                                                   {"tex2DLayered", TextureShape::two_d_layered},
                                                                                   {"tex2D", TextureShape::two_d},
                                                                                   {"tex3D", TextureShape::three_d},
                                                                                   {"texCubemapLayered", TextureShape::cube_layered},
                                                                                   {"texCubemap", TextureShape::cube}});

std::optional<TextureShape> shape_of(std::string_view function) {
    for (const auto& [name, shape] : kFetches) {
        if (function.starts_with(name)) return shape;
    }
    return std::nullopt;
}

const cuda_source::Expression& without_casts(const SourceFile& source, ExpressionId id) {
    const cuda_source::Expression& node = source.expressions[id];
    return node.kind == ExpressionKind::cast && node.children.size() == 1 ? without_casts(source, node.children[0]) : node;
}

bool is_whole(const SourceFile& source, ExpressionId id) {
    const cuda_source::Expression& node = without_casts(source, id);
    if (node.type != cuda_source::none && source.types[node.type].kind == TypeKind::integer) return true;
    const bool shifts = node.kind == ExpressionKind::binary && (node.op == "+" || node.op == "-");
    return shifts && is_whole(source, node.children[0]) && without_casts(source, node.children[1]).kind == ExpressionKind::float_literal;
}

}  // namespace

std::optional<FetchedTexture> fetched_texture(const SourceFile& source, cuda_source::VariableId parameter) {
    std::optional<FetchedTexture> found;
    for (const cuda_source::Expression& call : source.expressions) {
        if (call.kind != ExpressionKind::call || call.children.empty()) continue;
        const auto shape = shape_of(call.name);
        const cuda_source::Expression& object = without_casts(source, call.children[0]);
        if (!shape || object.kind != ExpressionKind::variable || object.variable != parameter) continue;
        if (!found) found = FetchedTexture{*shape, call.type};
        for (std::uint32_t axis = 0; axis < coordinates_of(*shape) && axis + 1 < call.children.size(); ++axis)
            found->in_texels &= is_whole(source, call.children[axis + 1]);
    }
    return found;
}

}  // namespace optiml::task
