#include <fmt/format.h>

#include "task/expression_node.h"

namespace optiml::task {
namespace {

Binding tighter(Binding binding) { return static_cast<Binding>(static_cast<int>(binding) + 1); }

struct Printed {
    std::string text;
    Binding binding;
};

// Constants up to here are written as int in C++: a product of three of them still fits.
constexpr std::int64_t kPlainConstant = 1024;

class Printer {
public:
    explicit Printer(bool cpp) : cpp_(cpp) {}

    std::string print(const ExpressionNode& node, Binding place) const {
        Printed printed = print_bare(node);
        return printed.binding < place ? "(" + printed.text + ")" : std::move(printed.text);
    }

private:
    std::string print_call(const ExpressionNode& node, std::string_view name) const;
    std::string print_constant(std::int64_t constant) const;
    Printed print_bare(const ExpressionNode& node) const;

    bool cpp_;
};

std::string Printer::print_call(const ExpressionNode& node, std::string_view name) const {
    std::string text = fmt::format("{}(", name);
    for (std::size_t i = 0; i < node.children.size(); ++i) {
        text += (i == 0 ? "" : ", ") + print(*node.children[i], Binding::conditional);
    }
    return text + ")";
}

std::string Printer::print_constant(std::int64_t constant) const {
    if (cpp_ && constant == INT64_MIN) return "(-9223372036854775807LL - 1)";
    return fmt::format("{}{}", constant, cpp_ && (constant > kPlainConstant || constant < -kPlainConstant) ? "LL" : "");
}

Printed Printer::print_bare(const ExpressionNode& node) const {
    const auto child = [&](std::size_t index, Binding place) { return print(*node.children[index], place); };
    if (cpp_ && node.op == Operator::power) return {print_call(node, "power"), Binding::primary};
    switch (node.op) {
        case Operator::constant: return {print_constant(node.constant), node.constant < 0 ? Binding::unary : Binding::primary};
        case Operator::name: return {node.name, Binding::primary};
        case Operator::negate: return {"-" + child(0, Binding::unary), Binding::unary};
        case Operator::logical_not: return {"!" + child(0, Binding::unary), Binding::unary};
        case Operator::power: return {child(0, Binding::primary) + "^" + child(1, Binding::unary), Binding::power};
        case Operator::conditional:
            return {child(0, Binding::logical_or) + " ? " + child(1, Binding::conditional) + " : " + child(2, Binding::conditional),
                    Binding::conditional};
        default: break;
    }
    for (const BinaryOperator& binary : binary_operators()) {
        if (binary.op != node.op) continue;
        return {child(0, binary.binding) + fmt::format(" {} ", binary.symbol) + child(1, tighter(binary.binding)), binary.binding};
    }
    for (const NamedFunction& function : named_functions()) {
        if (function.op == node.op) return {print_call(node, function.name), Binding::primary};
    }
    return {};
}

}  // namespace

std::string print_expression(const ExpressionNode& node) { return Printer(false).print(node, Binding::conditional); }

std::string Expression::cpp_text() const { return Printer(true).print(*root_, Binding::conditional); }

}  // namespace optiml::task
