#pragma once
// Sums of two doubles that do not overlap: about 106 bits. The algorithms are those of Dekker, Knuth and, for the bounds,
// M. Joldes, J.-M. Muller, V. Popescu, "Tight and rigorous error bounds for basic building blocks of double-word arithmetic".

namespace optiml::emulator::OPTIML_LEVEL {

struct DoubleDouble {
    double high = 0;
    double low = 0;
};

// a + b exactly.
inline DoubleDouble two_sum(double a, double b) {
    const double sum = a + b, of_b = sum - a, of_a = sum - of_b;
    return {sum, (a - of_a) + (b - of_b)};
}
// The same where |a| >= |b|. Infinities and NaNs stay in the high part alone.
inline DoubleDouble fast_two_sum(double a, double b) {
    const double sum = a + b, low = b - (sum - a);
    return {sum, __builtin_isfinite(sum) ? low : 0.0};
}
inline DoubleDouble two_product(double a, double b) {
    const double product = a * b;
    return {product, __builtin_fma(a, b, -product)};
}

inline DoubleDouble negated(DoubleDouble a) { return {-a.high, -a.low}; }

inline DoubleDouble sum(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble high = two_sum(a.high, b.high), low = two_sum(a.low, b.low);
    const DoubleDouble middle = fast_two_sum(high.high, high.low + low.high);
    return fast_two_sum(middle.high, middle.low + low.low);
}

inline DoubleDouble product(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble high = two_product(a.high, b.high);
    const double low = __builtin_fma(a.low, b.high, __builtin_fma(a.high, b.low, a.low * b.low));
    return fast_two_sum(high.high, high.low + low);
}

inline DoubleDouble quotient(DoubleDouble a, DoubleDouble b) {
    const double first = a.high / b.high;
    if (!__builtin_isfinite(first) || first == 0) return {first, 0};
    const DoubleDouble rest = sum(a, negated(product(b, {first, 0})));
    const double second = rest.high / b.high;
    const DoubleDouble left = sum(rest, negated(product(b, {second, 0})));
    return sum(fast_two_sum(first, second), {left.high / b.high, 0});
}

inline DoubleDouble square_root(DoubleDouble a) {
    const double first = __builtin_sqrt(a.high);
    if (!__builtin_isfinite(first) || first == 0) return {first, 0};
    const DoubleDouble rest = sum(a, negated(two_product(first, first)));
    return fast_two_sum(first, rest.high / (2 * first));
}

}  // namespace optiml::emulator::OPTIML_LEVEL
