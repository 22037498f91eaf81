// Values of inputs: a fill, bent by a pattern, as a pure function of the element's index.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

#include <fmt/format.h>

#include "base/random.h"
#include "task/resolved.h"

namespace optiml::task {
namespace {

// Streams far apart from those of values, for choices that must not depend on them.
constexpr std::uint64_t kSecondDraw = 0x10000;
constexpr std::uint64_t kSpecialDraw = 0x20000;
constexpr std::uint64_t kSignDraw = 0x30000;
constexpr std::uint64_t kSpecialPlaces = 3;   // first, middle, last
constexpr std::uint32_t kDefaultBits = 20;  // of integers of which the task says nothing

struct IntegerRange {
    std::int64_t low = 0;
    std::int64_t high = 0;
    // high - low; the number of values less one.
    std::uint64_t width() const { return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low); }
    std::int64_t at(std::uint64_t offset) const { return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset); }
};

std::uint64_t random_long(std::uint64_t stream, std::uint64_t element) {
    return std::uint64_t{random_bits(stream, element)} << 32 | random_bits(stream + kSecondDraw, element);
}

std::int64_t random_integer(const IntegerRange& range, std::uint64_t stream, std::uint64_t element) {
    const std::uint64_t values = range.width() + 1;  // 0: all 2^64
    // The high word of a product instead of a remainder: data made on demand at large sizes consists of little else.
    if (values != 0 && values <= 0x100000000ull) return range.at(random_bits(stream, element) * values >> 32);
    const std::uint64_t bits = random_long(stream, element);
    return range.at(values == 0 ? bits : bits % values);
}

// numerator / denominator of `whole`, without overflow.
std::uint64_t fraction(std::uint64_t whole, std::uint64_t numerator, std::uint64_t denominator) {
    __extension__ using Wide = unsigned __int128;
    return denominator == 0 ? 0 : static_cast<std::uint64_t>(Wide{whole} * numerator / denominator);
}

struct IntegerValues {
    IntegerRange range;
    ValuePattern pattern = ValuePattern::declared;
    std::uint64_t stream = 0;
    std::uint64_t elements = 0;
    ScalarType type = ScalarType::i32;
    bool is_default = false;

    std::int64_t operator()(std::uint64_t i) const {
        const std::uint64_t hundredth = range.width() / 100;
        switch (pattern) {
            case ValuePattern::negative: return drawn({range.low, range.low < 0 ? std::min<std::int64_t>(range.high, -1) : range.high}, i);
            case ValuePattern::same_sign: return drawn({range.high >= 0 ? std::max<std::int64_t>(range.low, 0) : range.low, range.high}, i);
            case ValuePattern::large: return drawn({range.at(range.width() - hundredth), range.high}, i);
            case ValuePattern::tiny: return drawn({range.low, range.at(hundredth)}, i);
            case ValuePattern::all_equal: return drawn(range, 0);
            case ValuePattern::alternating_sign: return i % 2 == 0 ? range.low : range.high;
            case ValuePattern::zeros: return std::clamp<std::int64_t>(0, range.low, range.high);
            case ValuePattern::sorted_descending: return range.at(range.width() - fraction(range.width(), i, elements));
            case ValuePattern::magnitudes: return is_default ? of_any_magnitude(i) : drawn(range, i);
            case ValuePattern::declared:
            case ValuePattern::nan_and_infinity:
            case ValuePattern::often_special:
            case ValuePattern::one_nan:
            case ValuePattern::minus_infinity:
            case ValuePattern::plus_infinity:
            case ValuePattern::huge: break;
        }
        return drawn(range, i);
    }

    std::int64_t drawn(const IntegerRange& from, std::uint64_t i) const { return random_integer(from, stream, i); }

    // Up to a number of bits drawn at random: what the type holds, but no more than leaves room for sums.
    std::int64_t of_any_magnitude(std::uint64_t i) const {
        const std::uint32_t most = std::min(8 * bytes_of(type) - (range.low < 0), kDefaultBits);
        const std::uint32_t bits = random_bits(stream + kSecondDraw, i) % (most + 1);
        const auto magnitude = static_cast<std::int64_t>(random_long(stream, i) & ((std::uint64_t{1} << bits) - 1));
        return range.low < 0 && random_bits(stream + kSignDraw, i) % 2 == 0 ? -magnitude : magnitude;
    }
};

