// Decoding of an opcode with its modifiers, driven by two tables: which kinds of modifiers an opcode takes (opcode_table.cpp) and of
// which kind each word is.

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "ptx/opcode_table.h"

namespace optiml::ptx {
namespace {

struct ModifierWord {
    std::string_view word;
    ModifierKind kind;
    std::uint8_t value;  // of the enum that belongs to the kind
};

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
    {"satfinite", ModifierKind::saturate, 1},
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

std::optional<ModifierWord> find_word(std::string_view word, ModifierKinds allowed) {
    static const std::vector<ModifierWord> words = sorted_words();
    auto place = std::lower_bound(words.begin(), words.end(), word, [](const auto& entry, auto key) { return entry.word < key; });
    for (; place != words.end() && place->word == word; ++place) {
        if (allowed.contains(place->kind)) return *place;
    }
    return std::nullopt;
}

// "m16n8k16" or "m8n8".
std::optional<MatrixShape> parse_shape(std::string_view word) {
    MatrixShape shape;
    const char letters[] = {'m', 'n', 'k'};
    std::uint16_t* sizes[] = {&shape.m, &shape.n, &shape.k};
    const char* position = word.data();
    const char* end = word.data() + word.size();
    for (int i = 0; i < 3 && position != end; ++i) {
        if (*position != letters[i]) return std::nullopt;
        const auto [last, error] = std::from_chars(position + 1, end, *sizes[i]);
        if (error != std::errc()) return std::nullopt;
        position = last;
    }
    if (position != end || shape.n == 0) return std::nullopt;
    return shape;
}

using Words = std::vector<std::string_view>;

Words split(std::string_view text) {
    Words words;
    for (std::size_t dot; (dot = text.find('.')) != std::string_view::npos; text.remove_prefix(dot + 1)) {
        words.push_back(text.substr(0, dot));
    }
    words.push_back(text);
    return words;
}

class Decoder {
public:
    explicit Decoder(std::string_view text) : words_(split(text)) {}

    DecodedOpcode run() {
        if (!find_entry()) return {};
        for (; next_ < words_.size(); ++next_) {
            if (!apply(words_[next_])) return {};
        }
        if (!finish_types() || !complete()) return {};
        return {entry_->opcode, modifiers_};
    }

private:
    Modifiers& m() { return modifiers_; }

    // The longest run of words that names an opcode.
    bool find_entry() {
        normalise_spelling();
        std::string name;
        for (std::size_t i = 0; i < words_.size() && i < 4; ++i) {
            if (i > 0) name += '.';
            name += words_[i];
            if (const OpcodeEntry* entry = find_opcode(name)) {
                entry_ = entry;
                next_ = i + 1;
            }
        }
        return entry_ != nullptr;
    }

    // barrier.sync and bar.cta.sync are spellings of bar.sync; vote and match may say sync last.
    void normalise_spelling() {
        if (words_.size() < 2) return;
        if (words_[0] == "bar") m().aligned = words_[1] != "warp";
        if (words_[0] == "barrier" && words_[1] != "cluster") words_[0] = "bar";
        if (words_[0] == "bar" && words_[1] == "cta") words_.erase(words_.begin() + 1);
        if (words_[0] == "vote" || words_[0] == "match") {
            const auto sync = std::find(words_.begin(), words_.end(), "sync");
            if (sync != words_.end()) std::rotate(words_.begin() + 1, sync, sync + 1);
        }
    }

    bool apply(std::string_view word) {
        if (const auto known = find_word(word, entry_->modifiers)) return set(known->kind, known->value);
        if (!entry_->modifiers.contains(ModifierKind::shape)) return false;
        const auto shape = parse_shape(word);
        if (shape) m().shape = *shape;
        return shape.has_value();
    }

