// Every opcode form seen in 508 public CUDA programs decodes, and into modifiers that spell the same words again.

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ptx/opcode.h"
#include "ptx/opcode_forms.h"

namespace optiml::ptx {
namespace {

using Words = std::vector<std::string>;

Words split(const std::string& text, char separator) {
    Words words;
    std::istringstream stream(text);
    for (std::string word; std::getline(stream, word, separator);) words.push_back(word);
    return words;
}

template <class Enum, std::size_t count>
void add(Words& words, Enum value, const char* const (&names)[count]) {
    if (value != Enum{}) words.emplace_back(names[static_cast<std::size_t>(value) - 1]);
}

void add(Words& words, bool set, const char* name) {
    if (set) words.emplace_back(name);
}

void add_types(Words& words, const DecodedOpcode& decoded) {
    const Modifiers& m = decoded.modifiers;
    std::vector<Type> types{m.type, m.source_type, m.third_type, m.fourth_type};
    if (decoded.opcode == Opcode::setp) types = {m.type};
    if (decoded.opcode == Opcode::dp4a) types = {m.source_type, m.third_type};
    for (const Type type : types) {
        if (type != Type::none) words.emplace_back(name_of(type));
    }
}

void add_spaces(Words& words, const Modifiers& m) {
    const char* const names[] = {"global", "shared", "local", "const", "param"};
    add(words, m.to, "to");
    add(words, m.space, names);
    add(words, m.to_space, names);
}

void add_memory(Words& words, const Modifiers& m, bool is_membar) {
    add(words, m.order, {"weak", "relaxed", "acquire", "release", "acq_rel", "sc", "volatile", "mmio"});
    add(words, m.scope, {"cta", "cluster", is_membar ? "gl" : "gpu", "sys"});
    add(words, m.cache, {"ca", "cg", "cs", "lu", "cv", "wb", "wt"});
    add(words, m.atomic, {"add", "min", "max", "inc", "dec", "cas", "exch", "and", "or", "xor", "popc"});
    add(words, m.noncoherent, "nc");
    add(words, m.noftz, "noftz");
    if (m.vector != 1) words.push_back("v" + std::to_string(m.vector));
}

void add_arithmetic(Words& words, const Modifiers& m) {
    add(words, m.compare, {"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num",
                           "nan"});
    add(words, m.rounding, {"rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi"});
    add(words, m.half, {"lo", "hi", "wide", "l", "r"});
    add(words, m.approximation, {"approx", "full"});
    add(words, m.ftz, "ftz");
    add(words, m.carry_out, "cc");
    add(words, m.wrap, "wrap");
    add(words, m.clear, "clamp");
    add(words, m.shift_amount, "shiftamt");
}

void add_lanes(Words& words, const Modifiers& m) {
    add(words, m.shuffle, {"up", "down", "bfly", "idx"});
    add(words, m.vote, {"all", "any", "uni", "ballot"});
    add(words, m.match, {"any", "all"});
    add(words, m.uniform, "uni");
}

void add_textures_and_matrices(Words& words, const Modifiers& m) {
    add(words, m.geometry, {"1d", "2d", "3d", "a1d", "a2d", "cube", "acube"});
    add(words, m.mipmap, {"level", "grad"});
    add(words, m.bounds, {"trap", "clamp", "zero"});
    if (m.component != 0) words.emplace_back(1, m.component);
    add(words, m.parity, "parity");
    add(words, m.transpose, "trans");
    if (m.matrix_count != 0) words.push_back("x" + std::to_string(m.matrix_count));
    add(words, m.fragment, {"a", "b", "c", "d"});
    add(words, m.layout_a, {"row", "col"});
    add(words, m.layout_b, {"row", "col"});
    if (m.shape.m != 0) {
        std::string shape = "m" + std::to_string(m.shape.m) + "n" + std::to_string(m.shape.n);
        if (m.shape.k != 0) shape += "k" + std::to_string(m.shape.k);
        words.push_back(shape);
    }
}

// The words of an instruction, opcode first, in an order of our own; types keep theirs.
Words spell(const DecodedOpcode& decoded) {
    const Modifiers& m = decoded.modifiers;
    Words words = split(std::string(name_of(decoded.opcode)), '.');
    const bool is_bar = decoded.opcode == Opcode::bar_sync || decoded.opcode == Opcode::bar_red;
    add(words, m.aligned && !is_bar, "aligned");
    add_spaces(words, m);
    add_memory(words, m, decoded.opcode == Opcode::membar);
    add_arithmetic(words, m);
    add_lanes(words, m);
    add_textures_and_matrices(words, m);
    add(words, m.saturate, decoded.opcode == Opcode::wmma_mma ? "satfinite" : "sat");
    add_types(words, decoded);
    return words;
}

// What the instruction says beyond what modifiers keep.
Words expected_words(const std::string& form) {
    Words words = split(form, '.');
    if (words[0] == "barrier") words[0] = "bar";
    const bool moves_matrix = words[0] == "ldmatrix" || words[0] == "stmatrix";
    const bool implied_sync = moves_matrix || (words[0] == "wmma");
    std::erase_if(words, [&](const std::string& word) { return (implied_sync && word == "sync") || word == "L2"; });
    return words;
}

TEST(OpcodeForms, EveryFormDecodesIntoItsWords) {
    const Words forms = split(kPublicForms, ' ');
    EXPECT_EQ(forms.size(), 537u);
    for (const std::string& form : forms) {
        const DecodedOpcode decoded = decode_opcode(form);
        EXPECT_NE(decoded.opcode, Opcode::unknown) << form;
        Words found = spell(decoded);
        Words expected = expected_words(form);
        std::sort(found.begin(), found.end());
        std::sort(expected.begin(), expected.end());
        EXPECT_EQ(found, expected) << form;
    }
}

// The order of types is lost by sorting above.
TEST(OpcodeForms, TypesKeepTheirOrder) {
    for (const std::string& form : split(kPublicForms, ' ')) {
        Words types;
        for (const std::string& word : split(form, '.')) {
            if (find_type(word) != Type::none) types.push_back(word);
        }
        Words found;
        add_types(found, decode_opcode(form));
        EXPECT_EQ(found, types) << form;
    }
}

}  // namespace
}  // namespace optiml::ptx