struct FloatValues {
    Fill fill;
    ScalarType type = ScalarType::f32;
    ValuePattern pattern = ValuePattern::declared;
    std::uint64_t stream = 0;
    std::uint64_t seed = 0;
    std::uint64_t elements = 0;

    double operator()(std::uint64_t i) const {
        switch (pattern) {
            case ValuePattern::declared: break;
            case ValuePattern::negative: return has_negatives() ? -std::fabs(declared(i)) : declared(i);
            case ValuePattern::same_sign: return has_positives() ? std::fabs(declared(i)) : declared(i);
            case ValuePattern::large: return signed_as_declared(i, (1 + 9 * unit(i)) * (type == ScalarType::f16 ? 100 : 1000));
            case ValuePattern::tiny: return signed_as_declared(i, unit(i) * (type == ScalarType::f16 ? 1e-3 : 1e-12));
            case ValuePattern::all_equal: return declared(0);
            case ValuePattern::alternating_sign: return alternating(i);
            case ValuePattern::magnitudes: return signed_as_declared(i, type == ScalarType::f16 ? magnitude(i, 1e-3, 1e3) : magnitude(i, 1e-6, 1e6));
            case ValuePattern::huge: return signed_as_declared(i, type == ScalarType::f16 ? magnitude(i, 1e3, 3e4) : magnitude(i, 1e6, 1e30));
            case ValuePattern::nan_and_infinity: return is_special(i) ? special(i) : declared(i);
            case ValuePattern::often_special: return random_bits(stream + kSpecialDraw, i) % 2 == 0 ? special(i) : declared(i);
            case ValuePattern::one_nan: return i == special_place() ? std::numeric_limits<double>::quiet_NaN() : declared(i);
            case ValuePattern::minus_infinity: return has_negatives() ? -std::numeric_limits<double>::infinity() : declared(i);
            case ValuePattern::plus_infinity: return has_positives() ? std::numeric_limits<double>::infinity() : declared(i);
            case ValuePattern::zeros: return zero(i);
            case ValuePattern::sorted_descending: return descending(i);
        }
        return declared(i);
    }

    double unit(std::uint64_t i) const { return random_unit(stream, i); }

    double declared(std::uint64_t i) const {
        switch (fill.kind) {
            case FillKind::constant: return fill.value;
            case FillKind::ramp: return fill.value + fill.step * static_cast<double>(i);
            case FillKind::normal: return fill.mean + fill.deviation * normal(i);
            default: return fill.low + (fill.high - fill.low) * unit(i);
        }
    }

    // Box-Muller; 1 - unit is never 0.
    double normal(std::uint64_t i) const {
        const double radius = std::sqrt(-2 * std::log(1 - unit(i)));
        return radius * std::cos(2 * std::numbers::pi * random_unit(stream + kSecondDraw, i));
    }

    // The declared range; that of a normal distribution is all but a few values.
    double low() const {
        switch (fill.kind) {
            case FillKind::constant: return fill.value;
            case FillKind::ramp: return std::min(fill.value, last_of_ramp());
            case FillKind::normal: return fill.mean - 4 * fill.deviation;
            default: return fill.low;
        }
    }
    double high() const {
        switch (fill.kind) {
            case FillKind::constant: return fill.value;
            case FillKind::ramp: return std::max(fill.value, last_of_ramp());
            case FillKind::normal: return fill.mean + 4 * fill.deviation;
            default: return fill.high;
        }
    }
    double last_of_ramp() const { return fill.value + fill.step * static_cast<double>(elements == 0 ? 0 : elements - 1); }
    bool has_negatives() const { return low() < 0; }
    bool has_positives() const { return high() > 0; }

    double signed_as_declared(std::uint64_t i, double magnitude) const {
        if (!has_negatives()) return magnitude;
        if (!has_positives()) return -magnitude;
        return random_bits(stream + kSecondDraw, i) % 2 == 0 ? magnitude : -magnitude;
    }

    // Evenly in the logarithm.
    double magnitude(std::uint64_t i, double least, double most) const { return least * std::pow(most / least, unit(i)); }

    double alternating(std::uint64_t i) const {
        if (!has_negatives() || !has_positives()) return declared(i);
        return i % 2 == 0 ? std::fabs(declared(i)) : -std::fabs(declared(i));
    }

    // What is declared to be no less than 0 has no -0 either.
    double zero(std::uint64_t i) const {
        if (low() > 0 || high() < 0) return low() > 0 ? low() : high();
        return std::copysign(0.0, has_negatives() && random_bits(stream + kSignDraw, i) % 2 == 0 ? -1.0 : 1.0);
    }

