#pragma once
// The IR of a PTX module: what the parser makes and the emulator reads. It says nothing about how values are represented,
// so that any value domain (bits, wider shadows, residues, symbols) can execute it.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ptx/opcode.h"

namespace optiml::ptx {

constexpr std::uint32_t none = 0xffffffffu;  // the index that means "no such thing"

// A register of one function; scopes are resolved, so that equal names in sibling scopes are different registers.
struct Register {
    std::string name;
    Type type = Type::none;  // as declared; gives the width only: data of any type may live in it
};

enum class SpecialRegister : std::uint8_t {
    tid_x, tid_y, tid_z, ntid_x, ntid_y, ntid_z, ctaid_x, ctaid_y, ctaid_z, nctaid_x, nctaid_y, nctaid_z,
    laneid, warpid, nwarpid, smid, nsmid, gridid, lanemask_eq, lanemask_le, lanemask_lt, lanemask_ge, lanemask_gt,
    clock, clock_hi, clock64, globaltimer, globaltimer_lo, globaltimer_hi, dynamic_smem_size, total_smem_size,
    envreg1, envreg2, reserved_smem_offset_1, clusterid_x, clusterid_y, clusterid_z, nclusterid_x, nclusterid_y, nclusterid_z,
    cluster_ctaid_x, cluster_ctaid_y, cluster_ctaid_z, cluster_nctaid_x, cluster_nctaid_y, cluster_nctaid_z,
    cluster_ctarank, cluster_nctarank, warp_size, unknown
};

enum class OperandKind : std::uint8_t {
    none,
    reg,        // index: register
    immediate,  // bits: the value, as written; 0f is 32 float bits, 0d 64, integers are sign-extended to 64
    special,    // special
    symbol,     // the address of a variable: index of Module::variables or, if local_symbol, see Function::symbol_count; plus bits
    function,   // index of Module::functions: a call target or a function's address
    vector,     // first..first+count-1 of Function::operand_pool
    label,      // index: basic block
    sink,       // `_`
    address,    // [base + offset]; base is a register (index) or a symbol (is_symbol, index); bits: offset; index==none: absolute.
                // tex, suld and sust: the handle; the coordinates are the next source
    prototype,  // index of Function::prototypes
};

struct Operand {
    OperandKind kind = OperandKind::none;
    bool is_symbol = false;     // address: the base is a symbol
    bool local_symbol = false;  // symbol/address: a variable of the function, not of the module
    bool negated = false;       // !p in predicate operands
    SpecialRegister special = SpecialRegister::unknown;
    std::uint32_t index = none;
    std::uint32_t first = 0;    // vector
    std::uint32_t count = 0;    // vector
    std::uint64_t bits = 0;     // immediate value, or offset (two's complement)
    bool float_immediate = false;  // 0f, 0d or decimal (which has the width of the instruction's type)
};

// A place in the user's CUDA source by .loc; file indexes Module::files, line 0: unknown.
struct Place {
    std::uint32_t file = none;
    std::uint32_t line = 0;
    bool operator==(const Place&) const = default;
};

struct Instruction {
    Opcode opcode = Opcode::unknown;
    Modifiers modifiers;
    std::uint32_t guard = none;  // predicate register of @p / @!p
    bool guard_negated = false;
    // Destinations first, in PTX order. `shfl.sync d|p`, `setp p|q`: two destinations. Stores have none (address, then value).
    // call: destinations are the return variables; sources are the target (function or register), the arguments, and the prototype
    // of an indirect call. brx.idx: the index, then a vector of labels.
    std::vector<Operand> destinations;
    std::vector<Operand> sources;
    Place place;                 // line of the kernel's author; for inlined code the innermost line
    Place inlined_at;            // outermost call site where the code was inlined; line 0: not inlined
    std::uint32_t ptx_line = 0;
    std::string text;            // opcode with all modifiers, as written ("mul.wide.s32")
    std::string operand_text;    // Opcode::unknown only: the operands as written; such an instruction has no sources and destinations
};

// .pragma, which has no effect on what the code does, only on what the back end makes of it.
struct Pragma {
    std::uint32_t instruction = 0;  // stands before this one
    std::string text;
};

// Instructions [first, last) of Function::instructions; only the last may branch, return or exit.
// A guarded ret or exit ends its block as well.
struct BasicBlock {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::vector<std::uint32_t> successors;  // taken target first, then fall-through
    std::uint32_t post_dominator = none;    // immediate post-dominator; none: the function's exit
    std::uint32_t loop_depth = 0;
    std::uint32_t innermost_loop = none;    // index of Function::loops
};

// A natural loop (header and every block that reaches its back edges without leaving).
struct Loop {
    std::uint32_t header = none;
    std::uint32_t parent = none;
    std::vector<std::uint32_t> blocks;
};

struct Variable {
    std::string name;
    Space space = Space::global;
    Type type = Type::b8;
    std::uint32_t alignment = 1;
    std::uint64_t bytes = 0;      // 0 for `extern x[]`
    bool is_extern = false;       // dynamic shared memory, or defined elsewhere
    bool managed = false;
    bool initialized = false;
    std::vector<std::uint8_t> initial;  // shorter than bytes: the rest is zero
    // Addresses of symbols or functions inside the initial value.
    struct Relocation {
        std::uint64_t offset = 0;
        bool is_function = false;
        std::uint32_t index = none;
        std::uint64_t addend = 0;
        std::uint32_t size = 8;
        bool generic = false;  // generic(sym)
    };
    std::vector<Relocation> relocations;
};

struct Parameter {
    std::string name;
    Type type = Type::b8;
    std::uint32_t alignment = 1;
    std::uint64_t bytes = 0;
    std::uint64_t offset = 0;  // within the parameter block, after alignment
    std::uint32_t register_index = none;  // `.reg` parameter: the register of the function that holds it
    std::uint32_t pointer_alignment = 0;  // `.ptr .align`: what the pointer points to; 0: not given
};

struct Function {
    std::string name;
    bool is_kernel = false;
    bool has_body = false;
    bool noreturn = false;
    std::vector<Parameter> parameters;  // of .func also those that are registers in old PTX
    std::vector<Parameter> returns;
    std::vector<Register> registers;
    // .local, .shared and .param (call frames) variables declared in the body; scopes resolved as for registers.
    std::vector<Variable> variables;
    std::vector<Instruction> instructions;
    std::vector<Operand> operand_pool;
    std::vector<BasicBlock> blocks;     // blocks[0] is the entry
    std::vector<Loop> loops;
    std::vector<Pragma> pragmas;
    std::vector<std::vector<Parameter>> prototypes;
    std::vector<std::vector<Parameter>> prototype_returns;  // parallel to prototypes
    std::uint32_t max_threads[3] = {0, 0, 0};       // .maxntid; 0: not given
    std::uint32_t required_threads[3] = {0, 0, 0};  // .reqntid
    std::uint32_t min_blocks_per_sm = 0;            // .minnctapersm
    std::uint32_t max_registers = 0;                // .maxnreg
    std::uint32_t cluster[3] = {0, 0, 0};           // .reqnctapercluster

    // Local symbols (operands of kind address or symbol with local_symbol) are numbered through: parameters first, then returns,
    // then variables.
    std::uint32_t symbol_count() const {
        return static_cast<std::uint32_t>(parameters.size() + returns.size() + variables.size());
    }
    std::string_view symbol_name(std::uint32_t symbol) const;
    // The variable behind a local symbol; nullptr for parameters and returns.
    const Variable* variable_of(std::uint32_t symbol) const;
};

struct Module {
    std::uint32_t version_major = 0;
    std::uint32_t version_minor = 0;
    std::string target;         // "sm_90"
    std::uint32_t address_bits = 64;
    std::vector<std::string> files;
    std::vector<Variable> variables;
    std::vector<Function> functions;

    const Function* find_kernel(std::string_view name) const;
};

}  // namespace optiml::ptx
