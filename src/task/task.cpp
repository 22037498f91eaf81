#include "task/task.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "task/digest_fields.h"
#include "task/nearest.h"

namespace optiml::task {
namespace {

std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

void add_list(Hasher& hasher, const std::vector<std::string>& list) {
    hasher.add(static_cast<std::uint64_t>(list.size()));
    for (const std::string& item : list) hasher.add(item);
}

void add_optional(Hasher& hasher, const std::optional<double>& value) {
    hasher.add(std::uint64_t{value.has_value()}).add(bits_of(value.value_or(0)));
}

void add_optional(Hasher& hasher, const std::optional<Expression>& value) {
    hasher.add(std::uint64_t{value.has_value()}).add(value ? value->canonical_text() : std::string());
}

void add_fields(Hasher& hasher, const Fill& fill) {
    hasher.add(static_cast<std::uint64_t>(fill.kind));
    for (const double value : {fill.low, fill.high, fill.mean, fill.deviation, fill.value, fill.step}) hasher.add(bits_of(value));
    add_optional(hasher, fill.low_expression);
    add_optional(hasher, fill.high_expression);
    hasher.add(fill.file);
}

void add_fields(Hasher& hasher, const TextureDeclaration& texture) {
    const TextureSampling& sampling = texture.sampling;
    hasher.add(static_cast<std::uint64_t>(texture.shape)).add(std::uint64_t{texture.channels}).add(std::uint64_t{texture.levels});
    hasher.add(std::uint64_t{texture.is_surface});
    for (const Expression& extent : texture.extent) hasher.add(extent.canonical_text());
    hasher.add(static_cast<std::uint64_t>(sampling.filter)).add(static_cast<std::uint64_t>(sampling.level_filter));
    for (const TextureAddressMode mode : sampling.address) hasher.add(static_cast<std::uint64_t>(mode));
    hasher.add(std::uint64_t{sampling.normalized_coordinates}).add(std::uint64_t{sampling.normalized_floats});
}

void add_fields(Hasher& hasher, const Argument& argument) {
    hasher.add(argument.name).add(static_cast<std::uint64_t>(argument.type)).add(static_cast<std::uint64_t>(argument.role));
    hasher.add(argument.extent.canonical_text()).add(argument.alignment_offset.canonical_text());
    hasher.add(argument.value.canonical_text()).add(bits_of(argument.float_value));
    hasher.add(std::uint64_t{argument.may_contain_special_values});
    add_fields(hasher, argument.fill);
    if (argument.texture) add_fields(hasher, *argument.texture);
}

void add_fields(Hasher& hasher, const NamedSize& size) {
    hasher.add(size.name);
    for (const std::int64_t value : {size.small_value, size.large_value, size.minimum, size.maximum}) {
        hasher.add(static_cast<std::uint64_t>(value));
    }
    hasher.add(size.multiple_of.canonical_text()).add(std::uint64_t{size.power_of_two});
}

void add_fields(Hasher& hasher, const Checks& checks, const Allowances& allowances) {
    hasher.add(bits_of(checks.tolerance_factor));
    add_optional(hasher, checks.absolute);
    add_optional(hasher, checks.relative);
    for (const bool flag : {checks.bitwise, checks.compare_nan_exactly, allowances.fast_math, allowances.tf32,
                            allowances.reassociation, allowances.reduced_precision}) {
        hasher.add(std::uint64_t{flag});
    }
}

Result<void> check_bounds(const Task& task, const NamedSize& size, std::int64_t value, const Sizes& sizes) {
    const auto fail = [&](const std::string& why, const std::string& remedy) {
        return user_error(fmt::format("size {} = {} {}", size.name, value, why), {task.file, size.where.line, size.where.column},
                          remedy);
    };
    if (value < size.minimum || value > size.maximum) {
        return fail("is outside the task's bounds",
                    size.maximum == INT64_MAX ? fmt::format("Choose at least {}.", size.minimum)
                                              : fmt::format("Choose a value from {} to {}.", size.minimum, size.maximum));
    }
    if (size.power_of_two && (value <= 0 || (value & (value - 1)) != 0)) {
        return fail("is not a power of two", "The task declares power_of_two for this size.");
    }
    const auto multiple = size.multiple_of.evaluate(sizes);
    if (!multiple) return tl::make_unexpected(multiple.error());
    if (*multiple <= 0 || value % *multiple != 0) {
        return fail(fmt::format("is not a multiple of {}", *multiple), "The task declares multiple_of for this size.");
    }
    return {};
}

}  // namespace

void add_fields(Hasher& hasher, const CompileOptions& compile) {
    add_list(hasher, compile.defines);
    add_list(hasher, compile.include_paths);
    add_list(hasher, compile.extra);
    hasher.add(compile.standard);
}

const Argument* Task::find_argument(std::string_view argument) const {
    const auto found = std::find_if(arguments.begin(), arguments.end(), [&](const Argument& a) { return a.name == argument; });
    return found == arguments.end() ? nullptr : &*found;
}

const NamedSize* Task::find_size(std::string_view size) const {
    const auto found = std::find_if(sizes.begin(), sizes.end(), [&](const NamedSize& s) { return s.name == size; });
    return found == sizes.end() ? nullptr : &*found;
}

Sizes Task::small_sizes() const {
    Sizes values;
    for (const NamedSize& size : sizes) values[size.name] = size.small_value;
    return values;
}

Sizes Task::large_sizes() const {
    Sizes values;
    for (const NamedSize& size : sizes) values[size.name] = size.large_value;
    return values;
}

Digest Task::digest() const {
    Hasher hasher;
    hasher.add(source).add(kernel).add(plan.canonical_text());
    add_fields(hasher, compile);
    hasher.add(static_cast<std::uint64_t>(sizes.size()));
    for (const NamedSize& size : sizes) add_fields(hasher, size);
    hasher.add(static_cast<std::uint64_t>(arguments.size()));
    for (const Argument& argument : arguments) add_fields(hasher, argument);
    add_fields(hasher, checks, allowances);
    if (reference) hasher.add(reference->source).add(reference->plan.canonical_text()), add_fields(hasher, reference->compile);
    return hasher.finish();
}

Status check_sizes(const Task& task, const Sizes& sizes) {
    for (const NamedSize& size : task.sizes) {
        const auto value = sizes.find(size.name);
        if (value == sizes.end()) {
            return user_error(fmt::format("size {} has no value", size.name), size.where, fmt::format("Give --set {}=VALUE.", size.name));
        }
        const Status status = check_bounds(task, size, value->second, sizes);
        if (!status) return status;
    }
    return {};
}

Result<Sizes> with_overrides(const Task& task, Sizes base, const Sizes& overrides) {
    std::vector<std::string> known;
    for (const NamedSize& size : task.sizes) known.push_back(size.name);
    for (const auto& [name, value] : overrides) {
        if (task.find_size(name) == nullptr) {
            return user_error(fmt::format("the task has no size {}", name), {task.file}, suggestion_for(name, known, "sizes"));
        }
        base[name] = value;
    }
    const Status status = check_sizes(task, base);
    if (!status) return tl::make_unexpected(status.error());
    return base;
}

}  // namespace optiml::task