    double descending(std::uint64_t i) const {
        const double share = elements < 2 ? 0 : static_cast<double>(i) / static_cast<double>(elements - 1);
        return high() - (high() - low()) * share;
    }

    std::uint64_t special_place() const {
        const std::array<std::uint64_t, kSpecialPlaces> places{0, elements / 2, elements == 0 ? 0 : elements - 1};
        return places[seed % kSpecialPlaces];
    }

    bool is_special(std::uint64_t i) const {
        return i == special_place() || random_bits(stream + kSpecialDraw, i) % 97 == 0;
    }

    double special(std::uint64_t i) const {
        switch (random_bits(stream + kSpecialDraw + 1, i) % 4) {
            case 0: return std::numeric_limits<double>::infinity();
            case 1: return -std::numeric_limits<double>::infinity();
            default: return std::numeric_limits<double>::quiet_NaN();
        }
    }
};

// A bijection of 0 .. elements-1: 2654435761 is prime, so it shares a factor with `elements` only if it divides it.
std::uint64_t permuted(std::uint64_t i, std::uint64_t elements) {
    __extension__ using Wide = unsigned __int128;
    constexpr std::uint64_t prime = 2654435761;
    if (elements % prime == 0) return elements - 1 - i;
    return static_cast<std::uint64_t>(Wide{i} * prime % elements);
}

ElementGenerator generator_of_floats(FloatValues values) {
    return [values = std::move(values)](std::uint64_t first, std::uint64_t count, std::uint8_t* bytes) {
        const std::uint32_t size = bytes_of(values.type);
        for (std::uint64_t i = 0; i < count; ++i) store_float(values.type, values(first + i), bytes + i * size);
    };
}

template <class Values>
ElementGenerator generator_of_integers(ScalarType type, Values values) {
    return [type, values](std::uint64_t first, std::uint64_t count, std::uint8_t* bytes) {
        const std::uint32_t size = bytes_of(type);
        for (std::uint64_t i = 0; i < count; ++i) store_integer(type, values(first + i), bytes + i * size);
    };
}

Result<ElementGenerator> generator_of_file(const Task& task, const Argument& argument, std::uint64_t elements, const Disk& disk) {
    const std::filesystem::path path = std::filesystem::path(task.file).parent_path() / argument.fill.file;
    auto content = disk.read(path);
    if (!content) {
        Error error = std::move(content.error());
        error.where = argument.where;
        error.remedy = "Correct the path under 'file'; it is relative to the task file.";
        return tl::make_unexpected(std::move(error));
    }
    const std::uint32_t size = bytes_of(argument.type);
    if (content->size() / size < elements) {
        return user_error(fmt::format("{} holds {} elements of {}, but {} needs {}", path.string(), content->size() / size,
                                      name_of(argument.type), argument.name, elements),
                          argument.where, "Choose smaller sizes or a longer file.");
    }
    return [bytes = std::make_shared<const std::string>(std::move(*content)), size](std::uint64_t first, std::uint64_t count,
                                                                                    std::uint8_t* target) {
        std::copy_n(bytes->data() + first * size, count * size, reinterpret_cast<char*>(target));
    };
}

Result<IntegerRange> range_of(const Argument& argument, const Sizes& sizes) {
    IntegerRange range{static_cast<std::int64_t>(argument.fill.low), static_cast<std::int64_t>(argument.fill.high)};
    for (const auto& [expression, bound] : {std::pair{&argument.fill.low_expression, &range.low},
                                            std::pair{&argument.fill.high_expression, &range.high}}) {
        if (!expression->has_value()) continue;
        const auto value = (*expression)->evaluate(sizes);
        if (!value) return tl::make_unexpected(value.error());
        *bound = *value;
    }
    // A buffer without elements may have an empty range ("cols - 1" at cols = 0).
    if (range.low > range.high) range.high = range.low;
    if (is_float(argument.type) || (can_hold(argument.type, range.low) && can_hold(argument.type, range.high))) return range;
    return user_error(fmt::format("the fill of {} reaches from {} to {}, which {} cannot hold", argument.name, range.low, range.high,
                                  name_of(argument.type)),
                      argument.where, "Choose bounds within the type's range.");
}

bool puts_special_values(ValuePattern pattern) {
    switch (pattern) {
        case ValuePattern::nan_and_infinity:
        case ValuePattern::often_special:
        case ValuePattern::minus_infinity:
        case ValuePattern::plus_infinity: return true;
        default: return false;
    }
}

