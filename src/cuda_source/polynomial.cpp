#include <algorithm>

#include "cuda_source/analysis.h"

namespace optiml::cuda_source {
namespace {

constexpr std::size_t most_terms = 128;
constexpr std::size_t most_factors = 8;

Polynomial invalid() { return Polynomial(Symbol::of_opaque(none)); }

// Adds coefficient * product to the polynomial; false if a coefficient leaves 64 bits.
bool add_term(Polynomial& polynomial, const std::vector<Symbol>& product, std::int64_t coefficient) {
    const auto [term, is_new] = polynomial.terms.try_emplace(product, 0);
    if (__builtin_add_overflow(term->second, coefficient, &term->second)) return false;
    if (term->second == 0) polynomial.terms.erase(term);
    return true;
}

}  // namespace

bool Polynomial::is_valid() const {
    const Symbol bad = Symbol::of_opaque(none);
    return std::none_of(terms.begin(), terms.end(),
                        [&](const auto& term) { return std::find(term.first.begin(), term.first.end(), bad) != term.first.end(); });
}

bool Polynomial::is_constant() const { return terms.empty() || (terms.size() == 1 && terms.begin()->first.empty()); }

std::int64_t Polynomial::constant() const {
    const auto term = terms.find({});
    return term == terms.end() ? 0 : term->second;
}

bool Polynomial::depends_on(const Symbol& symbol) const {
    return std::any_of(terms.begin(), terms.end(), [&](const auto& term) {
        return std::find(term.first.begin(), term.first.end(), symbol) != term.first.end();
    });
}

std::optional<Polynomial> Polynomial::coefficient_of(const Symbol& symbol) const {
    Polynomial result;
    for (const auto& [product, coefficient] : terms) {
        const auto count = std::count(product.begin(), product.end(), symbol);
        if (count == 0) continue;
        if (count > 1) return std::nullopt;
        std::vector<Symbol> rest = product;
        rest.erase(std::find(rest.begin(), rest.end(), symbol));
        result.terms[std::move(rest)] = coefficient;
    }
    return result;
}

Polynomial Polynomial::without(const Symbol& symbol) const {
    Polynomial result;
    for (const auto& term : terms) {
        if (std::find(term.first.begin(), term.first.end(), symbol) == term.first.end()) result.terms.insert(term);
    }
    return result;
}

Polynomial operator+(const Polynomial& a, const Polynomial& b) {
    if (!a.is_valid() || !b.is_valid()) return invalid();
    Polynomial result = a;
    for (const auto& [product, coefficient] : b.terms) {
        if (!add_term(result, product, coefficient)) return invalid();
    }
    return result.terms.size() <= most_terms ? result : invalid();
}

Polynomial operator-(const Polynomial& a, const Polynomial& b) { return a + Polynomial(-1) * b; }

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
    if (!a.is_valid() || !b.is_valid()) return invalid();
    Polynomial result;
    for (const auto& [left, left_coefficient] : a.terms) {
        for (const auto& [right, right_coefficient] : b.terms) {
            std::vector<Symbol> product;
            std::merge(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(product));
            std::int64_t coefficient = 0;
            if (product.size() > most_factors || __builtin_mul_overflow(left_coefficient, right_coefficient, &coefficient) ||
                !add_term(result, product, coefficient) || result.terms.size() > most_terms) {
                return invalid();
            }
        }
    }
    return result;
}

}  // namespace optiml::cuda_source
