#include "evaluation/large_sizes.h"

#include <algorithm>

namespace optiml::evaluation {
namespace {

constexpr std::int64_t kLargestValue = std::int64_t{1} << 40;
constexpr std::int64_t kBeyond = 512;  // elements past a power of two
constexpr std::int64_t kAboveGridLimit = 65537;
constexpr std::int64_t kBeyondLarge = 8;

class LargeSizes {
public:
    LargeSizes(const task::Task& task, std::int64_t most_elements)
        : task_(task), most_elements_(most_elements), small_(task.small_sizes()) {}

    std::vector<task::Sizes> collect() {
        for (const task::NamedSize& size : task_.sizes) {
            if (kAboveGridLimit <= most(size)) add_at_least(with(small_, size, kAboveGridLimit), size);
            for (const int power : {31, 32}) add_elements(size, (std::int64_t{1} << power) + kBeyond);
            add_last(size);
        }
        add(task_.large_sizes());
        return std::move(found_);
    }

    // Each size in turn as small as the others, at their largest, allow.
    std::vector<task::Sizes> of_other_shapes(std::int64_t elements) {
        task::Sizes largest;
        for (const task::NamedSize& size : task_.sizes) largest[size.name] = largest_value(size);
        for (const task::NamedSize& size : task_.sizes) {
            const std::int64_t value = first_value(largest, size, [&](std::int64_t extent) { return extent >= elements; });
            if (value <= most(size)) add_at_least(with(largest, size, std::max(value, size.minimum)), size);
        }
        return std::move(found_);
    }

    std::optional<task::Sizes> beyond(std::int64_t elements) {
        for (const task::NamedSize& size : task_.sizes) {
            for (const task::Sizes& others : {small_, task_.large_sizes()}) {
                const std::int64_t value = first_value(others, size, [&](std::int64_t extent) { return extent >= elements; });
                if (largest_extent(with(others, size, value)) >= elements) add_at_least(with(others, size, value), size);
            }
        }
        const auto least = std::min_element(found_.begin(), found_.end(), [&](const auto& a, const auto& b) { return total_extent(a) < total_extent(b); });
        return least == found_.end() ? std::nullopt : std::optional(*least);
    }

    std::int64_t largest_extent(const task::Sizes& sizes) const {
        std::int64_t largest = 0;
        for (const task::Argument& argument : task_.arguments) {
            const auto extent = argument.extent.evaluate(sizes);
            largest = std::max(largest, extent ? *extent : INT64_MAX);  // overflow: more than any number
        }
        return largest;
    }

private:
    static task::Sizes with(task::Sizes sizes, const task::NamedSize& size, std::int64_t value) {
        sizes[size.name] = value;
        return sizes;
    }

    static std::int64_t most(const task::NamedSize& size) {
        return std::min(size.large_value, kLargestValue) * kBeyondLarge + kBeyond;
    }

    // That the task allows, no more than `most`.
    std::int64_t largest_value(const task::NamedSize& size) const { return rounded_down(size, std::min(most(size), size.maximum)); }

    // The nearest value below that is the power of two and the multiple that the task asks for.
    std::int64_t rounded_down(const task::NamedSize& size, std::int64_t value) const {
        std::int64_t power = 1;
        while (size.power_of_two && power <= value / 2) power *= 2;
        if (size.power_of_two) value = power;
        return value - value % multiple(size);
    }

    void add_elements(const task::NamedSize& size, std::int64_t elements) {
        if (elements > most_elements_) return;
        for (const task::Sizes& others : {small_, task_.large_sizes()}) {
            const std::int64_t value = first_value(others, size, [&](std::int64_t extent) { return extent >= elements; });
            if (value > most(size)) continue;
            return add_at_least(with(others, size, value), size);
        }
    }

    // The last value that the original's own indices and arguments can carry.
    void add_last(const task::NamedSize& size) {
        const std::int64_t beyond = first_value(small_, size, [&](std::int64_t extent) { return extent > most_elements_; });
        add(with(small_, size, rounded_down(size, std::min<std::int64_t>({beyond - 1, INT32_MAX, most(size)}))));
    }

    // The nearest value above that the task allows.
    void add_at_least(task::Sizes sizes, const task::NamedSize& size) {
        std::int64_t& value = sizes[size.name];
        std::int64_t power = 1;
        while (size.power_of_two && power < value) power *= 2;
        if (size.power_of_two) value = power;
        value = (value + multiple(size) - 1) / multiple(size) * multiple(size);
        add(sizes);
    }

    void add(const task::Sizes& sizes) {
        if (!task::check_sizes(task_, sizes) || !task::resolve(task_, task_.plan, sizes)) return;
        if (largest_extent(sizes) > most_elements_) return;
        if (std::find(found_.begin(), found_.end(), sizes) == found_.end()) found_.push_back(sizes);
    }

    std::int64_t multiple(const task::NamedSize& size) const {
        const auto value = size.multiple_of.evaluate(small_);
        return value && *value > 0 ? *value : 1;
    }

    // The smallest value of one size for which the largest buffer's extent is as wanted; extents grow with sizes.
    template <class Wanted>
    std::int64_t first_value(const task::Sizes& others, const task::NamedSize& size, Wanted wanted) const {
        std::int64_t low = 1, high = kLargestValue;
        while (low < high) {
            const std::int64_t middle = low + (high - low) / 2;
            if (wanted(largest_extent(with(others, size, middle)))) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    double total_extent(const task::Sizes& sizes) const {
        double total = 0;
        for (const task::Argument& argument : task_.arguments) total += static_cast<double>(argument.extent.evaluate(sizes).value_or(0));
        return total;
    }

    const task::Task& task_;
    std::int64_t most_elements_;
    task::Sizes small_;
    std::vector<task::Sizes> found_;
};

}  // namespace

std::vector<task::Sizes> large_sizes(const task::Task& task, std::int64_t most_elements) {
    return LargeSizes(task, most_elements).collect();
}

std::vector<task::Sizes> other_shapes(const task::Task& task, std::int64_t most_elements, const task::Sizes& sizes) {
    const std::int64_t elements = LargeSizes(task, most_elements).largest_extent(sizes);
    for (const int power : {32, 31}) {
        const std::int64_t least = (std::int64_t{1} << power) + kBeyond;
        if (elements >= least) return LargeSizes(task, most_elements).of_other_shapes(least);
    }
    return {};
}

std::optional<task::Sizes> sizes_beyond(const task::Task& task, std::int64_t elements) {
    return LargeSizes(task, INT64_MAX - 1).beyond(elements);
}

}  // namespace optiml::evaluation
