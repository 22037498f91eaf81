#pragma once
// What fetches say of a texture object that is a kernel's parameter.

#include <optional>
#include <string>

#include "base/texture.h"
#include "cuda_source/syntax.h"

namespace optiml::task {

struct FetchedTexture {
    TextureShape shape = TextureShape::two_d;
    cuda_source::TypeId result = cuda_source::none;  // of the fetches: "float4"
    bool in_texels = true;  // every coordinate is a whole number, plus or minus a constant: no normalized coordinates
};

// nullopt: nothing is fetched from the parameter.
std::optional<FetchedTexture> fetched_texture(const cuda_source::SourceFile& source, cuda_source::VariableId parameter);

}  // namespace optiml::task
