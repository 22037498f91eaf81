#include "evaluation/large_sizes.h"

#include <algorithm>

namespace optiml::evaluation {
namespace {

constexpr std::int64_t kLargestValue = std::int64_t{1} << 40;
constexpr std::int64_t kBeyond = 512;  // elements past a power of two
constexpr std::int64_t kAboveGridLimit = 65537;

class LargeSizes {
public:
    LargeSizes(const task::Task& task, std::int64_t most_elements)
        : task_(task), most_elements_(most_elements), small_(task.small_sizes()) {}

    std::vector<task::Sizes> collect() {
        for (const task::NamedSize& size : task_.sizes) {
            add_at_least(size, kAboveGridLimit);
            for (const int power : {31, 32}) {
                const std::int64_t elements = (std::int64_t{1} << power) + kBeyond;
                if (elements <= most_elements_) add_at_least(size, first_value(size, [&](std::int64_t extent) { return extent >= elements; }));
            }
            // The last ones that the original's own indices and arguments can carry.
            const std::int64_t last = first_value(size, [&](std::int64_t extent) { return extent > most_elements_; }) - 1;
            add_at_most(size, std::min<std::int64_t>(last, INT32_MAX));
        }
        add(task_.large_sizes());
        return std::move(found_);
    }

private:
    task::Sizes with(const task::NamedSize& size, std::int64_t value) const {
        task::Sizes sizes = small_;
        sizes[size.name] = value;
        return sizes;
    }

    // The nearest values above and below that the task allows.
    void add_at_least(const task::NamedSize& size, std::int64_t value) {
        std::int64_t power = 1;
        while (size.power_of_two && power < value) power *= 2;
        if (size.power_of_two) value = power;
        add(with(size, (value + multiple(size) - 1) / multiple(size) * multiple(size)));
    }
    void add_at_most(const task::NamedSize& size, std::int64_t value) {
        std::int64_t power = 1;
        while (size.power_of_two && power <= value / 2) power *= 2;
        if (size.power_of_two) value = power;
        add(with(size, value - value % multiple(size)));
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
    std::int64_t first_value(const task::NamedSize& size, Wanted wanted) const {
        std::int64_t low = 1, high = kLargestValue;
        while (low < high) {
            const std::int64_t middle = low + (high - low) / 2;
            if (wanted(largest_extent(with(size, middle)))) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    std::int64_t largest_extent(const task::Sizes& sizes) const {
        std::int64_t largest = 0;
        for (const task::Argument& argument : task_.arguments) {
            const auto extent = argument.extent.evaluate(sizes);
            largest = std::max(largest, extent ? *extent : INT64_MAX);  // overflow: more than any number
        }
        return largest;
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

}  // namespace optiml::evaluation
