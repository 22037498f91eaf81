#include <algorithm>
#include <set>

#include "task/resolved.h"

namespace optiml::task {
namespace {

// Products of all sizes may reach this at an edge, or twice that of the small sizes where those are larger.
constexpr double kLeastWorkLimit = 131072;

class EdgeSizes {
public:
    EdgeSizes(const Task& task, const LaunchPlan& plan, std::size_t most)
        : task_(task), most_(most), small_(task.small_sizes()), tiles_(tiles_of(plan)) {
        work_limit_ = std::max(kLeastWorkLimit, 2 * work(small_));
    }

    std::vector<Sizes> collect() {
        add(small_);
        add_uniform([](const NamedSize& size) { return size.minimum; });
        for (const std::int64_t value : {1, 0, 2, 3}) {
            add_uniform([&](const NamedSize& size) { return legal_near(size, value); });
        }
        add_different_primes();
        add_one_by_one();
        return std::move(found_);
    }

private:
    // Block extents, and whole blocks, of every launch at the small sizes.
    std::vector<std::int64_t> tiles_of(const LaunchPlan& plan) const {
        std::set<std::int64_t> tiles{4};
        const auto resolved = resolve(task_, plan, small_);
        if (!resolved) return {tiles.begin(), tiles.end()};
        for (const ResolvedStep& step : resolved->steps) {
            std::uint64_t threads = 1;
            for (const std::uint64_t extent : step.block) {
                threads *= extent;
                if (extent > 1 && extent <= 1024) tiles.insert(static_cast<std::int64_t>(extent));
            }
            if (threads > 1 && threads <= 1024) tiles.insert(static_cast<std::int64_t>(threads));
        }
        return {tiles.begin(), tiles.end()};
    }

    // The legal value nearest above `value`, with regard to bounds, multiple_of and power_of_two.
    std::int64_t legal_near(const NamedSize& size, std::int64_t value) const {
        value = std::clamp(value, size.minimum, size.maximum);
        if (size.power_of_two) {
            std::int64_t power = 1;
            while (power < value && power <= INT64_MAX / 2) power *= 2;
            value = power;
        }
        const auto multiple = size.multiple_of.evaluate(small_);
        if (multiple && *multiple > 1 && value <= INT64_MAX - *multiple) value = (value + *multiple - 1) / *multiple * *multiple;
        return value;
    }

    template <class Value>
    void add_uniform(Value value) {
        Sizes sizes;
        for (const NamedSize& size : task_.sizes) sizes[size.name] = value(size);
        add(sizes);
    }

    // Every size another odd number: wrong axes and swapped strides show.
    void add_different_primes() {
        constexpr std::int64_t primes[] = {37, 23, 11, 7, 5, 3, 13, 17};
        std::size_t next = 0;
        add_uniform([&](const NamedSize& size) { return legal_near(size, primes[next++ % std::size(primes)]); });
        next = task_.sizes.size();
        add_uniform([&](const NamedSize& size) { return legal_near(size, primes[--next % std::size(primes)]); });
    }

    // Each size around each tile while the others keep their small values; all tiles and sizes take turns.
    void add_one_by_one() {
        const auto around = [&](auto value_at) {
            for (const std::int64_t tile : tiles_) {
                for (const NamedSize& size : task_.sizes) add_with(size, value_at(tile));
            }
        };
        around([](std::int64_t tile) { return tile + 1; });
        for (const NamedSize& size : task_.sizes) add_with(size, 257);  // past what a byte counts
        around([](std::int64_t tile) { return tile - 1; });
        around([](std::int64_t tile) { return tile; });
        around([](std::int64_t tile) { return 2 * tile + 1; });
        around([](std::int64_t tile) { return 4 * tile + 3; });
        for (const std::int64_t value : {0, 1, 63, 64, 65}) {
            for (const NamedSize& size : task_.sizes) add_with(size, value);
        }
    }

    void add_with(const NamedSize& varied, std::int64_t value) {
        Sizes sizes = small_;
        sizes[varied.name] = legal_near(varied, value);
        // Too much work: shrink the other sizes.
        for (const NamedSize& other : task_.sizes) {
            if (work(sizes) <= work_limit_ || other.name == varied.name) continue;
            sizes[other.name] = std::min(sizes[other.name], legal_near(other, 5));
        }
        add(sizes);
    }

    void add(const Sizes& sizes) {
        if (found_.size() >= most_ || std::find(found_.begin(), found_.end(), sizes) != found_.end()) return;
        const bool is_first = found_.empty();
        if (!is_first && work(sizes) > work_limit_) return;
        if (!check_sizes(task_, sizes) || !resolve(task_, task_.plan, sizes)) return;
        found_.push_back(sizes);
    }

    static double work(const Sizes& sizes) {
        double product = 1;
        for (const auto& [name, value] : sizes) product *= static_cast<double>(std::max<std::int64_t>(value, 1));
        return product;
    }

    const Task& task_;
    std::size_t most_;
    Sizes small_;
    std::vector<std::int64_t> tiles_;
    double work_limit_ = 0;
    std::vector<Sizes> found_;
};

}  // namespace

std::vector<Sizes> edge_sizes(const Task& task, const LaunchPlan& plan, std::size_t most) {
    return EdgeSizes(task, plan, most).collect();
}

}  // namespace optiml::task
