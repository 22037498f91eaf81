#include "ptx/opcode.h"

#include <gtest/gtest.h>

namespace optiml::ptx {
namespace {

struct Row {
    const char* text;
    Opcode opcode;
    bool (*holds)(const Modifiers&);
};

// Words that mean different things after different opcodes, and what a form says without a word for it.
const Row kRows[] = {
    {"mul.lo.s32", Opcode::mul, [](const Modifiers& m) { return m.half == Half::lo && m.compare == Compare::none; }},
    {"mul.wide.u16", Opcode::mul, [](const Modifiers& m) { return m.half == Half::wide && m.type == Type::u16; }},
    {"setp.lo.u32", Opcode::setp, [](const Modifiers& m) { return m.compare == Compare::lo && m.half == Half::none; }},
    {"setp.lt.ftz.f32", Opcode::setp,
     [](const Modifiers& m) { return m.type == Type::f32 && m.source_type == Type::f32 && m.ftz; }},
    {"setp.ge.and.s32", Opcode::setp,
     [](const Modifiers& m) { return m.boolean == BooleanOperation::and_ && m.atomic == AtomicOperation::none; }},
    {"setp.nan.f64", Opcode::setp, [](const Modifiers& m) { return m.compare == Compare::nan && !m.propagate_nan; }},
    {"max.NaN.f16x2", Opcode::max, [](const Modifiers& m) { return m.propagate_nan && m.type == Type::f16x2; }},
    {"min.xorsign.abs.f32", Opcode::min, [](const Modifiers& m) { return m.xor_sign_abs; }},
    {"set.gt.f16x2.bf16x2", Opcode::set,
     [](const Modifiers& m) { return m.type == Type::f16x2 && m.source_type == Type::bf16x2 && m.compare == Compare::gt; }},
    {"shf.l.wrap.b32", Opcode::shf, [](const Modifiers& m) { return m.half == Half::left && m.wrap && !m.clear; }},
    {"shf.r.clamp.b32", Opcode::shf, [](const Modifiers& m) { return m.half == Half::right && !m.wrap; }},
    {"bmsk.clamp.b32", Opcode::bmsk, [](const Modifiers& m) { return m.clear && !m.wrap; }},
    {"cvt.rzi.ftz.s32.f32", Opcode::cvt,
     [](const Modifiers& m) { return m.type == Type::s32 && m.source_type == Type::f32 && m.rounding == Rounding::rzi && m.ftz; }},
    {"cvt.rn.satfinite.e4m3x2.f32", Opcode::cvt, [](const Modifiers& m) { return m.saturate && m.type == Type::e4m3x2; }},
    {"cvt.rn.relu.bf16x2.f32", Opcode::cvt, [](const Modifiers& m) { return m.relu; }},
    {"cvta.to.shared.u64", Opcode::cvta, [](const Modifiers& m) { return m.to && m.space == Space::shared; }},
    {"cvta.const.u64", Opcode::cvta, [](const Modifiers& m) { return !m.to && m.space == Space::constant; }},
    {"isspacep.shared::cluster", Opcode::isspacep, [](const Modifiers& m) { return m.space == Space::shared && m.shared_cluster; }},
    {"ld.f32", Opcode::ld, [](const Modifiers& m) { return m.space == Space::generic && m.vector == 1; }},
    {"ld.param::func.b32", Opcode::ld, [](const Modifiers& m) { return m.space == Space::param; }},
    {"ld.global.nc.L1::no_allocate.L2::128B.v4.f32", Opcode::ld,
     [](const Modifiers& m) { return m.noncoherent && m.cache == CacheOperator::cg && m.vector == 4; }},
    {"ld.acquire.sys.global.u64", Opcode::ld,
     [](const Modifiers& m) { return m.order == MemoryOrder::acquire && m.scope == Scope::sys && m.space == Space::global; }},
    {"st.shared::cta.v2.f64", Opcode::st, [](const Modifiers& m) { return m.space == Space::shared && !m.shared_cluster; }},
    {"atom.add.release.gpu.u32", Opcode::atom,
     [](const Modifiers& m) {
         return m.space == Space::generic && m.order == MemoryOrder::release && m.atomic == AtomicOperation::add;
     }},
    {"atom.global.and.b32", Opcode::atom,
     [](const Modifiers& m) { return m.atomic == AtomicOperation::and_ && m.boolean == BooleanOperation::none; }},
    {"bar.sync", Opcode::bar_sync, [](const Modifiers& m) { return m.aligned; }},
    {"bar.cta.sync", Opcode::bar_sync, [](const Modifiers& m) { return m.aligned; }},
    {"barrier.sync", Opcode::bar_sync, [](const Modifiers& m) { return !m.aligned; }},
    {"barrier.cta.sync.aligned", Opcode::bar_sync, [](const Modifiers& m) { return m.aligned; }},
    {"bar.red.popc.u32", Opcode::bar_red,
     [](const Modifiers& m) { return m.atomic == AtomicOperation::popc && m.type == Type::u32; }},
    {"bar.warp.sync", Opcode::bar_warp_sync, [](const Modifiers& m) { return !m.aligned; }},
    {"barrier.cluster.arrive.release", Opcode::barrier_cluster,
     [](const Modifiers& m) { return m.arrive && !m.wait && m.order == MemoryOrder::release; }},
    {"vote.ballot.sync.b32", Opcode::vote_sync,
     [](const Modifiers& m) { return m.vote == VoteMode::ballot && m.type == Type::b32; }},
    {"vote.sync.uni.pred", Opcode::vote_sync, [](const Modifiers& m) { return m.vote == VoteMode::uni && !m.uniform; }},
    {"match.all.sync.b64", Opcode::match_sync,
     [](const Modifiers& m) { return m.match == MatchMode::all && m.vote == VoteMode::none; }},
    {"membar.sys", Opcode::membar, [](const Modifiers& m) { return m.scope == Scope::sys; }},
    {"membar.gl", Opcode::membar, [](const Modifiers& m) { return m.scope == Scope::gpu; }},
    {"fence.acq_rel.cluster", Opcode::fence, [](const Modifiers& m) { return m.order == MemoryOrder::acq_rel; }},
    {"cp.async.ca.shared.global.L2::128B", Opcode::cp_async,
     [](const Modifiers& m) { return m.space == Space::shared && m.to_space == Space::global && m.cache == CacheOperator::ca; }},
    {"cp.async.mbarrier.arrive.noinc.shared.b64", Opcode::cp_async_mbarrier_arrive,
     [](const Modifiers& m) { return m.no_increment; }},
    {"mbarrier.try_wait.parity.acquire.cta.shared::cta.b64", Opcode::mbarrier_try_wait,
     [](const Modifiers& m) { return m.parity && m.scope == Scope::cta && m.order == MemoryOrder::acquire; }},
    {"mbarrier.arrive.expect_tx.shared.b64", Opcode::mbarrier_arrive, [](const Modifiers& m) { return m.expect_tx; }},
    {"mbarrier.arrive.noComplete.shared.b64", Opcode::mbarrier_arrive, [](const Modifiers& m) { return m.no_complete; }},
    {"dp4a.u32.s32", Opcode::dp4a,
     [](const Modifiers& m) { return m.type == Type::s32 && m.source_type == Type::u32 && m.third_type == Type::s32; }},
    {"dp2a.hi.u32.u32", Opcode::dp2a, [](const Modifiers& m) { return m.type == Type::u32 && m.half == Half::hi; }},
    {"vabsdiff4.u32.s32.u32.add", Opcode::vabsdiff4,
     [](const Modifiers& m) {
         return m.source_type == Type::s32 && m.third_type == Type::u32 && m.atomic == AtomicOperation::add;
     }},
    {"tex.level.a2d.v4.f32.s32", Opcode::tex,
     [](const Modifiers& m) { return m.geometry == Geometry::a2d && m.mipmap == MipmapMode::level && m.source_type == Type::s32; }},
    {"tld4.r.2d.v4.f32.f32", Opcode::tld4, [](const Modifiers& m) { return m.component == 'r' && m.half == Half::none; }},
    {"sust.p.2d.v4.b32.clamp", Opcode::sust,
     [](const Modifiers& m) { return m.component == 'p' && m.bounds == SurfaceBounds::clamp && !m.clear; }},
    {"testp.subnormal.f32", Opcode::testp, [](const Modifiers& m) { return m.test == TestProperty::subnormal; }},
    {"prmt.b32.rc16", Opcode::prmt, [](const Modifiers& m) { return m.permute == PermuteMode::rc16; }},
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", Opcode::mma_sync,
     [](const Modifiers& m) {
         return m.shape == MatrixShape{16, 8, 16} && m.layout_a == MatrixLayout::row && m.layout_b == MatrixLayout::col &&
                m.type == Type::f32 && m.source_type == Type::bf16 && m.fourth_type == Type::f32;
     }},
    {"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc", Opcode::mma_sync,
     [](const Modifiers& m) { return m.boolean == BooleanOperation::xor_ && m.source_type == Type::b1; }},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16", Opcode::wmma_mma,
     [](const Modifiers& m) {
         return m.type == Type::f32 && m.source_type == Type::f16 && m.third_type == Type::f16 && m.fourth_type == Type::f16;
     }},
    {"wmma.load.b.sync.aligned.col.m32n8k16.shared::cta.f16", Opcode::wmma_load,
     [](const Modifiers& m) {
         return m.fragment == MatrixFragment::b && m.layout_a == MatrixLayout::col && m.shape == MatrixShape{32, 8, 16};
     }},
    {"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16", Opcode::ldmatrix,
     [](const Modifiers& m) { return m.matrix_count == 2 && m.transpose && m.shape == MatrixShape{8, 8, 0}; }},
};

