#pragma once
// A CUDA source as plain data: our own syntax tree with types and places, made by the clang front end (cuda_source/parse.h) and
// read by analyses and transformations, which thereby need no clang header. Nodes live in arenas of SourceFile and are named by
// index.
//
// Places are byte spans of SourceFile::text, as the user wrote it (macro uses keep the span of the use, and in_macro is set: such a
// node must be replaced as a whole or not at all).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/text.h"

namespace optiml::cuda_source {

using TypeId = std::uint32_t;
using ExpressionId = std::uint32_t;
using StatementId = std::uint32_t;
using VariableId = std::uint32_t;
using FunctionId = std::uint32_t;
constexpr std::uint32_t none = 0xffffffffu;

enum class TypeKind : std::uint8_t { void_, boolean, integer, floating, pointer, reference, array, vector, record, other };

struct Type {
    TypeKind kind = TypeKind::other;
    std::uint32_t bits = 0;  // integer, floating (half 16, float 32, double 64)
    bool is_signed = false;
    bool is_bfloat = false;
    bool is_const = false;     // of this level: `const float*` is a non-const pointer to const
    bool is_restrict = false;  // pointers
    bool is_volatile = false;
    TypeId element = none;     // pointer, reference, array, vector (float4: float)
    std::uint64_t extent = 0;  // array (0: unknown or extern), vector (2, 3, 4)
    std::uint64_t bytes = 0;   // sizeof, 0 if unknown
    std::string spelling;      // "const float *"
};

enum class ExpressionKind : std::uint8_t {
    integer_literal,
    float_literal,
    bool_literal,
    string_literal,
    variable,       // variable
    builtin_index,  // threadIdx.x and the like: builtin
    unary,          // op: + - ! ~ * & ++ -- (prefix), "p++" "p--" (postfix)
    binary,         // op: arithmetic, comparison, logic, comma
    assignment,     // op: = += -= *= ...
    conditional,    // children: condition, then, else
    subscript,      // children: base, index
    member,         // name; child: object
    call,           // callee name in name (as written), function if it is one of this file; children: arguments
    member_call,    // name; children: object, arguments
    cast,           // explicit or value-changing implicit conversion; child. Trivial casts are left out
    initializer_list,
    construct,
    lambda,
    sizeof_,
    template_dependent,
    other
};

enum class BuiltinIndex : std::uint8_t { thread_idx, block_idx, block_dim, grid_dim, warp_size };

struct Expression {
    ExpressionKind kind = ExpressionKind::other;
    TypeId type = none;
    TextSpan span;
    bool in_macro = false;
    bool implicit = false;  // cast that the user did not write
    std::string op;
    std::string name;
    VariableId variable = none;
    FunctionId function = none;
    BuiltinIndex builtin = BuiltinIndex::thread_idx;
    std::uint8_t axis = 0;                 // 0 x, 1 y, 2 z
    std::int64_t integer = 0;              // integer_literal, bool_literal
    double floating = 0;                   // float_literal
    std::optional<std::int64_t> constant;  // value, where it is a compile-time integer constant
    bool takes_values_only = false;        // call: CUDA's own function that returns a value and takes no pointer or reference
    bool by_reference = false;             // argument of a non-const reference parameter: the callee may write it
    std::vector<ExpressionId> children;
};

enum class StatementKind : std::uint8_t {
    compound,
    declaration,
    expression,
    if_,
    for_,
    while_,
    do_,
    return_,
    break_,
    continue_,
    switch_,
    case_,
    inline_assembly,
    empty,
    other
};

struct Statement {
    StatementKind kind = StatementKind::other;
    TextSpan span;  // including the closing semicolon or brace
    bool in_macro = false;
    StatementId parent = none;
    ExpressionId expression = none;     // expression; condition of if/for/while/do/switch; value of return; case value
    std::vector<VariableId> variables;  // declaration (one statement may declare several)
    StatementId init = none;            // for: declaration or expression statement
    ExpressionId increment = none;      // for
    std::vector<StatementId> children;  // compound: statements; if: then[, else]; loops, switch: body; case: the labelled statement
    std::string pragma;                 // "#pragma unroll 4" standing before a loop, with its span:
    TextSpan pragma_span;
};

enum class Storage : std::uint8_t {
    parameter,
    local,
    shared,
    dynamic_shared,
    constant,
    device_global,
    managed,
    template_value,
    host  // file scope, not const, without __device__ or the like
};

struct Variable {
    std::string name;
    TypeId type = none;
    Storage storage = Storage::local;
    TextSpan declaration;  // of its declarator in the declaration ("x = 3" in "int x = 3, y;")
    TextSpan name_span;
    TextSpan type_span;  // the declaration's specifiers ("const float" in "const float *x"; pointer not included)
    ExpressionId initializer = none;
    FunctionId function = none;  // where it is local or a parameter; none: file scope
    bool in_macro = false;
    bool is_written = false;  // assigned, incremented or its address taken after its declaration
    bool address_taken = false;
};

struct Function {
    std::string name;            // "softmax"
    std::string qualified_name;  // with namespaces
    std::string lowered_name;    // mangled, or the plain name for extern "C"; empty for templates
    bool is_kernel = false;
    bool is_device = false;
    bool is_constexpr_only = false;  // constexpr without __host__ or __device__: clang lets devices call it, NVRTC does not
    bool is_template = false;
    bool extern_c = false;
    bool in_macro = false;
    std::vector<std::string> template_parameters;
    std::vector<VariableId> parameters;
    StatementId body = none;  // compound; none for declarations
    TextSpan span;            // from the first specifier to the closing brace
    TextSpan name_span;
    TextSpan parameters_span;  // between the parentheses
    std::optional<std::uint32_t> launch_bounds_threads;
    std::optional<std::uint32_t> launch_bounds_blocks;
    TextSpan launch_bounds_span;  // of the __launch_bounds__(...) attribute, empty if none
    TypeId return_type = none;
};

struct Diagnostic {
    enum class Severity : std::uint8_t { note, warning, error } severity = Severity::error;
    std::string message;
    SourceLocation where;
    bool in_host_code = false;  // inside a host function: no concern of the kernels
};

// kernel<<<grid, block, shared>>>(...) in host code of the file.
struct KernelLaunch {
    ExpressionId call = none;  // kind call; its children are the arguments
    ExpressionId grid = none;
    ExpressionId block = none;
    ExpressionId shared = none;  // none if not given
};

struct SourceFile {
    std::string name;
    std::string text;
    std::vector<Type> types;
    std::vector<Expression> expressions;
    std::vector<Statement> statements;
    std::vector<Variable> variables;
    std::vector<Function> functions;  // defined or declared in the main file, in order
    std::vector<KernelLaunch> launches;
    std::vector<Diagnostic> diagnostics;
    std::vector<TextSpan> macro_definitions;  // the #define lines of the main file

    const Type& type_of(ExpressionId id) const { return types[expressions[id].type]; }
    std::string_view text_of(TextSpan span) const { return std::string_view(text).substr(span.begin, span.size()); }
    std::string_view text_of(ExpressionId id) const { return text_of(expressions[id].span); }
    std::vector<FunctionId> kernels() const;
    // By plain or qualified name, or a template-id ("scale<float>" finds the template scale). Error (user): none or several,
    // listing them.
    Result<FunctionId> find_kernel(std::string_view name) const;
};

}  // namespace optiml::cuda_source
