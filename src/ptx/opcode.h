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
    f16, f16x2, bf16, bf16x2, tf32, f32, f64, e4m3x2, e5m2x2, u16x2, s16x2, u4, s4, b1, f32x2
};

// Width in bits of one element (pred: 1, none: 0; f16x2, bf16x2, u16x2 and s16x2: 32; e4m3x2 and e5m2x2: 16; f32x2: 64).
std::uint32_t bits_of(Type type);
bool is_float(Type type);
bool is_signed(Type type);
std::string_view name_of(Type type);
Type find_type(std::string_view name);  // "f32"; Type::none if there is no such type

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
// Where a load or store wants its line kept: .ca .cg .cs .lu .cv .wb .wt, or the nearest of these for L1:: hints
// (evict_first: cs, no_allocate: cg).
enum class CacheOperator : std::uint8_t { none, ca, cg, cs, lu, cv, wb, wt };
enum class Geometry : std::uint8_t { none, d1, d2, d3, a1d, a2d, cube, acube };
// How tex chooses the mipmap level; base is the instruction without a word for it.
enum class MipmapMode : std::uint8_t { base, level, grad };
// What sust and suld do outside the surface.
enum class SurfaceBounds : std::uint8_t { none, trap, clamp, zero };
enum class TestProperty : std::uint8_t { none, finite, infinite, number, notanumber, normal, subnormal };
enum class MatrixLayout : std::uint8_t { none, row, col };
// Which matrix of D = A * B + C a wmma.load or wmma.store moves.
enum class MatrixFragment : std::uint8_t { none, a, b, c, d };

// D is m x n, A is m x k, B is k x n; ldmatrix and stmatrix: m x n of one matrix, k is 0.
struct MatrixShape {
    std::uint16_t m = 0;
    std::uint16_t n = 0;
    std::uint16_t k = 0;

    bool operator==(const MatrixShape&) const = default;
};

// All that can stand between the opcode and its operands. Fields that do not apply keep their defaults.
struct Modifiers {
    Type type = Type::none;          // the instruction's type; for cvt, set, tex, vabsdiff, dp4a and mma the destination's
    Type source_type = Type::none;   // cvt, set, dp4a, tex, mma: the first source's type; setp: the compared type (also in type)
    Type third_type = Type::none;    // vabsdiff, dp4a, mma: the second source's type
    Type fourth_type = Type::none;   // mma: the type of C
    Space space = Space::generic;
    Space to_space = Space::generic; // cvta.to.X has to=true; cp.async shared.global: space is shared, to_space is global
    bool to = false;                 // cvta.to.SPACE: generic -> SPACE; without: SPACE -> generic
    std::uint8_t vector = 1;         // .v2 .v4 .v8
    Compare compare = Compare::none;
    BooleanOperation boolean = BooleanOperation::none;
    Rounding rounding = Rounding::none;
    bool ftz = false;
    bool saturate = false;           // .sat and .satfinite
    bool saturate_finite = false;    // .satfinite: to the largest finite value, where .sat is to [0, 1]
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
    bool aligned = false;            // .aligned; bar.sync, bar.red and bar.arrive are so without saying it
    bool propagate_nan = false;      // min.NaN, max.NaN: a NaN source makes the result NaN
    bool xor_sign_abs = false;       // min.xorsign.abs, max.xorsign.abs
    bool shared_cluster = false;     // .shared::cluster; .shared and .shared::cta leave it false
    CacheOperator cache = CacheOperator::none;
    // Textures and surfaces
    Geometry geometry = Geometry::none;
    MipmapMode mipmap = MipmapMode::base;
    SurfaceBounds bounds = SurfaceBounds::none;
    char component = 0;              // tld4: r g b a; suld, sust: b (untyped) p (formatted)
    TestProperty test = TestProperty::none;  // testp
    bool arrive = false;             // barrier.cluster.arrive
    bool wait = false;               // barrier.cluster.wait, griddepcontrol.wait
    // mbarrier
    bool parity = false;             // test_wait, try_wait
    bool no_complete = false;        // arrive.noComplete
    bool no_increment = false;       // cp.async.mbarrier.arrive.noinc
    bool expect_tx = false;          // arrive.expect_tx
    // Matrices. wmma.mma without types of A and B has f16 there.
    MatrixShape shape;
    MatrixLayout layout_a = MatrixLayout::none;  // wmma.load and wmma.store: the layout in memory
    MatrixLayout layout_b = MatrixLayout::none;
    MatrixFragment fragment = MatrixFragment::none;
    std::uint8_t matrix_count = 0;   // ldmatrix, stmatrix: .x1 .x2 .x4
    bool transpose = false;          // .trans
};

// An opcode with its modifiers. Where any part of the text is not known, the opcode is Opcode::unknown and the modifiers are defaults,
// so that an instruction is either understood in full or not at all.
struct DecodedOpcode {
    Opcode opcode = Opcode::unknown;
    Modifiers modifiers;
};

// Decodes what stands before the operands, e.g. "ld.global.nc.v4.f32".
DecodedOpcode decode_opcode(std::string_view text);

// How many of an instruction's first operands are destinations (`d|p` counts as one; call is not counted this way).
std::uint32_t destination_count(Opcode opcode);

}  // namespace optiml::ptx
