#pragma once
// The PTX vocabulary: base opcodes and what can follow them after dots (PTX ISA 9, chapters 5 and 9).

#include <cstdint>
#include <string_view>

namespace optiml::ptx {

// Every base opcode we know by name. Opcode::unknown parses (its text is kept) and is "not emulated" when it would execute.
enum class Opcode : std::uint8_t {
    unknown,
    // arithmetic
    abs, add, addc, bfe, bfi, bfind, bmsk, brev, clz, copysign, cos, div, dp2a, dp4a, ex2, fma, fns, lg2, mad, mad24, madc, max, min,
    mul, mul24, neg, popc, rcp, rem, rsqrt, sad, sin, sqrt, sub, subc, szext, tanh, testp, vabsdiff2, vabsdiff4,
    // logic, selection, moves
    and_, cnot, cvt, cvta, isspacep, lop3, mov, not_, or_, prmt, selp, set, setp, shf, shl, shr, slct, xor_,
    // memory
    atom, cp_async, cp_async_commit_group, cp_async_mbarrier_arrive, cp_async_wait_all, cp_async_wait_group, discard, fence, ld, ldu,
    membar, mbarrier_arrive, mbarrier_init, mbarrier_inval, mbarrier_test_wait, mbarrier_try_wait, prefetch, prefetchu, red, st,
    // control
    bar_arrive, bar_red, bar_sync, bar_warp_sync, bra, brkpt, brx_idx, call, exit, nanosleep, pmevent, ret, setmaxnreg, trap,
    // across lanes
    activemask, elect_sync, match_sync, redux_sync, shfl_sync, vote_sync,
    // matrices, textures
    ldmatrix, mma_sync, stmatrix, suld, sust, tex, tld4, wmma_load, wmma_mma, wmma_store,
    // others
    applypriority, createpolicy, griddepcontrol, mapa, getctarank, barrier_cluster, stackrestore, stacksave, alloca_, count_
};

std::string_view name_of(Opcode opcode);

enum class Type : std::uint8_t {
    none, pred, b8, b16, b32, b64, b128, u8, u16, u32, u64, s8, s16, s32, s64,
    f16, f16x2, bf16, bf16x2, tf32, f32, f64, e4m3x2, e5m2x2, u16x2, s16x2, u4, s4, b1
};

// Width in bits of one element (pred: 1, none: 0; f16x2, bf16x2, u16x2 and s16x2: 32; e4m3x2 and e5m2x2: 16).
std::uint32_t bits_of(Type type);
bool is_float(Type type);
bool is_signed(Type type);
std::string_view name_of(Type type);

enum class Space : std::uint8_t { generic, global, shared, local, constant, param, reg };

enum class Compare : std::uint8_t { none, eq, ne, lt, le, gt, ge, lo, ls, hi, hs, equ, neu, ltu, leu, gtu, geu, num, nan };
enum class Rounding : std::uint8_t { none, rn, rz, rm, rp, rna, rni, rzi, rmi, rpi };
enum class BooleanOperation : std::uint8_t { none, and_, or_, xor_ };
// .lo .hi .wide of mul and mad; .l .r of shf
enum class Half : std::uint8_t { none, lo, hi, wide, left, right };
enum class Approximation : std::uint8_t { none, approx, full };
// atom and red; also redux.sync and bar.red
enum class AtomicOperation : std::uint8_t { none, add, min, max, inc, dec, cas, exch, and_, or_, xor_, popc };
enum class ShuffleMode : std::uint8_t { none, up, down, bfly, idx };
enum class VoteMode : std::uint8_t { none, all, any, uni, ballot };
enum class MatchMode : std::uint8_t { none, any, all };
enum class Scope : std::uint8_t { none, cta, cluster, gpu, sys };
enum class MemoryOrder : std::uint8_t { none, weak, relaxed, acquire, release, acq_rel, sc, volatile_, mmio };
enum class PermuteMode : std::uint8_t { none, f4e, b4e, rc8, ecl, ecr, rc16 };

// All that can stand between the opcode and its operands. Fields that do not apply keep their defaults.
struct Modifiers {
    Type type = Type::none;          // the instruction's type; for cvt, set and setp the destination's (setp: none)
    Type source_type = Type::none;   // cvt, set, dp4a, tex, mma: the first source's type; setp: the compared type (also in type)
    Type third_type = Type::none;    // dp4a, mma
    Space space = Space::generic;
    Space to_space = Space::generic; // cvta.to.X has to=true; cp.async shared.global: space is shared, to_space is global
    bool to = false;                 // cvta.to.SPACE: generic -> SPACE; without: SPACE -> generic
    std::uint8_t vector = 1;         // .v2 .v4 .v8
    Compare compare = Compare::none;
    BooleanOperation boolean = BooleanOperation::none;
    Rounding rounding = Rounding::none;
    bool ftz = false;
    bool saturate = false;           // .sat and .satfinite
    bool relu = false;
    bool carry_out = false;          // .cc
    Half half = Half::none;
    Approximation approximation = Approximation::none;
    AtomicOperation atomic = AtomicOperation::none;
    ShuffleMode shuffle = ShuffleMode::none;
    VoteMode vote = VoteMode::none;
    MatchMode match = MatchMode::none;
    PermuteMode permute = PermuteMode::none;
    Scope scope = Scope::none;
    MemoryOrder order = MemoryOrder::none;
    bool noncoherent = false;        // ld.global.nc
    bool uniform = false;            // .uni
    bool wrap = false;               // shf.wrap (else clamp)
    bool shift_amount = false;       // bfind.shiftamt
    bool noftz = false;              // atom.add.noftz
    bool clear = false;              // bmsk.clamp / szext.clamp: clamp, i.e. true for .clamp
    bool aligned = false;            // .aligned
};

}  // namespace optiml::ptx
