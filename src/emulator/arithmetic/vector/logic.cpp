// and or xor not cnot, of integers and of predicates.

#include "emulator/arithmetic/vector/by_type.h"
#include "emulator/arithmetic/vector/find.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::Opcode;

struct And {
    template <class T> T operator()(T a, T b) const { return a & b; }
};
struct Or {
    template <class T> T operator()(T a, T b) const { return a | b; }
};
struct Xor {
    template <class T> T operator()(T a, T b) const { return a ^ b; }
};
struct Not {
    template <class T> T operator()(T a) const { return static_cast<T>(~a); }
};
struct LogicalNot {
    template <class T> T operator()(T a) const { return a == 0 ? 1 : 0; }
};

template <class Operation>
void predicate_logic(const LaneOperands& operands, LaneMask active) {
    write_predicate(operands.destinations[0], Operation()(predicate(operands, 0), predicate(operands, 1)), active);
}

void predicate_not(const LaneOperands& operands, LaneMask active) {
    write_predicate(operands.destinations[0], ~predicate(operands, 0), active);
}

template <class Operation>
LaneFunction find_binary(ptx::Type type) {
    return type == ptx::Type::pred ? predicate_logic<Operation> : by_width<Operation, 2>(type);
}

}  // namespace

LaneFunction find_logic(const Form& form) {
    switch (form.opcode) {
        case Opcode::and_: return find_binary<And>(form.type);
        case Opcode::or_: return find_binary<Or>(form.type);
        case Opcode::xor_: return find_binary<Xor>(form.type);
        case Opcode::not_: return form.type == ptx::Type::pred ? predicate_not : by_width<Not, 1>(form.type);
        case Opcode::cnot: return by_width<LogicalNot, 1>(form.type);
        default: return nullptr;
    }
}

}  // namespace optiml::emulator::OPTIML_LEVEL
