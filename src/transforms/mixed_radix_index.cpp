#include "transforms/mixed_radix_index.h"

#include <algorithm>

#include <fmt/format.h>

#include "transforms/plan_rewrite.h"
#include "transforms/polynomial_text.h"

namespace optiml::transforms {
namespace {

using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::none;
using cuda_source::Polynomial;
using cuda_source::StatementId;
using cuda_source::StatementKind;
using cuda_source::VariableId;

// The quotient of two polynomials where the divisor is one term and divides every term; nullopt otherwise.
std::optional<Polynomial> quotient(const Polynomial& dividend, const Polynomial& divisor) {
    if (divisor.terms.size() != 1 || dividend.terms.empty()) return std::nullopt;
    const auto& [factors, coefficient] = *divisor.terms.begin();
    Polynomial result;
    for (const auto& [product, value] : dividend.terms) {
        if (value % coefficient != 0) return std::nullopt;
        auto symbols = product;
        for (const auto& factor : factors) {
            const auto found = std::find(symbols.begin(), symbols.end(), factor);
            if (found == symbols.end()) return std::nullopt;
            symbols.erase(found);
        }
        result.terms[symbols] = value / coefficient;
    }
    return result;
}

class IndexReader {
public:
    IndexReader(const Context& context, std::size_t kernel, const KernelTree& tree)
        : context_(context), kernel_(kernel), tree_(tree), source_(context.source) {}

    std::optional<MixedRadixIndex> read() {
        const auto block = constant_block(context_, kernel_);
        if (!block || (*block)[1] != 1 || (*block)[2] != 1) return std::nullopt;
        const ThreadMapping mapping = thread_mapping(tree_);
        auto body = element_body(context_, kernel_, tree_, mapping, 0);
        if (!body || !body->own_guard || mapping.guards.size() != 1) return std::nullopt;
        index_.body = std::move(*body);
        if (!collect(guarded_statements(tree_, mapping)) || !order_digits()) return std::nullopt;
        const Guard& guard = mapping.guards.front();
        if (!guard.returns) {
            const StatementId inside = source_.statements[guard.statement].children[0];
            if (source_.statements[inside].kind == StatementKind::compound) index_.block = inside;
        }
        return std::move(index_);
    }

private:
    Polynomial value_of(ExpressionId id) const { return cuda_source::polynomial_of(source_, context_.kernels[kernel_].function, id); }

    struct Quotient {
        bool is_of_index = false;
        Polynomial divisor{1};
    };

    // i, i / a, i / a / b, or a local that holds one of these: the product of the divisors.
    Quotient quotient_of(ExpressionId id) const {
        id = without_implicit_casts(source_, id);
        const auto& node = source_.expressions[id];
        if (node.kind == ExpressionKind::variable) {
            if (node.variable == index_.body.index.variable) return {true, Polynomial(1)};
            const auto& variable = source_.variables[node.variable];
            if (variable.is_written || variable.initializer == none || variable.storage != cuda_source::Storage::local) return {};
            return quotient_of(variable.initializer);
        }
        if (node.kind != ExpressionKind::binary || node.op != "/") return {};
        Quotient inner = quotient_of(node.children[0]);
        if (inner.is_of_index) inner.divisor = inner.divisor * value_of(node.children[1]);
        return inner;
    }

    // i / weight % radix, or i / weight for the slowest digit (its radix is found later).
    std::optional<Digit> digit_of(VariableId variable, StatementId declaration) const {
        const auto& local = source_.variables[variable];
        if (local.is_written || local.initializer == none) return std::nullopt;
        const ExpressionId value = without_implicit_casts(source_, local.initializer);
        const auto& node = source_.expressions[value];
        const bool has_radix = node.kind == ExpressionKind::binary && node.op == "%";
        const Quotient found = quotient_of(has_radix ? node.children[0] : value);
        if (!found.is_of_index) return std::nullopt;
        Digit digit{.variable = variable, .declaration = declaration, .weight = found.divisor};
        if (has_radix) {
            digit.radix_expression = node.children[1];
            digit.radix = as_operand(source_, node.children[1]);
        }
        return digit;
    }

