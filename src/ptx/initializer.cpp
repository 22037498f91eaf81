#include "ptx/initializer.h"

#include <algorithm>
#include <bit>

#include "ptx/constant_expression.h"

namespace optiml::ptx {
namespace {

// Gaps between nested lists are stored, so that a few braces could ask for any amount.
constexpr std::uint64_t kMaxInitialBytes = std::uint64_t{64} << 20;

class InitializerParser {
public:
    InitializerParser(Cursor& cursor, std::uint32_t element_bytes, const std::vector<std::uint64_t>& dimensions,
                      DeclaredVariable& declared)
        : cursor_(cursor), element_bytes_(element_bytes), dimensions_(dimensions), declared_(declared) {}

    void run() {
        declared_.variable.initialized = true;
        if (dimensions_.empty()) return item(0);
        const std::uint64_t elements = list(0, 0);
        if (elements > kMaxInitialBytes) return cursor_.fail("initial value is too large");
        if (dimensions_[0] == 0) declared_.variable.bytes = elements * element_bytes_;
    }

private:
    std::uint64_t stride(std::size_t level) const {
        std::uint64_t elements = 1;
        for (std::size_t i = level + 1; i < dimensions_.size(); ++i) elements *= dimensions_[i];
        return elements;
    }

    // Elements of dimension `level` from element `first` on; returns the position behind the last one.
    std::uint64_t list(std::size_t level, std::uint64_t first) {
        cursor_.expect('{');
        std::uint64_t position = first;
        while (!cursor_.at_end() && !cursor_.peek().is('}')) {
            if (!cursor_.peek().is('{')) {
                item(position++);
            } else if (level + 1 < dimensions_.size()) {
                list(level + 1, position);
                position += stride(level);
            } else {
                cursor_.fail("more nested braces than dimensions");
            }
            if (!cursor_.peek().is('}')) cursor_.expect(',');
        }
        cursor_.expect('}');
        return position;
    }

    void item(std::uint64_t position) {
        const std::uint64_t offset = position * element_bytes_;
        const bool unsized = !dimensions_.empty() && dimensions_[0] == 0;
        if (!unsized && offset + element_bytes_ > declared_.variable.bytes) return cursor_.fail("more values than elements");
        if (offset > kMaxInitialBytes) return cursor_.fail("initial value is too large");
        const Token& token = cursor_.peek();
        if (token.kind == TokenKind::word) return address(offset);
        if (token.kind == TokenKind::integer && cursor_.peek(1).is('(')) return masked_address(offset);
        store(offset, number());
    }

    std::uint64_t number() {
        const bool negative = cursor_.peek().is('-') && is_float_literal(cursor_.peek(1));
        if (negative) cursor_.take();
        if (!is_float_literal(cursor_.peek())) return parse_constant_expression(cursor_);
        const Token& token = cursor_.take();
        const double value = token.kind == TokenKind::float32
                                 ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(token.value)))
                                 : std::bit_cast<double>(token.value);
        const std::uint64_t sign = negative ? 1 : 0;
        if (element_bytes_ == 4) {
            const std::uint32_t bits = token.kind == TokenKind::float32 ? static_cast<std::uint32_t>(token.value)
                                                                        : std::bit_cast<std::uint32_t>(static_cast<float>(value));
            return bits ^ static_cast<std::uint32_t>(sign << 31);
        }
        return std::bit_cast<std::uint64_t>(value) ^ (sign << 63);
    }

    static bool is_float_literal(const Token& token) {
        return token.kind == TokenKind::float32 || token.kind == TokenKind::float64 || token.kind == TokenKind::decimal;
    }

    void store(std::uint64_t offset, std::uint64_t value) {
        auto& bytes = declared_.variable.initial;
        if (bytes.size() < offset + element_bytes_) bytes.resize(offset + element_bytes_, 0);
        for (std::uint32_t i = 0; i < std::min<std::uint32_t>(element_bytes_, 8); ++i) {
            bytes[offset + i] = static_cast<std::uint8_t>(value >> (8 * i));
        }
    }

    struct Target {
        std::string_view name;
        bool generic = false;
        std::uint64_t addend = 0;
    };

    // `name`, `generic(name)`, either with `+ constant` behind it.
    Target target() {
        Target result;
        result.generic = cursor_.peek().is_word("generic") && cursor_.peek(1).is('(');
        if (result.generic) {
            cursor_.take();
            cursor_.expect('(');
        }
        result.name = cursor_.expect_word("a variable's or function's name");
        if (cursor_.peek().is('+') || cursor_.peek().is('-')) result.addend += parse_constant_expression(cursor_);
        if (result.generic) cursor_.expect(')');
        if (cursor_.peek().is('+') || cursor_.peek().is('-')) result.addend += parse_constant_expression(cursor_);
        return result;
    }

    void address(std::uint64_t offset) {
        const Target place = target();
        add_relocation(offset, element_bytes_, place);
    }

    void add_relocation(std::uint64_t offset, std::uint32_t size, const Target& place) {
        store(offset, 0);
        Variable::Relocation relocation;
        relocation.offset = offset;
        relocation.addend = place.addend;
        relocation.size = size;
        relocation.generic = place.generic;
        declared_.variable.relocations.push_back(relocation);
        declared_.relocation_names.push_back(place.name);
    }

    // `0xFF00(name)`: one byte of an address. The compiler writes all bytes in ascending order; they become one relocation.
    void masked_address(std::uint64_t offset) {
        const std::uint64_t mask = cursor_.take().value;
        const std::uint32_t byte = static_cast<std::uint32_t>(std::countr_zero(mask)) / 8;
        cursor_.expect('(');
        const Target place = target();
        cursor_.expect(')');
        if (element_bytes_ != 1 || mask != std::uint64_t{0xff} << (8 * (byte % 8)))
            return cursor_.fail("address mask is not one byte");
        if (byte == 0) return add_relocation(offset, 1, place);
        auto& relocations = declared_.variable.relocations;
        const bool continues = !relocations.empty() && relocations.back().size == byte &&
                               relocations.back().offset + byte == offset && declared_.relocation_names.back() == place.name &&
                               relocations.back().addend == place.addend;
        if (!continues) return cursor_.fail("bytes of an address are not in order");
        store(offset, 0);
        ++relocations.back().size;
    }

    Cursor& cursor_;
    std::uint32_t element_bytes_;
    const std::vector<std::uint64_t>& dimensions_;
    DeclaredVariable& declared_;
};

}  // namespace

void parse_initializer(Cursor& cursor, std::uint32_t element_bytes, const std::vector<std::uint64_t>& dimensions,
                       DeclaredVariable& declared) {
    InitializerParser(cursor, element_bytes, dimensions, declared).run();
}

}  // namespace optiml::ptx
