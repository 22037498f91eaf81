#include "evaluation/device/joint_counting.h"

#include <algorithm>

namespace optiml::evaluation::device {
namespace {

constexpr std::size_t kMostKernels = 64;  // a session: its image takes some 100 KB a kernel

class Counting {
public:
    Counting(gpu::Profiler& profiler, const std::vector<std::string>& metrics, const std::vector<gpu::CountedWork>& works, bool& shares)
        : profiler_(profiler), metrics_(metrics), counted_(works.size()), shares_(shares) {
        for (std::size_t i = 0; i < works.size(); ++i) {
            works_.push_back({works[i].kernels, watched(works[i].prepare, i), watched(works[i].launch, i)});
        }
    }

    std::vector<std::optional<LaunchesCounted>> run() && {
        for (std::size_t first = 0; first < works_.size() && !lost_by_;) {
            std::size_t last = first + 1;
            for (std::size_t kernels = works_[first].kernels; shares_ && last < works_.size() && kernels + works_[last].kernels <= kMostKernels; ++last) {
                kernels += works_[last].kernels;
            }
            count(first, last);
            first = last;
        }
        return std::move(counted_);
    }

private:
    std::function<gpu::DeviceStatus()> watched(std::function<gpu::DeviceStatus()> step, std::size_t work) {
        return [this, step = std::move(step), work] {
            const auto done = step();
            if (!done && done.error().sticky && !lost_by_) lost_by_ = work;
            return done;
        };
    }

    void count(std::size_t first, std::size_t last) {
        auto counters = profiler_.collect(metrics_, {works_.begin() + static_cast<std::ptrdiff_t>(first), works_.begin() + static_cast<std::ptrdiff_t>(last)});
        if (lost_by_) {
            counted_[*lost_by_] = tl::make_unexpected(counters ? Error{ErrorKind::environment, "the device was lost", {}, {}} : counters.error());
        } else if (last - first == 1) {
            counted_[first] = std::move(counters);
        } else if (!counters) {
            for (std::size_t i = first; i < last && !lost_by_; ++i) count(i, i + 1);
            const auto is_counted = [](const auto& counted) { return counted && *counted; };
            shares_ = !std::all_of(counted_.begin() + static_cast<std::ptrdiff_t>(first), counted_.begin() + static_cast<std::ptrdiff_t>(last), is_counted);
        } else {
            share(*counters, first, last);
        }
    }

    void share(std::vector<gpu::CounterValues>& counters, std::size_t first, std::size_t last) {
        auto next = counters.begin();
        for (std::size_t i = first; i < last; ++i) {
            const auto end = next + static_cast<std::ptrdiff_t>(works_[i].kernels);
            counted_[i] = std::vector<gpu::CounterValues>(std::make_move_iterator(next), std::make_move_iterator(end));
            next = end;
        }
    }

    gpu::Profiler& profiler_;
    const std::vector<std::string>& metrics_;
    std::vector<gpu::CountedWork> works_;
    std::vector<std::optional<LaunchesCounted>> counted_;
    std::optional<std::size_t> lost_by_;
    bool& shares_;
};

}  // namespace

std::vector<std::optional<LaunchesCounted>> JointCounter::count(gpu::Profiler& profiler, const std::vector<std::string>& metrics,
                                                                const std::vector<gpu::CountedWork>& works) {
    return Counting(profiler, metrics, works, shares_).run();
}

}  // namespace optiml::evaluation::device
