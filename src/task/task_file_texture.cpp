// Arguments that are textures or surfaces.

#include <algorithm>

#include <fmt/format.h>

#include "task/nearest.h"
#include "task/task_file.h"

namespace optiml::task {
namespace {

constexpr std::int64_t kMostLevels = 16;

// A word of a few; what: how errors call it, in the singular.
template <class Value>
void read_word(TomlTable& table, const toml::node& node, std::string_view what, std::initializer_list<Value> values, Value& target) {
    std::string word;
    table.convert(node, fmt::format("'{}'", what), word);
    if (table.failed()) return;
    std::vector<std::string> known;
    for (const Value value : values) {
        if (name_of(value) == word) {
            target = value;
            return;
        }
        known.emplace_back(name_of(value));
    }
    table.fail(node, fmt::format("unknown {} '{}'", what, word), suggestion_for(word, known, fmt::format("values of '{}'", what)));
}

template <class Value>
void read_key(TomlTable& table, std::string_view key, std::initializer_list<Value> values, Value& target) {
    if (const toml::node* node = table.find(key)) read_word(table, *node, key, values, target);
}

void read_extent(TomlTable& table, TextureDeclaration& texture) {
    const toml::node* node = table.find("extent");
    const std::size_t wanted = extents_of(texture.shape);
    const std::string remedy = fmt::format("A {} texture has {}: extent = {}.", name_of(texture.shape), wanted == 1 ? "one" : wanted == 2 ? "two" : "three",
                                           wanted == 1 ? "\"width\"" : wanted == 2 ? "[\"width\", \"height\"]" : "[\"width\", \"height\", \"depth\"]");
    if (node == nullptr) return table.fail(fmt::format("{} has no extent", table.what()), remedy);
    const toml::array* array = node->as_array();
    if (array == nullptr) {
        table.convert(*node, "'extent'", texture.extent.emplace_back());
    } else {
        for (const toml::node& element : *array) table.convert(element, "'extent'", texture.extent.emplace_back());
    }
    if (texture.extent.size() != wanted) table.fail(*node, fmt::format("{} extents are given", texture.extent.size()), remedy);
}

void read_address(TomlTable& table, TextureDeclaration& texture) {
    using enum TextureAddressMode;
    const toml::node* node = table.find("address");
    if (node == nullptr) return;
    auto& modes = texture.sampling.address;
    const toml::array* array = node->as_array();
    if (array == nullptr) {
        read_word(table, *node, "address", {clamp, wrap, mirror, border}, modes[0]);
        modes.fill(modes[0]);
    } else if (array->empty() || array->size() > modes.size()) {
        table.fail(*node, "'address' has one mode an axis", "Write address = \"clamp\" for all axes, or [\"clamp\", \"wrap\"].");
    } else {
        for (std::size_t axis = 0; axis < array->size(); ++axis)
            read_word(table, *array->get(axis), "address", {clamp, wrap, mirror, border}, modes[axis]);
    }
    const bool repeats = std::ranges::any_of(modes, [](TextureAddressMode mode) { return mode == wrap || mode == mirror; });
    if (repeats && !texture.sampling.normalized_coordinates && !is_cube(texture.shape)) {
        table.fail(*node, "wrap and mirror need normalized coordinates", "Add normalized = true, or write clamp or border.");
    }
}

void read_read_mode(TomlTable& table, const Argument& argument, TextureSampling& sampling) {
    const toml::node* node = table.find("read");
    if (node == nullptr) return;
    std::string mode;
    table.convert(*node, "'read'", mode);
    if (mode != "element" && mode != "normalized_float") {
        table.fail(*node, fmt::format("unknown read mode '{}'", mode), "Write read = \"element\" or \"normalized_float\".");
    }
    sampling.normalized_floats = mode == "normalized_float";
    if (sampling.normalized_floats && (is_float(argument.type) || bytes_of(argument.type) > 2)) {
        table.fail(*node, fmt::format("{} is not read as normalized floats", name_of(argument.type)), "Only i8, u8, i16 and u16 are.");
    }
}

void read_levels(TomlTable& table, TextureDeclaration& texture) {
    std::int64_t levels = 1;
    if (!table.read("levels", levels)) return;
    const std::int64_t most = texture.shape == TextureShape::linear ? 1 : kMostLevels;
    if (levels < 1 || levels > most) {
        table.fail(*table.find("levels"), fmt::format("a {} texture has {} levels", name_of(texture.shape), levels),
                   most == 1 ? "Remove 'levels'." : fmt::format("Give 1 to {}.", most));
        return;
    }
    texture.levels = static_cast<std::uint32_t>(levels);
    if (levels > 1 && !texture.sampling.normalized_coordinates && !is_cube(texture.shape)) {
        table.fail(*table.find("levels"), "levels of detail need normalized coordinates", "Add normalized = true.");
    }
}

void read_channels(TomlTable& table, TextureDeclaration& texture) {
    std::int64_t channels = 1;
    if (!table.read("channels", channels)) return;
    if (channels != 1 && channels != 2 && channels != 4) {
        table.fail(*table.find("channels"), fmt::format("a texel has {} channels", channels), "Give 1, 2 or 4.");
    }
    texture.channels = static_cast<std::uint32_t>(channels);
}

void check_filter(TomlTable& table, const Argument& argument, const TextureDeclaration& texture) {
    const TextureSampling& sampling = texture.sampling;
    const bool filters = sampling.filter == TextureFilter::linear || sampling.level_filter == TextureFilter::linear;
    if (filters && !is_float(argument.type) && !sampling.normalized_floats) {
        const toml::node* node = table.find(sampling.filter == TextureFilter::linear ? "filter" : "level_filter");
        table.fail(*node, fmt::format("{} is read as integers, which cannot be filtered", argument.name),
                   "Add read = \"normalized_float\", or write \"point\".");
    }
    if (texture.shape == TextureShape::linear && (filters || sampling.normalized_coordinates)) {
        table.fail(fmt::format("{} is linear memory, which tex1Dfetch reads by index", argument.name),
                   "Remove 'filter' and 'normalized', or write texture = \"1d\".");
    }
}

// Their type, channels and number.
void read_texels(TomlTable& table, const Argument& argument, TextureDeclaration& texture) {
    if (!table.failed() && !channel_of(argument.type)) {
        table.fail(*table.find("type"), fmt::format("a texture cannot hold {}", name_of(argument.type)),
                   "Write i8, u8, i16, u16, i32, u32, f16 or f32.");
    }
    read_channels(table, texture);
    read_extent(table, texture);
}

}  // namespace

void read_surface(TomlTable& table, const toml::node& shape, Argument& argument) {
    using enum TextureShape;
    TextureDeclaration surface;
    surface.is_surface = true;
    read_word(table, shape, "surface", {one_d, two_d, three_d, one_d_layered, two_d_layered}, surface.shape);
    read_texels(table, argument, surface);
    if (table.failed()) return;
    argument.extent = elements_of(surface);
    argument.texture = std::move(surface);
}

void read_texture(TomlTable& table, const toml::node& shape, Argument& argument) {
    using enum TextureShape;
    TextureDeclaration texture;
    read_word(table, shape, "texture", {linear, one_d, two_d, three_d, one_d_layered, two_d_layered, cube, cube_layered}, texture.shape);
    read_texels(table, argument, texture);
    table.read("normalized", texture.sampling.normalized_coordinates);
    read_levels(table, texture);
    read_key(table, "filter", {TextureFilter::point, TextureFilter::linear}, texture.sampling.filter);
    read_key(table, "level_filter", {TextureFilter::point, TextureFilter::linear}, texture.sampling.level_filter);
    read_address(table, texture);
    read_read_mode(table, argument, texture.sampling);
    if (table.failed()) return;
    check_filter(table, argument, texture);
    argument.extent = elements_of(texture);
    argument.texture = std::move(texture);
}

}  // namespace optiml::task