    // The first statements declare digits, one each; the index itself may be used anywhere behind.
    bool collect(const std::vector<StatementId>& statements) {
        auto next = statements.begin();
        for (; next != statements.end(); ++next) {
            const auto& statement = source_.statements[*next];
            if (statement.kind != StatementKind::declaration || statement.variables.size() != 1 || statement.in_macro) break;
            const auto digit = digit_of(statement.variables.front(), *next);
            if (!digit) break;
            index_.digits.push_back(*digit);
            radices_.push_back(digit->radix.empty() ? Polynomial() : value_of(digit->radix_expression));
        }
        index_.elements.assign(next, statements.end());
        return !index_.elements.empty() && index_.digits.size() >= 2;
    }

    // Each digit's weight is the product of the radices before it, and the bound the product of all.
    bool order_digits() {
        std::vector<Digit> ordered;
        Polynomial weight(1);
        for (std::size_t place = 0; place < index_.digits.size(); ++place) {
            const auto found = std::find_if(index_.digits.begin(), index_.digits.end(), [&](const Digit& digit) { return digit.weight == weight; });
            if (found == index_.digits.end()) return false;
            ordered.push_back(*found);
            const Polynomial radix = radices_[static_cast<std::size_t>(found - index_.digits.begin())];
            const bool is_last = place + 1 == index_.digits.size();
            if (found->radix.empty() != is_last) return is_last && bound_closes(weight * radix) && finish(std::move(ordered));
            weight = is_last ? weight : weight * radix;
        }
        const auto top = quotient(value_of(index_.body.index.bound), weight);
        const auto text = top ? polynomial_text(source_, *top) : std::nullopt;
        if (!text || top->terms.size() != 1) return false;
        ordered.back().radix = *text;
        ordered.back().radix_value = *top;
        return finish(std::move(ordered));
    }

    // The slowest digit may have a remainder of its own, which then changes nothing.
    bool bound_closes(const Polynomial& product) const { return value_of(index_.body.index.bound) == product; }

    bool finish(std::vector<Digit> ordered) {
        index_.digits = std::move(ordered);
        return true;
    }

    const Context& context_;
    std::size_t kernel_;
    const KernelTree& tree_;
    const cuda_source::SourceFile& source_;
    MixedRadixIndex index_;
    std::vector<Polynomial> radices_;
};

}  // namespace

std::optional<MixedRadixIndex> mixed_radix_index(const Context& context, std::size_t kernel, const KernelTree& tree) {
    return IndexReader(context, kernel, tree).read();
}

std::optional<task::Expression> radix_in_plan(const Context& context, std::size_t kernel, std::size_t step, const Digit& digit) {
    if (digit.radix_expression != none) return plan_expression(context, kernel, step, digit.radix_expression);
    const auto& [symbols, coefficient] = *digit.radix_value.terms.begin();
    task::Expression product(coefficient);
    for (const auto& symbol : symbols) {
        if (symbol.kind != cuda_source::Symbol::Kind::variable) return std::nullopt;
        const auto value = argument_in_plan(context, kernel, step, symbol.variable);
        if (!value) return std::nullopt;
        product = product * *value;
    }
    return product;
}

std::string recomposed(const Context& context, const MixedRadixIndex& index, std::size_t from) {
    std::string text = context.source.variables[index.digits.back().variable].name;
    for (std::size_t place = index.digits.size() - 1; place-- > from;) {
        const std::string& name = context.source.variables[index.digits[place].variable].name;
        const bool is_sum = text.find(' ') != std::string::npos;
        const std::string factor = is_sum ? fmt::format("({})", text) : text;
        text = fmt::format("{} * {} + {}", factor, index.digits[place].radix, name);
    }
    return text;
}

std::string radix_product(const MixedRadixIndex& index, std::size_t from, std::size_t to) {
    std::string text;
    for (std::size_t place = to; place-- > from;) text += (text.empty() ? "" : " * ") + index.digits[place].radix;
    return text;
}

std::string digit_declarations(const Context& context, const MixedRadixIndex& index, std::size_t from, const std::string& number) {
    std::string text;
    std::string divisor;
    for (std::size_t place = from; place < index.digits.size(); ++place) {
        const auto& variable = context.source.variables[index.digits[place].variable];
        const std::string rest = divisor.empty() ? number : fmt::format("{} / {}", number, divisor.find(' ') == std::string::npos ? divisor : '(' + divisor + ')');
        const std::string value = place + 1 == index.digits.size() ? rest : fmt::format("{} % {}", rest, index.digits[place].radix);
        text += fmt::format("{} {} = {};\n", context.source.text_of(variable.type_span), variable.name, value);
        divisor += (divisor.empty() ? "" : " * ") + index.digits[place].radix;
    }
    return text;
}

}  // namespace optiml::transforms
