// Decoding of an opcode with its modifiers, driven by two tables: which kinds of modifiers an opcode takes (opcode_table.cpp) and
// of which kind each word is (modifier_words.cpp).

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "ptx/modifier_words.h"
#include "ptx/opcode_table.h"

namespace optiml::ptx {
namespace {

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
        if (const auto known = find_modifier_word(word, entry_->modifiers)) return set(known->kind, known->value);
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
            case ModifierKind::saturate:
                m().saturate = true;
                m().saturate_finite = value == 2;
                break;
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