TEST(Opcode, WordsMeanWhatTheirOpcodeMakesOfThem) {
    for (const Row& row : kRows) {
        const DecodedOpcode decoded = decode_opcode(row.text);
        EXPECT_EQ(decoded.opcode, row.opcode) << row.text;
        EXPECT_TRUE(row.holds(decoded.modifiers)) << row.text;
    }
}

TEST(Opcode, WhatIsNotUnderstoodInFullIsUnknown) {
    for (const char* text : {"",
                             ".",
                             "frobnicate",
                             "add",
                             "add.f33",
                             "add.f32.f32",
                             "add.f32.hot",
                             "setp.s32",
                             "cvt.f32",
                             "cvt.f32.f32.f32",
                             "shfl.up.b32",
                             "vote.ballot.b32",
                             "atom.global.u32",
                             "cvta.u64",
                             "ld.global.shared.f32",
                             "unknown",
                             "cp.async.bulk.commit_group",
                             "cp.async.ca.shared",
                             "st.async.weak.shared::cluster.b32",
                             "red.async.relaxed.cluster.shared::cluster.add.u32",
                             "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
                             "mma.sync.aligned.m16n8.row.col.f32.f16.f16.f32",
                             "wgmma.fence.sync.aligned",
                             "tcgen05.alloc",
                             "mbarrier.complete_tx.shared.b64",
                             "add.rn.e2m1x2"}) {
        const DecodedOpcode decoded = decode_opcode(text);
        EXPECT_EQ(decoded.opcode, Opcode::unknown) << text;
        EXPECT_EQ(decoded.modifiers.type, Type::none) << text;
    }
}