// Inputs of floats that the patterns change and that may hold NaN, by their index among the arguments.
std::vector<std::uint64_t> inputs_with_nan(const Task& task) {
    std::vector<std::uint64_t> found;
    for (std::uint64_t i = 0; i < task.arguments.size(); ++i) {
        const Argument& argument = task.arguments[i];
        const FillKind kind = argument.fill.kind;
        const bool is_varied = kind != FillKind::file && kind != FillKind::permutation && kind != FillKind::integers;
        const bool is_filled = argument.role == Role::input || argument.role == Role::inout;
        if (is_filled && is_varied && is_float(argument.type) && argument.may_contain_special_values) found.push_back(i);
    }
    return found;
}

std::uint64_t index_of(const Task& task, const Argument& argument) {
    const auto found = std::find_if(task.arguments.begin(), task.arguments.end(),
                                    [&](const Argument& other) { return other.name == argument.name; });
    return static_cast<std::uint64_t>(found - task.arguments.begin());
}

}  // namespace

std::vector<std::uint64_t> seeds_of_one_nan(const Task& task, std::uint64_t seed) {
    constexpr std::uint64_t few = 2, most = 8;
    const std::uint64_t inputs = inputs_with_nan(task).size(), first = seed * inputs * kSpecialPlaces;
    std::vector<std::uint64_t> seeds;
    for (std::uint64_t i = 0; i < inputs && seeds.size() < most; ++i) {
        for (std::uint64_t place = 0; place < kSpecialPlaces; ++place) {
            if (inputs <= few || place == i % kSpecialPlaces) seeds.push_back(first + i * kSpecialPlaces + place);
        }
    }
    return seeds;
}

std::vector<ValuePattern> patterns_of_infinity(const Task& task) {
    const std::vector<std::uint64_t> inputs = inputs_with_nan(task);
    std::vector<ValuePattern> patterns;
    for (const ValuePattern pattern : {ValuePattern::minus_infinity, ValuePattern::plus_infinity}) {
        const bool changes = std::any_of(inputs.begin(), inputs.end(), [&](std::uint64_t input) {
            const Argument& argument = task.arguments[input];
            return std::isinf(FloatValues{argument.fill, argument.type, pattern, 0, 0, 2}(0));
        });
        if (changes) patterns.push_back(pattern);
    }
    return patterns;
}

std::string_view name_of(ValuePattern pattern) {
    constexpr std::array<std::string_view, kValuePatterns> names{
        "declared", "negative", "large", "tiny", "all_equal", "alternating_sign", "nan_and_infinity", "zeros", "sorted_descending",
        "same_sign", "magnitudes", "huge", "often_special", "one_nan", "minus_infinity", "plus_infinity"};
    return names[static_cast<std::size_t>(pattern)];
}

Result<ElementGenerator> generator_of(const Task& task, const Argument& argument, const Sizes& sizes, ValuePattern pattern,
                                      std::uint64_t seed, const Disk& disk) {
    const auto extent = argument.extent.evaluate(sizes);
    if (!extent) return tl::make_unexpected(extent.error());
    const std::uint64_t elements = *extent < 0 ? 0 : static_cast<std::uint64_t>(*extent);
    const std::uint64_t stream = index_of(task, argument) + 1000003 * seed;
    const Fill& fill = argument.fill;
    if (puts_special_values(pattern) && !argument.may_contain_special_values) pattern = ValuePattern::declared;
    if (pattern == ValuePattern::one_nan) {
        const std::vector<std::uint64_t> inputs = inputs_with_nan(task);
        const bool has_it = !inputs.empty() && inputs[seed / kSpecialPlaces % inputs.size()] == index_of(task, argument);
        if (!has_it) pattern = ValuePattern::declared;
    }

    if (fill.kind == FillKind::file) return generator_of_file(task, argument, elements, disk);
    if (fill.kind == FillKind::permutation) {
        return generator_of_integers(argument.type, [elements](std::uint64_t i) { return static_cast<std::int64_t>(permuted(i, elements)); });
    }
    if (fill.kind == FillKind::integers) {
        const auto range = range_of(argument, sizes);
        if (!range) return tl::make_unexpected(range.error());
        return generator_of_integers(argument.type, IntegerValues{*range, pattern, stream, elements, argument.type, fill.is_default});
    }
    if (!is_float(argument.type)) pattern = ValuePattern::declared;
    return generator_of_floats({fill, argument.type, pattern, stream, seed, elements});
}

}  // namespace optiml::task
