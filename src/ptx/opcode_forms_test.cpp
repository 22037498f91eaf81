// Every opcode form seen in 508 public CUDA programs decodes, and into modifiers that spell the same words again.

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ptx/opcode.h"

namespace optiml::ptx {
namespace {

constexpr const char* kForms =
    "ret "
    "mov.u32 mov.f32 mov.u64 mov.b32 mov.f64 mov.u16 mov.b64 mov.pred mov.s32 mov.b16 "
    "ld.param.u64 ld.param.u32 ld.global.f32 ld.global.nc.f32 ld.global.u32 ld.param.f32 ld.global.nc.u32 ld.shared.f32 "
    "ld.shared.u32 ld.global.f64 ld.global.nc.f64 ld.param.f64 ld.global.nc.u8 ld.local.u32 ld.shared.f64 ld.global.nc.u64 "
    "ld.global.u8 ld.global.u64 ld.global.nc.u16 ld.shared.v4.u32 ld.param.s8 ld.shared.u64 ld.global.v4.u32 "
    "ld.global.nc.v4.f32 ld.shared.u8 ld.param.b32 ld.global.u16 ld.shared.v4.f32 ld.global.v4.f32 ld.shared.u16 "
    "ld.volatile.shared.u32 ld.global.nc.v4.u32 ld.local.f32 ld.global.nc.v2.f64 ld.local.u64 ld.volatile.global.u32 "
    "ld.const.f32 ld.global.nc.v2.f32 ld.local.f64 ld.local.u8 ld.global.s8 ld.global.v2.u32 ld.shared.v2.u32 "
    "ld.global.v2.f32 ld.shared.v2.f32 ld.param.u8 ld.relaxed.gpu.v2.u32 ld.param.v2.u32 ld.global.nc.v2.u32 ld.f32 "
    "ld.volatile.shared.f32 ld.shared.s32 ld.param.v4.u8 ld.global.v4.u8 ld.shared.v2.f64 ld.shared.v4.u8 ld.global.s32 "
    "ld.const.u32 ld.relaxed.sys.b32 ld.global.nc.v4.u8 ld.global.nc.v2.u64 ld.local.v2.f64 ld.relaxed.sys.b64 "
    "ld.shared.v2.u16 ld.shared.v2.u64 ld.const.f64 ld.u64 ld.u32 ld.f64 ld.shared.s16 "
    "cvta.to.global.u64 cvta.global.u64 cvta.local.u64 cvta.shared.u64 cvta.to.local.u64 "
    "add.s64 add.s32 add.f32 add.u64 add.f64 add.s16 add.rn.f64 add.rn.f32 add.ftz.f32 add.cc.u32 add.f16 add.f16x2 add.u32 "
    "add.rz.f32 add.rz.ftz.f32 add.rp.f64 add.rm.f64 "
    "st.global.f32 st.global.u32 st.shared.u32 st.shared.f32 st.global.f64 st.global.u8 st.global.u64 st.local.u32 "
    "st.global.u16 st.shared.u64 st.shared.f64 st.global.v4.u32 st.param.b32 st.global.v4.f32 st.shared.v4.u32 "
    "st.global.v2.u32 st.shared.u8 st.param.f64 st.local.u64 st.param.b64 st.volatile.shared.u32 st.shared.u16 "
    "st.volatile.global.u32 st.local.f64 st.global.v4.u8 st.local.v2.u32 st.local.v4.u32 st.global.v2.f32 st.shared.v2.u32 "
    "st.local.u8 st.relaxed.gpu.v2.u32 st.local.f32 st.shared.v4.f32 st.shared.v2.f32 st.local.v2.f64 "
    "st.volatile.shared.f32 st.f32 st.f64 st.local.v4.f32 st.global.v2.f64 st.u32 st.global.v4.u16 st.volatile.shared.u64 "
    "st.param.f32 st.volatile.global.f32 st.global.v2.u8 st.u64 st.local.v2.f32 "
    "mul.wide.s32 mul.lo.s32 mul.f32 mul.wide.u32 mul.lo.s64 mul.f64 mul.rn.f32 mul.rn.f64 mul.wide.u16 mul.ftz.f32 "
    "mul.hi.s32 mul.hi.u32 mul.lo.u32 mul.lo.s16 mul.f16 mul.wide.s16 mul.f16x2 mul.hi.u64 mul.rn.ftz.f32 mul.rp.f64 "
    "mul.rm.f64 "
    "setp.ne.s32 setp.eq.s32 setp.lt.s32 setp.ge.s32 setp.lt.u32 setp.gt.s32 setp.gt.u32 setp.lt.f32 setp.ge.u32 "
    "setp.eq.s64 setp.gt.f32 setp.eq.s16 setp.eq.f32 setp.geu.f32 setp.le.s32 setp.lt.u64 setp.ge.u64 setp.ne.s64 "
    "setp.ne.s16 setp.eq.b32 setp.gt.u64 setp.leu.f32 setp.lt.f64 setp.ge.f32 setp.ltu.f32 setp.gtu.f32 setp.eq.f64 "
    "setp.le.u32 setp.lt.s64 setp.gt.f64 setp.neu.f32 setp.ge.s64 setp.gt.s64 setp.le.u64 setp.le.f32 setp.gtu.f64 "
    "setp.ltu.f64 setp.neu.f64 setp.geu.f64 setp.lt.s16 setp.leu.f64 setp.gt.s16 setp.lt.ftz.f32 setp.le.f64 setp.le.s64 "
    "setp.gt.u16 setp.ge.f64 setp.gt.ftz.f32 setp.eq.b64 setp.lt.u16 setp.geu.ftz.f32 setp.ne.u32 setp.leu.ftz.f32 "
    "setp.eq.b16 setp.ge.ftz.f32 setp.eq.ftz.f32 setp.num.f64 setp.ltu.ftz.f32 setp.le.ftz.f32 setp.gtu.ftz.f32 setp.le.u16 "
    "setp.nan.f64 "
    "bra bra.uni "
    "mad.lo.s32 mad.wide.u32 mad.lo.cc.u32 "
    "shl.b32 shl.b64 shl.b16 "
    "sub.s32 sub.f32 sub.s64 sub.f64 sub.s16 sub.ftz.f32 sub.cc.u32 sub.f16x2 sub.f16 sub.u32 "
    "cvt.s64.s32 cvt.u64.u32 cvt.u32.u64 cvt.rn.f32.s32 cvt.rzi.s32.f32 cvt.u32.u16 cvt.u16.u32 cvt.rn.f32.u32 "
    "cvt.rn.f32.f64 cvt.sat.f32.f32 cvt.rn.f64.s32 cvt.rzi.u32.f32 cvt.f64.f32 cvt.rn.f16.f32 cvt.rmi.f32.f32 cvt.f32.f16 "
    "cvt.rni.f32.f32 cvt.rni.s32.f32 cvt.rzi.f32.f32 cvt.rn.f64.s64 cvt.u64.u16 cvt.rn.f32.u16 cvt.s32.s8 cvt.rzi.s32.f64 "
    "cvt.u16.u64 cvt.s16.s8 cvt.rzi.f64.f64 cvt.rni.s32.f64 cvt.s32.s16 cvt.rn.f64.u32 cvt.rn.f64.u64 cvt.rn.f32.s16 "
    "cvt.rn.bf16.f32 cvt.rn.f16.s32 cvt.rpi.f32.f32 cvt.s64.s8 cvt.rn.f32.s64 cvt.rzi.ftz.s32.f32 cvt.rzi.u32.f64 "
    "cvt.rm.f32.s32 cvt.rp.f32.s32 cvt.rz.f32.s32 cvt.rni.f64.f64 cvt.rn.f16x2.f32 cvt.rn.bf16x2.f32 cvt.rn.f64.u16 "
    "cvt.rmi.s32.f32 cvt.rmi.f64.f64 "
    "and.b32 and.pred and.b64 and.b16 "
    "or.pred or.b32 or.b64 or.b16 "
    "shr.u32 shr.s32 shr.u64 shr.s64 shr.u16 shr.s16 shr.b32 shr.b64 "
    "selp.b32 selp.f32 selp.u32 selp.b64 selp.f64 selp.u16 selp.u64 selp.b16 selp.s32 "
    "fma.rn.f32 fma.rn.f64 fma.rm.f32 fma.rn.ftz.f32 fma.rn.f16x2 fma.rn.bf16x2 fma.rn.bf16 fma.rn.f16 "
    "div.rn.f32 div.u32 div.s32 div.rn.f64 div.approx.ftz.f32 div.u64 div.s64 div.approx.f32 div.rp.f64 div.rm.f64 div.u16 "
    "bar.sync bar.warp.sync bar.red.or.pred bar.red.and.pred "
    "not.b32 not.pred not.b64 not.b16 "
    "neg.s32 neg.f32 neg.f64 neg.s64 neg.ftz.f32 neg.s16 neg.f16 neg.f16x2 "
    "max.s32 max.f32 max.u32 max.f64 max.s64 max.u64 max.u16 max.ftz.f32 max.f16 max.bf16 "
    "xor.b32 xor.pred xor.b64 xor.b16 "
    "abs.f32 abs.f64 abs.s32 abs.ftz.f32 abs.f16 abs.bf16 "
    "atom.global.add.u32 atom.global.add.f32 atom.shared.add.u32 atom.global.cas.b32 atom.global.add.f64 "
    "atom.global.max.s32 atom.global.add.u64 atom.global.exch.b32 atom.shared.add.f32 atom.global.min.s32 "
    "atom.global.and.b32 atom.global.inc.u32 atom.global.sys.add.u32 atom.shared.add.f64 atom.global.cas.b64 "
    "atom.shared.max.s32 atom.global.or.b32 atom.global.xor.b32 atom.global.dec.u32 atom.global.sys.exch.b32 "
    "atom.global.sys.max.s32 atom.global.sys.min.s32 atom.global.sys.cas.b32 atom.global.sys.and.b32 atom.global.sys.or.b32 "
    "atom.global.sys.xor.b32 atom.add.noftz.f16x2 atom.global.max.u64 atom.shared.exch.b32 atom.add.release.gpu.u32 "
    "atom.shared.or.b32 atom.global.max.u32 atom.global.min.u32 atom.global.xor.b64 atom.shared.min.s32 "
    "atom.global.sys.inc.u32 atom.global.sys.dec.u32 atom.or.acq_rel.cta.b32 atom.add.u32 atom.add.relaxed.cta.u32 "
    "atom.add.acquire.cta.u32 "
    "min.s32 min.u32 min.f32 min.u64 min.s64 min.f64 min.u16 "
    "rcp.rn.f32 rcp.approx.ftz.f32 rcp.rn.f64 rcp.approx.ftz.f64 "
    "shfl.sync.down.b32 shfl.sync.up.b32 shfl.sync.idx.b32 shfl.sync.bfly.b32 "
    "sqrt.rn.f32 sqrt.rn.f64 sqrt.approx.ftz.f32 "
    "ex2.approx.ftz.f32 ex2.approx.f32 "
    "rem.s32 rem.u32 rem.u64 rem.s64 "
    "bfi.b64 bfi.b32 "
    "call.uni call "
    "barrier.sync "
    "clz.b32 clz.b64 "
    "vote.sync.ballot.b32 vote.sync.any.pred vote.sync.all.pred vote.ballot.sync.b32 "
    "popc.b32 popc.b64 "
    "rsqrt.approx.f32 rsqrt.approx.ftz.f32 rsqrt.approx.ftz.f64 "
    "brev.b32 "
    "copysign.f32 copysign.f64 "
    "membar.cta membar.gl "
    "tex.2d.v4.f32.f32 tex.2d.v4.u32.f32 tex.cube.v4.f32.f32 tex.a2d.v4.f32.f32 tex.3d.v4.f32.f32 tex.level.2d.v4.f32.f32 "
    "prmt.b32 "
    "madc.hi.cc.u32 madc.hi.u32 madc.lo.cc.u32 "
    "addc.u32 addc.cc.u32 "
    "subc.cc.u32 subc.u32 "
    "nanosleep.u32 "
    "lg2.approx.ftz.f32 lg2.approx.f32 "
    "redux.sync.add.s32 redux.sync.add.u32 redux.sync.max.s32 "
    "bfind.shiftamt.u32 "
    "shf.l.wrap.b32 shf.r.clamp.b32 shf.r.wrap.b32 "
    "cos.approx.f32 cos.approx.ftz.f32 "
    "sin.approx.f32 sin.approx.ftz.f32 "
    "activemask.b32 "
    "bmsk.clamp.b32 "
    "exit "
    "cp.async.cg.shared.global cp.async.commit_group cp.async.wait_group cp.async.mbarrier.arrive.shared.b64 "
    "cp.async.ca.shared.global "
    "match.any.sync.b64 match.any.sync.b32 "
    "trap "
    "set.eq.f16.f16 set.gt.f16x2.f16x2 "
    "lop3.b32 "
    "prefetch.global.L2 "
    "sust.b.2d.b32.trap sust.b.2d.v4.b8.trap "
    "vabsdiff4.u32.u32.u32 vabsdiff4.u32.u32.u32.add "
    "vabsdiff2.u32.u32.u32.add "
    "tanh.approx.f32 "
    "red.and.release.cta.b32 "
    "dp4a.s32.s32 dp4a.u32.u32 "
    "mbarrier.init.shared.b64 mbarrier.arrive.shared.b64 mbarrier.test_wait.shared.b64 mbarrier.test_wait.parity.shared.b64 "
    "mbarrier.inval.shared.b64 "
    "fence.sc.cta "
    "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 wmma.load.b.sync.aligned.col.m16n16k16.global.bf16 "
    "wmma.load.c.sync.aligned.row.m16n16k16.f32 wmma.store.d.sync.aligned.row.m16n16k16.global.f32 "
    "wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32 wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32 "
    "wmma.mma.sync.aligned.row.col.m8n8k4.rn.f64.f64.f64.f64 wmma.mma.sync.aligned.row.col.m16n16k16.s32.u8.u8.s32.satfinite "
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16 ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 "
    "stmatrix.sync.aligned.m8n8.x4.shared.b16";

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
    const Words forms = split(kForms, ' ');
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
    for (const std::string& form : split(kForms, ' ')) {
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
