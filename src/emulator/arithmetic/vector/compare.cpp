// setp of integers, f32 and f64: an instance for each comparison.

#include "emulator/arithmetic/vector/find.h"
#include "emulator/arithmetic/vector/tests.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::Compare;
using ptx::Opcode;
using ptx::Type;

struct Equal {
    template <class T> bool operator()(T a, T b) const { return a == b; }
};
struct Less {
    template <class T> bool operator()(T a, T b) const { return a < b; }
};
struct LessEqual {
    template <class T> bool operator()(T a, T b) const { return a <= b; }
};
struct Greater {
    template <class T> bool operator()(T a, T b) const { return a > b; }
};
struct GreaterEqual {
    template <class T> bool operator()(T a, T b) const { return a >= b; }
};
struct Apart {  // ordered and not equal
    template <class T> bool operator()(T a, T b) const { return a < b || a > b; }
};
struct Numbers {
    template <class T> bool operator()(T a, T b) const { return a == a && b == b; }
};
template <class Test>
struct Opposite {
    template <class T> bool operator()(T a, T b) const { return !Test()(a, b); }
};
template <class Test>
struct OnFlushed {
    template <class T> bool operator()(T a, T b) const { return Test()(flushed(a), flushed(b)); }
};

// p = test op c, q = !test op c.
template <class Test, class T>
void set_predicates(const LaneOperands& operands, LaneMask active) {
    const LaneMask holds = test_lanes<Test, T>(operands);
    write_predicate(operands.destinations[0], combined(operands, holds), active);
    if (operands.destination_count > 1) write_predicate(operands.destinations[1], combined(operands, ~holds), active);
}

template <class T>
LaneFunction find_equality(Compare compare) {
    switch (compare) {
        case Compare::eq: return set_predicates<Equal, T>;
        case Compare::ne: return set_predicates<Opposite<Equal>, T>;
        default: return nullptr;
    }
}

template <class T>
LaneFunction find_integer_order(Compare compare) {
    switch (compare) {
        case Compare::lt: case Compare::lo: return set_predicates<Less, T>;
        case Compare::le: case Compare::ls: return set_predicates<LessEqual, T>;
        case Compare::gt: case Compare::hi: return set_predicates<Greater, T>;
        case Compare::ge: case Compare::hs: return set_predicates<GreaterEqual, T>;
        default: return find_equality<std::make_unsigned_t<T>>(compare);
    }
}

// The unordered tests (equ, ltu, ...) hold where the opposite ordered one does not.
template <class T, template <class> class Adjusted>
LaneFunction find_float_order(Compare compare) {
    switch (compare) {
        case Compare::eq: return set_predicates<Adjusted<Equal>, T>;
        case Compare::lt: return set_predicates<Adjusted<Less>, T>;
        case Compare::le: return set_predicates<Adjusted<LessEqual>, T>;
        case Compare::gt: return set_predicates<Adjusted<Greater>, T>;
        case Compare::ge: return set_predicates<Adjusted<GreaterEqual>, T>;
        case Compare::ne: return set_predicates<Adjusted<Apart>, T>;
        case Compare::num: return set_predicates<Numbers, T>;
        case Compare::equ: return set_predicates<Opposite<Adjusted<Apart>>, T>;
        case Compare::neu: return set_predicates<Opposite<Adjusted<Equal>>, T>;
        case Compare::geu: return set_predicates<Opposite<Adjusted<Less>>, T>;
        case Compare::gtu: return set_predicates<Opposite<Adjusted<LessEqual>>, T>;
        case Compare::leu: return set_predicates<Opposite<Adjusted<Greater>>, T>;
        case Compare::ltu: return set_predicates<Opposite<Adjusted<GreaterEqual>>, T>;
        case Compare::nan: return set_predicates<Opposite<Numbers>, T>;
        default: return nullptr;
    }
}
template <class Test>
using Unchanged = Test;

}  // namespace

LaneFunction find_compare(const Form& form) {
    if (form.opcode != Opcode::setp) return nullptr;
    const Compare compare = form.modifiers.compare;
    switch (form.type) {
        case Type::b16: return find_equality<std::uint16_t>(compare);
        case Type::b32: return find_equality<std::uint32_t>(compare);
        case Type::b64: return find_equality<std::uint64_t>(compare);
        case Type::u16: return find_integer_order<std::uint16_t>(compare);
        case Type::u32: return find_integer_order<std::uint32_t>(compare);
        case Type::u64: return find_integer_order<std::uint64_t>(compare);
        case Type::s16: return find_integer_order<std::int16_t>(compare);
        case Type::s32: return find_integer_order<std::int32_t>(compare);
        case Type::s64: return find_integer_order<std::int64_t>(compare);
        case Type::f32:
            return form.modifiers.ftz ? find_float_order<float, OnFlushed>(compare) : find_float_order<float, Unchanged>(compare);
        case Type::f64: return find_float_order<double, Unchanged>(compare);
        default: return nullptr;
    }
}

}  // namespace optiml::emulator::OPTIML_LEVEL
