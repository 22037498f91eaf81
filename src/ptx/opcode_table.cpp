#include "ptx/opcode_table.h"

#include <algorithm>
#include <array>

namespace optiml::ptx {
namespace {

using enum ModifierKind;
using Kinds = ModifierKinds;

constexpr Kinds kNothing{};
constexpr Kinds kType{type};
constexpr Kinds kFloat{type, ftz};
constexpr Kinds kFloatUnary{type, ftz, rounding, approximation};
constexpr Kinds kArithmetic{type, ftz, rounding, saturate};
constexpr Kinds kMinMax{type, ftz, propagate_nan, xor_sign, relu};
constexpr Kinds kComparison{type, ftz, compare, boolean};
constexpr Kinds kAccess{type, space, shared_cluster, vector, scope, order, cache, hint};
constexpr Kinds kAtomic{type, space, shared_cluster, vector, scope, order, atomic, noftz, hint};
constexpr Kinds kMbarrier{type, space, shared_cluster, scope, order};
constexpr Kinds kMatrix{type, space, shared_cluster, shape, layout, fragment, sync, aligned};
constexpr Kinds kMatrixMove{type, space, shared_cluster, shape, matrix_count, transpose, sync, aligned};

// In the order of enum Opcode.
constexpr OpcodeEntry kTable[] = {
    {Opcode::unknown, "unknown", 0, 0, kNothing},
    {Opcode::abs, "abs", 1, 1, kFloat},
    {Opcode::add, "add", 1, 1, kArithmetic | Kinds{carry}},
    {Opcode::addc, "addc", 1, 1, {type, carry}},
    {Opcode::bfe, "bfe", 1, 1, kType},
    {Opcode::bfi, "bfi", 1, 1, kType},
    {Opcode::bfind, "bfind", 1, 1, {type, shift_amount}},
    {Opcode::bmsk, "bmsk", 1, 1, {type, wrap}},
    {Opcode::brev, "brev", 1, 1, kType},
    {Opcode::clz, "clz", 1, 1, kType},
    {Opcode::copysign, "copysign", 1, 1, kType},
    {Opcode::cos, "cos", 1, 1, kFloatUnary},
    {Opcode::div, "div", 1, 1, kFloatUnary},
    {Opcode::dp2a, "dp2a", 1, 2, {type, half}},
    {Opcode::dp4a, "dp4a", 1, 2, kType},
    {Opcode::ex2, "ex2", 1, 1, kFloatUnary},
    {Opcode::fma, "fma", 1, 1, kArithmetic | Kinds{relu}},
    {Opcode::fns, "fns", 1, 1, kType},
    {Opcode::lg2, "lg2", 1, 1, kFloatUnary},
    {Opcode::mad, "mad", 1, 1, kArithmetic | Kinds{half, carry}},
    {Opcode::mad24, "mad24", 1, 1, {type, half, saturate}},
    {Opcode::madc, "madc", 1, 1, {type, half, carry}},
    {Opcode::max, "max", 1, 1, kMinMax},
    {Opcode::min, "min", 1, 1, kMinMax},
    {Opcode::mul, "mul", 1, 1, kArithmetic | Kinds{half}},
    {Opcode::mul24, "mul24", 1, 1, {type, half}},
    {Opcode::neg, "neg", 1, 1, kFloat},
    {Opcode::popc, "popc", 1, 1, kType},
    {Opcode::rcp, "rcp", 1, 1, kFloatUnary},
    {Opcode::rem, "rem", 1, 1, kType},
    {Opcode::rsqrt, "rsqrt", 1, 1, kFloatUnary},
    {Opcode::sad, "sad", 1, 1, kType},
    {Opcode::sin, "sin", 1, 1, kFloatUnary},
    {Opcode::sqrt, "sqrt", 1, 1, kFloatUnary},
    {Opcode::sub, "sub", 1, 1, kArithmetic | Kinds{carry}},
    {Opcode::subc, "subc", 1, 1, {type, carry}},
    {Opcode::szext, "szext", 1, 1, {type, wrap}},
    {Opcode::tanh, "tanh", 1, 1, kFloatUnary},
    {Opcode::testp, "testp", 1, 1, {type, test}},
    {Opcode::vabsdiff2, "vabsdiff2", 1, 3, {type, saturate, atomic}},
    {Opcode::vabsdiff4, "vabsdiff4", 1, 3, {type, saturate, atomic}},

    {Opcode::and_, "and", 1, 1, kType},
    {Opcode::cnot, "cnot", 1, 1, kType},
    {Opcode::cvt, "cvt", 1, 2, kArithmetic | Kinds{relu}},
    {Opcode::cvta, "cvta", 1, 1, {type, space, shared_cluster, to}},
    {Opcode::isspacep, "isspacep", 1, 0, {space, shared_cluster}},
    {Opcode::lop3, "lop3", 1, 1, kType},
    {Opcode::mov, "mov", 1, 1, kType},
    {Opcode::not_, "not", 1, 1, kType},
    {Opcode::or_, "or", 1, 1, kType},
    {Opcode::prmt, "prmt", 1, 1, {type, permute}},
    {Opcode::selp, "selp", 1, 1, kType},
    {Opcode::set, "set", 1, 2, kComparison},
    {Opcode::setp, "setp", 1, 1, kComparison},
    {Opcode::shf, "shf", 1, 1, {type, half, wrap}},
    {Opcode::shl, "shl", 1, 1, kType},
    {Opcode::shr, "shr", 1, 1, kType},
    {Opcode::slct, "slct", 1, 2, kFloat},
    {Opcode::xor_, "xor", 1, 1, kType},

    {Opcode::atom, "atom", 1, 1, kAtomic},
    {Opcode::cp_async, "cp.async", 0, 0, {space, cache, hint}},
    {Opcode::cp_async_commit_group, "cp.async.commit_group", 0, 0, kNothing},
    {Opcode::cp_async_mbarrier_arrive, "cp.async.mbarrier.arrive", 0, 1, {type, space, no_increment}},
    {Opcode::cp_async_wait_all, "cp.async.wait_all", 0, 0, kNothing},
    {Opcode::cp_async_wait_group, "cp.async.wait_group", 0, 0, kNothing},
    {Opcode::discard, "discard", 0, 0, {space, hint}},
    {Opcode::fence, "fence", 0, 0, {scope, order, space, shared_cluster, proxy}},
    {Opcode::ld, "ld", 1, 1, kAccess | Kinds{noncoherent}},
    {Opcode::ldu, "ldu", 1, 1, kAccess},
    {Opcode::membar, "membar", 0, 0, {scope}},
    {Opcode::mbarrier_arrive, "mbarrier.arrive", 1, 1, kMbarrier | Kinds{no_complete, expect_tx}},
    {Opcode::mbarrier_init, "mbarrier.init", 0, 1, kMbarrier},
    {Opcode::mbarrier_inval, "mbarrier.inval", 0, 1, kMbarrier},
    {Opcode::mbarrier_test_wait, "mbarrier.test_wait", 1, 1, kMbarrier | Kinds{parity}},
    {Opcode::mbarrier_try_wait, "mbarrier.try_wait", 1, 1, kMbarrier | Kinds{parity}},
    {Opcode::prefetch, "prefetch", 0, 0, {space, hint}},
    {Opcode::prefetchu, "prefetchu", 0, 0, {hint}},
    {Opcode::red, "red", 0, 1, kAtomic},
    {Opcode::st, "st", 0, 1, kAccess},

    {Opcode::bar_arrive, "bar.arrive", 0, 0, {aligned}},
    {Opcode::bar_red, "bar.red", 1, 1, {type, atomic, aligned}},
    {Opcode::bar_sync, "bar.sync", 0, 0, {aligned}},
    {Opcode::bar_warp_sync, "bar.warp.sync", 0, 0, kNothing},
    {Opcode::bra, "bra", 0, 0, {uniform}},
    {Opcode::brkpt, "brkpt", 0, 0, kNothing},
    {Opcode::brx_idx, "brx.idx", 0, 0, {uniform}},
    {Opcode::call, "call", 0, 0, {uniform}},
    {Opcode::exit, "exit", 0, 0, kNothing},
    {Opcode::nanosleep, "nanosleep", 0, 1, kType},
    {Opcode::pmevent, "pmevent", 0, 0, kNothing},
    {Opcode::ret, "ret", 0, 0, {uniform}},
    {Opcode::setmaxnreg, "setmaxnreg", 0, 1, {type, sync, aligned, barrier_phase}},
    {Opcode::trap, "trap", 0, 0, kNothing},

    {Opcode::activemask, "activemask", 1, 1, kType},
    {Opcode::elect_sync, "elect.sync", 1, 0, kNothing},
    {Opcode::match_sync, "match.sync", 1, 1, {type, match, sync}},
    {Opcode::redux_sync, "redux.sync", 1, 1, {type, atomic}},
    {Opcode::shfl_sync, "shfl.sync", 1, 1, {type, shuffle}},
    {Opcode::vote_sync, "vote.sync", 1, 1, {type, vote, sync}},

    {Opcode::ldmatrix, "ldmatrix", 1, 1, kMatrixMove},
    {Opcode::mma_sync, "mma.sync", 1, 4, {type, shape, layout, saturate, aligned, rounding, boolean, atomic}},
    {Opcode::stmatrix, "stmatrix", 0, 1, kMatrixMove},
    {Opcode::suld, "suld", 1, 1, {type, geometry, component, vector, surface_bounds, cache}},
    {Opcode::sust, "sust", 0, 1, {type, geometry, component, vector, surface_bounds, cache}},
    {Opcode::tex, "tex", 1, 2, {type, geometry, mipmap, vector}},
    {Opcode::tld4, "tld4", 1, 2, {type, geometry, component, vector}},
    {Opcode::wmma_load, "wmma.load", 1, 1, kMatrix},
    {Opcode::wmma_mma, "wmma.mma", 1, 4, kMatrix | Kinds{saturate, rounding, boolean, atomic}},
    {Opcode::wmma_store, "wmma.store", 0, 1, kMatrix},

    {Opcode::applypriority, "applypriority", 0, 0, {space, hint}},
    {Opcode::createpolicy, "createpolicy", 1, 1, {type, space, hint, policy}},
    {Opcode::griddepcontrol, "griddepcontrol", 0, 0, {barrier_phase}},
    {Opcode::mapa, "mapa", 1, 1, {type, space, shared_cluster}},
    {Opcode::getctarank, "getctarank", 1, 1, {type, space, shared_cluster}},
    {Opcode::barrier_cluster, "barrier.cluster", 0, 0, {order, aligned, barrier_phase}},
    {Opcode::stackrestore, "stackrestore", 0, 1, kType},
    {Opcode::stacksave, "stacksave", 1, 1, kType},
    {Opcode::alloca_, "alloca", 1, 1, kType},
};

constexpr std::size_t kCount = static_cast<std::size_t>(Opcode::count_);
static_assert(std::size(kTable) == kCount);

constexpr bool table_in_order() {
    for (std::size_t i = 0; i < kCount; ++i) {
        if (static_cast<std::size_t>(kTable[i].opcode) != i) return false;
    }
    return true;
}
static_assert(table_in_order());

std::array<const OpcodeEntry*, kCount> sorted_by_name() {
    std::array<const OpcodeEntry*, kCount> entries{};
    for (std::size_t i = 0; i < kCount; ++i) entries[i] = &kTable[i];
    std::sort(entries.begin(), entries.end(), [](auto* a, auto* b) { return a->name < b->name; });
    return entries;
}

}  // namespace

const OpcodeEntry& entry_of(Opcode opcode) {
    const auto index = static_cast<std::size_t>(opcode);
    return kTable[index < kCount ? index : 0];
}

const OpcodeEntry* find_opcode(std::string_view name) {
    static const auto entries = sorted_by_name();
    const auto place = std::lower_bound(entries.begin(), entries.end(), name, [](auto* entry, auto key) { return entry->name < key; });
    const bool found = place != entries.end() && (*place)->name == name && (*place)->opcode != Opcode::unknown;
    return found ? *place : nullptr;
}

}  // namespace optiml::ptx