TEST(Opcode, EveryNameLeadsBack) {
    for (int i = 1; i < static_cast<int>(Opcode::count_); ++i) {
        const auto opcode = static_cast<Opcode>(i);
        EXPECT_FALSE(name_of(opcode).empty());
        for (int j = 1; j < i; ++j) EXPECT_NE(name_of(opcode), name_of(static_cast<Opcode>(j)));
    }
    for (int i = 1; i <= static_cast<int>(Type::f32x2); ++i) {
        const auto type = static_cast<Type>(i);
        EXPECT_EQ(find_type(name_of(type)), type);
    }
}

TEST(Opcode, TypesHaveWidthsAndKinds) {
    EXPECT_EQ(bits_of(Type::none), 0u);
    EXPECT_EQ(bits_of(Type::pred), 1u);
    EXPECT_EQ(bits_of(Type::e4m3x2), 16u);
    EXPECT_EQ(bits_of(Type::bf16x2), 32u);
    EXPECT_EQ(bits_of(Type::tf32), 32u);
    EXPECT_EQ(bits_of(Type::b128), 128u);
    EXPECT_TRUE(is_float(Type::bf16));
    EXPECT_FALSE(is_float(Type::b32));
    EXPECT_TRUE(is_signed(Type::s8));
    EXPECT_FALSE(is_signed(Type::u64));
    EXPECT_FALSE(is_signed(Type::f32));
}

}  // namespace
}  // namespace optiml::ptx
