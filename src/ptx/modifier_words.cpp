#include "ptx/modifier_words.h"

#include <algorithm>
#include <vector>

namespace optiml::ptx {
namespace {

template <class Enum>
constexpr std::uint8_t value_of(Enum value) {
    return static_cast<std::uint8_t>(value);
}

constexpr ModifierWord kWords[] = {
    {"global", ModifierKind::space, value_of(Space::global)},
    {"shared", ModifierKind::space, value_of(Space::shared)},
    {"shared::cta", ModifierKind::space, value_of(Space::shared)},
    {"shared::cluster", ModifierKind::shared_cluster, value_of(Space::shared)},
    {"local", ModifierKind::space, value_of(Space::local)},
    {"const", ModifierKind::space, value_of(Space::constant)},
    {"param", ModifierKind::space, value_of(Space::param)},
    {"param::entry", ModifierKind::space, value_of(Space::param)},
    {"param::func", ModifierKind::space, value_of(Space::param)},
    {"to", ModifierKind::to, 1},
    {"v2", ModifierKind::vector, 2},
    {"v4", ModifierKind::vector, 4},
    {"v8", ModifierKind::vector, 8},

    {"eq", ModifierKind::compare, value_of(Compare::eq)},
    {"ne", ModifierKind::compare, value_of(Compare::ne)},
    {"lt", ModifierKind::compare, value_of(Compare::lt)},
    {"le", ModifierKind::compare, value_of(Compare::le)},
    {"gt", ModifierKind::compare, value_of(Compare::gt)},
    {"ge", ModifierKind::compare, value_of(Compare::ge)},
    {"lo", ModifierKind::compare, value_of(Compare::lo)},
    {"ls", ModifierKind::compare, value_of(Compare::ls)},
    {"hi", ModifierKind::compare, value_of(Compare::hi)},
    {"hs", ModifierKind::compare, value_of(Compare::hs)},
    {"equ", ModifierKind::compare, value_of(Compare::equ)},
    {"neu", ModifierKind::compare, value_of(Compare::neu)},
    {"ltu", ModifierKind::compare, value_of(Compare::ltu)},
    {"leu", ModifierKind::compare, value_of(Compare::leu)},
    {"gtu", ModifierKind::compare, value_of(Compare::gtu)},
    {"geu", ModifierKind::compare, value_of(Compare::geu)},
    {"num", ModifierKind::compare, value_of(Compare::num)},
    {"nan", ModifierKind::compare, value_of(Compare::nan)},
    {"and", ModifierKind::boolean, value_of(BooleanOperation::and_)},
    {"or", ModifierKind::boolean, value_of(BooleanOperation::or_)},
    {"xor", ModifierKind::boolean, value_of(BooleanOperation::xor_)},

    {"rn", ModifierKind::rounding, value_of(Rounding::rn)},
    {"rz", ModifierKind::rounding, value_of(Rounding::rz)},
    {"rm", ModifierKind::rounding, value_of(Rounding::rm)},
    {"rp", ModifierKind::rounding, value_of(Rounding::rp)},
    {"rna", ModifierKind::rounding, value_of(Rounding::rna)},
    {"rni", ModifierKind::rounding, value_of(Rounding::rni)},
    {"rzi", ModifierKind::rounding, value_of(Rounding::rzi)},
    {"rmi", ModifierKind::rounding, value_of(Rounding::rmi)},
    {"rpi", ModifierKind::rounding, value_of(Rounding::rpi)},
    {"ftz", ModifierKind::ftz, 1},
    {"sat", ModifierKind::saturate, 1},
    {"satfinite", ModifierKind::saturate, 2},
    {"relu", ModifierKind::relu, 1},
    {"NaN", ModifierKind::propagate_nan, 1},
    {"xorsign", ModifierKind::xor_sign, 1},
    {"abs", ModifierKind::xor_sign, 1},
    {"cc", ModifierKind::carry, 1},
    {"lo", ModifierKind::half, value_of(Half::lo)},
    {"hi", ModifierKind::half, value_of(Half::hi)},
    {"wide", ModifierKind::half, value_of(Half::wide)},
    {"l", ModifierKind::half, value_of(Half::left)},
    {"r", ModifierKind::half, value_of(Half::right)},
    {"wrap", ModifierKind::wrap, 1},
    {"clamp", ModifierKind::wrap, 0},
    {"shiftamt", ModifierKind::shift_amount, 1},
    {"approx", ModifierKind::approximation, value_of(Approximation::approx)},
    {"full", ModifierKind::approximation, value_of(Approximation::full)},
    {"f4e", ModifierKind::permute, value_of(PermuteMode::f4e)},
    {"b4e", ModifierKind::permute, value_of(PermuteMode::b4e)},
    {"rc8", ModifierKind::permute, value_of(PermuteMode::rc8)},
    {"ecl", ModifierKind::permute, value_of(PermuteMode::ecl)},
    {"ecr", ModifierKind::permute, value_of(PermuteMode::ecr)},
    {"rc16", ModifierKind::permute, value_of(PermuteMode::rc16)},
    {"finite", ModifierKind::test, value_of(TestProperty::finite)},
    {"infinite", ModifierKind::test, value_of(TestProperty::infinite)},
    {"number", ModifierKind::test, value_of(TestProperty::number)},
    {"notanumber", ModifierKind::test, value_of(TestProperty::notanumber)},
    {"normal", ModifierKind::test, value_of(TestProperty::normal)},
    {"subnormal", ModifierKind::test, value_of(TestProperty::subnormal)},

    {"add", ModifierKind::atomic, value_of(AtomicOperation::add)},
    {"min", ModifierKind::atomic, value_of(AtomicOperation::min)},
    {"max", ModifierKind::atomic, value_of(AtomicOperation::max)},
    {"inc", ModifierKind::atomic, value_of(AtomicOperation::inc)},
    {"dec", ModifierKind::atomic, value_of(AtomicOperation::dec)},
    {"cas", ModifierKind::atomic, value_of(AtomicOperation::cas)},
    {"exch", ModifierKind::atomic, value_of(AtomicOperation::exch)},
    {"and", ModifierKind::atomic, value_of(AtomicOperation::and_)},
    {"or", ModifierKind::atomic, value_of(AtomicOperation::or_)},
    {"xor", ModifierKind::atomic, value_of(AtomicOperation::xor_)},
    {"popc", ModifierKind::atomic, value_of(AtomicOperation::popc)},
    {"noftz", ModifierKind::noftz, 1},
    {"up", ModifierKind::shuffle, value_of(ShuffleMode::up)},
    {"down", ModifierKind::shuffle, value_of(ShuffleMode::down)},
    {"bfly", ModifierKind::shuffle, value_of(ShuffleMode::bfly)},
    {"idx", ModifierKind::shuffle, value_of(ShuffleMode::idx)},
    {"all", ModifierKind::vote, value_of(VoteMode::all)},
    {"any", ModifierKind::vote, value_of(VoteMode::any)},
    {"uni", ModifierKind::vote, value_of(VoteMode::uni)},
    {"ballot", ModifierKind::vote, value_of(VoteMode::ballot)},
    {"any", ModifierKind::match, value_of(MatchMode::any)},
    {"all", ModifierKind::match, value_of(MatchMode::all)},
    {"sync", ModifierKind::sync, 1},
    {"aligned", ModifierKind::aligned, 1},
    {"uni", ModifierKind::uniform, 1},

    {"cta", ModifierKind::scope, value_of(Scope::cta)},
    {"cluster", ModifierKind::scope, value_of(Scope::cluster)},
    {"gpu", ModifierKind::scope, value_of(Scope::gpu)},
    {"gl", ModifierKind::scope, value_of(Scope::gpu)},
    {"sys", ModifierKind::scope, value_of(Scope::sys)},
    {"weak", ModifierKind::order, value_of(MemoryOrder::weak)},
    {"relaxed", ModifierKind::order, value_of(MemoryOrder::relaxed)},
    {"acquire", ModifierKind::order, value_of(MemoryOrder::acquire)},
    {"release", ModifierKind::order, value_of(MemoryOrder::release)},
    {"acq_rel", ModifierKind::order, value_of(MemoryOrder::acq_rel)},
    {"sc", ModifierKind::order, value_of(MemoryOrder::sc)},
    {"volatile", ModifierKind::order, value_of(MemoryOrder::volatile_)},
    {"mmio", ModifierKind::order, value_of(MemoryOrder::mmio)},
    {"nc", ModifierKind::noncoherent, 1},
    {"ca", ModifierKind::cache, value_of(CacheOperator::ca)},
    {"cg", ModifierKind::cache, value_of(CacheOperator::cg)},
    {"cs", ModifierKind::cache, value_of(CacheOperator::cs)},
    {"lu", ModifierKind::cache, value_of(CacheOperator::lu)},
    {"cv", ModifierKind::cache, value_of(CacheOperator::cv)},
    {"wb", ModifierKind::cache, value_of(CacheOperator::wb)},
    {"wt", ModifierKind::cache, value_of(CacheOperator::wt)},
    {"L1::evict_first", ModifierKind::cache, value_of(CacheOperator::cs)},
    {"L1::no_allocate", ModifierKind::cache, value_of(CacheOperator::cg)},
    {"L1::evict_normal", ModifierKind::hint, 0},
    {"L1::evict_unchanged", ModifierKind::hint, 0},
    {"L1::evict_last", ModifierKind::hint, 0},
    {"L2::evict_first", ModifierKind::hint, 0},
    {"L2::evict_normal", ModifierKind::hint, 0},
    {"L2::evict_last", ModifierKind::hint, 0},
    {"L2::evict_unchanged", ModifierKind::hint, 0},
    {"L2::cache_hint", ModifierKind::hint, 0},
    {"L2::64B", ModifierKind::hint, 0},
    {"L2::128B", ModifierKind::hint, 0},
    {"L2::256B", ModifierKind::hint, 0},
    {"L1", ModifierKind::hint, 0},
    {"L2", ModifierKind::hint, 0},
    {"fractional", ModifierKind::policy, 0},
    {"range", ModifierKind::policy, 0},
    {"cvt", ModifierKind::policy, 0},
    {"proxy", ModifierKind::proxy, 0},
    {"alias", ModifierKind::proxy, 0},
    {"async", ModifierKind::proxy, 0},
    {"mbarrier_init", ModifierKind::proxy, 0},

    {"1d", ModifierKind::geometry, value_of(Geometry::d1)},
    {"2d", ModifierKind::geometry, value_of(Geometry::d2)},
    {"3d", ModifierKind::geometry, value_of(Geometry::d3)},
    {"a1d", ModifierKind::geometry, value_of(Geometry::a1d)},
    {"a2d", ModifierKind::geometry, value_of(Geometry::a2d)},
    {"cube", ModifierKind::geometry, value_of(Geometry::cube)},
    {"acube", ModifierKind::geometry, value_of(Geometry::acube)},
    {"base", ModifierKind::mipmap, value_of(MipmapMode::base)},
    {"level", ModifierKind::mipmap, value_of(MipmapMode::level)},
    {"grad", ModifierKind::mipmap, value_of(MipmapMode::grad)},
    {"r", ModifierKind::component, 'r'},
    {"g", ModifierKind::component, 'g'},
    {"b", ModifierKind::component, 'b'},
    {"a", ModifierKind::component, 'a'},
    {"p", ModifierKind::component, 'p'},
    {"trap", ModifierKind::surface_bounds, value_of(SurfaceBounds::trap)},
    {"clamp", ModifierKind::surface_bounds, value_of(SurfaceBounds::clamp)},
    {"zero", ModifierKind::surface_bounds, value_of(SurfaceBounds::zero)},

    {"row", ModifierKind::layout, value_of(MatrixLayout::row)},
    {"col", ModifierKind::layout, value_of(MatrixLayout::col)},
    {"a", ModifierKind::fragment, value_of(MatrixFragment::a)},
    {"b", ModifierKind::fragment, value_of(MatrixFragment::b)},
    {"c", ModifierKind::fragment, value_of(MatrixFragment::c)},
    {"d", ModifierKind::fragment, value_of(MatrixFragment::d)},
    {"x1", ModifierKind::matrix_count, 1},
    {"x2", ModifierKind::matrix_count, 2},
    {"x4", ModifierKind::matrix_count, 4},
    {"trans", ModifierKind::transpose, 1},
    {"parity", ModifierKind::parity, 1},
    {"noComplete", ModifierKind::no_complete, 1},
    {"noinc", ModifierKind::no_increment, 1},
    {"expect_tx", ModifierKind::expect_tx, 1},
    {"arrive", ModifierKind::barrier_phase, 'a'},
    {"wait", ModifierKind::barrier_phase, 'w'},
    {"launch_dependents", ModifierKind::barrier_phase, 0},
    {"inc", ModifierKind::barrier_phase, 0},
    {"dec", ModifierKind::barrier_phase, 0},
};

// kWords and the types, sorted by word.
std::vector<ModifierWord> sorted_words() {
    std::vector<ModifierWord> words(std::begin(kWords), std::end(kWords));
    for (int type = value_of(Type::pred); type <= value_of(Type::f32x2); ++type) {
        words.push_back({name_of(static_cast<Type>(type)), ModifierKind::type, static_cast<std::uint8_t>(type)});
    }
    std::stable_sort(words.begin(), words.end(), [](const auto& a, const auto& b) { return a.word < b.word; });
    return words;
}

}  // namespace

std::optional<ModifierWord> find_modifier_word(std::string_view word, ModifierKinds allowed) {
    static const std::vector<ModifierWord> words = sorted_words();
    auto place = std::lower_bound(words.begin(), words.end(), word, [](const auto& entry, auto key) { return entry.word < key; });
    for (; place != words.end() && place->word == word; ++place) {
        if (allowed.contains(place->kind)) return *place;
    }
    return std::nullopt;
}

}  // namespace optiml::ptx