    bool set(ModifierKind kind, std::uint8_t value) {
        switch (kind) {
            case ModifierKind::type: return add_type(static_cast<Type>(value));
            case ModifierKind::shared_cluster: m().shared_cluster = true; [[fallthrough]];
            case ModifierKind::space: return add_space(static_cast<Space>(value));
            case ModifierKind::layout: return add_layout(static_cast<MatrixLayout>(value));
            case ModifierKind::to: m().to = true; break;
            case ModifierKind::vector: m().vector = value; break;
            case ModifierKind::compare: m().compare = static_cast<Compare>(value); break;
            case ModifierKind::boolean: m().boolean = static_cast<BooleanOperation>(value); break;
            case ModifierKind::rounding: m().rounding = static_cast<Rounding>(value); break;
            case ModifierKind::ftz: m().ftz = true; break;
            case ModifierKind::saturate: m().saturate = true; break;
            case ModifierKind::relu: m().relu = true; break;
            case ModifierKind::propagate_nan: m().propagate_nan = true; break;
            case ModifierKind::xor_sign: m().xor_sign_abs = true; break;
            case ModifierKind::carry: m().carry_out = true; break;
            case ModifierKind::half: m().half = static_cast<Half>(value); break;
            case ModifierKind::approximation: m().approximation = static_cast<Approximation>(value); break;
            case ModifierKind::atomic: m().atomic = static_cast<AtomicOperation>(value); break;
            case ModifierKind::shuffle: m().shuffle = static_cast<ShuffleMode>(value); break;
            case ModifierKind::vote: m().vote = static_cast<VoteMode>(value); break;
            case ModifierKind::match: m().match = static_cast<MatchMode>(value); break;
            case ModifierKind::permute: m().permute = static_cast<PermuteMode>(value); break;
            case ModifierKind::scope: m().scope = static_cast<Scope>(value); break;
            case ModifierKind::order: m().order = static_cast<MemoryOrder>(value); break;
            case ModifierKind::noncoherent: m().noncoherent = true; break;
            case ModifierKind::uniform: m().uniform = true; break;
            case ModifierKind::wrap: (value != 0 ? m().wrap : m().clear) = true; break;
            case ModifierKind::shift_amount: m().shift_amount = true; break;
            case ModifierKind::noftz: m().noftz = true; break;
            case ModifierKind::aligned: m().aligned = true; break;
            case ModifierKind::cache: m().cache = static_cast<CacheOperator>(value); break;
            case ModifierKind::geometry: m().geometry = static_cast<Geometry>(value); break;
            case ModifierKind::mipmap: m().mipmap = static_cast<MipmapMode>(value); break;
            case ModifierKind::component: m().component = static_cast<char>(value); break;
            case ModifierKind::surface_bounds: m().bounds = static_cast<SurfaceBounds>(value); break;
            case ModifierKind::fragment: m().fragment = static_cast<MatrixFragment>(value); break;
            case ModifierKind::matrix_count: m().matrix_count = value; break;
            case ModifierKind::transpose: m().transpose = true; break;
            case ModifierKind::parity: m().parity = true; break;
            case ModifierKind::no_complete: m().no_complete = true; break;
            case ModifierKind::no_increment: m().no_increment = true; break;
            case ModifierKind::expect_tx: m().expect_tx = true; break;
            case ModifierKind::test: m().test = static_cast<TestProperty>(value); break;
            case ModifierKind::barrier_phase: set_phase(value); break;
            case ModifierKind::sync:
            case ModifierKind::hint:
            case ModifierKind::proxy:
            case ModifierKind::policy:
            case ModifierKind::shape: break;
        }
        return true;
    }

    void set_phase(std::uint8_t value) {
        if (value == 'a') m().arrive = true;
        if (value == 'w') m().wait = true;
    }

    bool add_type(Type type) {
        if (type_count_ == entry_->types) return false;
        types_[type_count_++] = type;
        return true;
    }

    bool add_space(Space space) {
        if (space_count_++ == 0) {
            m().space = space;
            return true;
        }
        m().to_space = space;
        return space_count_ == 2 && entry_->opcode == Opcode::cp_async;
    }

    bool add_layout(MatrixLayout layout) {
        MatrixLayout& place = m().layout_a == MatrixLayout::none ? m().layout_a : m().layout_b;
        place = layout;
        return true;
    }

    bool finish_types() {
        const Opcode opcode = entry_->opcode;
        if (opcode == Opcode::wmma_mma && type_count_ == 2) {
            types_[3] = types_[1];
            types_[1] = types_[2] = Type::f16;
            type_count_ = 4;
        }
        if (type_count_ != entry_->types) return false;
        if (opcode == Opcode::dp2a || opcode == Opcode::dp4a) {
            types_[2] = types_[1];
            types_[1] = types_[0];
            types_[0] = is_signed(types_[1]) || is_signed(types_[2]) ? Type::s32 : Type::u32;
        }
        m().type = types_[0];
        m().source_type = opcode == Opcode::setp ? types_[0] : types_[1];
        m().third_type = types_[2];
        m().fourth_type = types_[3];
        return true;
    }

    // What an instruction cannot do without.
    bool complete() const {
        switch (entry_->opcode) {
            case Opcode::set:
            case Opcode::setp: return modifiers_.compare != Compare::none;
            case Opcode::atom:
            case Opcode::red:
            case Opcode::redux_sync:
            case Opcode::bar_red: return modifiers_.atomic != AtomicOperation::none;
            case Opcode::shfl_sync: return modifiers_.shuffle != ShuffleMode::none;
            case Opcode::vote_sync: return modifiers_.vote != VoteMode::none;
            case Opcode::match_sync: return modifiers_.match != MatchMode::none;
            case Opcode::cvta:
            case Opcode::isspacep: return modifiers_.space != Space::generic;
            case Opcode::cp_async: return modifiers_.space == Space::shared && modifiers_.to_space == Space::global;
            case Opcode::mma_sync:
            case Opcode::wmma_mma: return modifiers_.shape.k != 0;
            default: return true;
        }
    }

    Words words_;
    const OpcodeEntry* entry_ = nullptr;
    std::size_t next_ = 0;
    Modifiers modifiers_;
    Type types_[4] = {};
    std::size_t type_count_ = 0;
    int space_count_ = 0;
};

}  // namespace

DecodedOpcode decode_opcode(std::string_view text) { return Decoder(text).run(); }

}  // namespace optiml::ptx
