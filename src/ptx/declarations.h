#pragma once
// Variables with their initialisers, and parameter lists.

#include <string_view>
#include <vector>

#include "ptx/cursor.h"
#include "ptx/module.h"

namespace optiml::ptx {

struct DeclaredVariable {
    std::string_view name;
    Variable variable;
    // Names of variable.relocations, in the same order; they may stand further down in the text.
    std::vector<std::string_view> relocation_names;
};

// `.align 4 .b8 a[16] = {...}, b;` from behind the state space up to and including the ';'.
std::vector<DeclaredVariable> parse_variables(Cursor& cursor, Space space, bool is_extern);

struct DeclaredParameter {
    std::string_view name;
    Parameter parameter;
    bool in_register = false;
};

// `(.param .b64 a, .param .align 8 .b8 b[16])`, with offsets as in a parameter block.
std::vector<DeclaredParameter> parse_parameters(Cursor& cursor);

// `.b32`; the opaque types of textures, samplers and surfaces are 64-bit handles.
Type parse_type(Cursor& cursor);

}  // namespace optiml::ptx
