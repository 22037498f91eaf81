// Runs on a machine with an NVIDIA GPU; says SKIP elsewhere (CTest label gpu).
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

#include <gtest/gtest.h>

#include "gpu/helper_kernels.h"
#include "gpu/on_device_test.h"
#include "gpu/profiler.h"
#include "gpu/timing.h"

namespace optiml::gpu {
namespace {

class OnDevice : public DeviceTest {
protected:
    void SetUp() override {
        DeviceTest::SetUp();
        if (compiler_ == nullptr) return;
        const auto cubin = HelperKernels::compile(*compiler_, device_->properties().compute_capability, {ElementType::f32, ElementType::i32});
        ASSERT_TRUE(cubin) << cubin.error().text();
        auto kernels = HelperKernels::load(*device_, *cubin);
        ASSERT_TRUE(kernels) << kernels.error().text();
        kernels_ = std::move(*kernels);
    }

    std::unique_ptr<HelperKernels> kernels_;
};

constexpr const char* kScale = "extern \"C\" __global__ void scale(float* x, int n) {"
                               "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= 2; }";

TEST_F(OnDevice, RunsAKernelAndComparesItsOutput) {
    const DeviceModule module = compile(kScale);
    std::vector<float> values(1000, 1.5f), truth(1000, 3.0f);
    DeviceAddress x = *device_->allocate(4000), expected = *device_->allocate(4000);
    ASSERT_TRUE(device_->write(x, values.data(), 4000));
    ASSERT_TRUE(device_->write(expected, truth.data(), 4000));
    int n = 1000;
    void* parameters[] = {&x, &n};
    ASSERT_TRUE(device_->launch(*module.function("scale"), {.grid = {4, 1, 1}, .block = {128, 1, 1}}, parameters));
    ASSERT_TRUE(device_->synchronize());
    auto same = kernels_->compare(x, expected, 1000, ElementType::f32, 0, 0);
    ASSERT_TRUE(same);
    EXPECT_EQ(same->mismatches, 0u);
    EXPECT_EQ(same->largest_truth, 3.0);
    truth[7] = NAN;
    truth[9] = 3.5f;
    ASSERT_TRUE(device_->write(expected, truth.data(), 4000));
    auto other = kernels_->compare(x, expected, 1000, ElementType::f32, 0.1, 0);
    ASSERT_TRUE(other);
    EXPECT_EQ(other->mismatches, 2u);
    EXPECT_EQ(other->first_mismatch, 7u);
    EXPECT_EQ(other->largest_difference, 0.5);
    device_->release(x);
    device_->release(expected);
}

TEST_F(OnDevice, MaskHidesAndGivesBack) {
    std::vector<std::uint8_t> bytes(1003), seen(1003);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i);
    const DeviceAddress x = *device_->allocate(bytes.size());
    ASSERT_TRUE(device_->write(x, bytes.data(), bytes.size()));
    ASSERT_TRUE(kernels_->mask(x, bytes.size(), 42));
    ASSERT_TRUE(device_->read(x, seen.data(), seen.size()));
    EXPECT_NE(seen, bytes);
    ASSERT_TRUE(kernels_->mask(x, bytes.size(), 42));
    ASSERT_TRUE(device_->read(x, seen.data(), seen.size()));
    EXPECT_EQ(seen, bytes);
    device_->release(x);
}

TEST_F(OnDevice, FillsStayInTheirBounds) {
    const DeviceAddress x = *device_->allocate(4 * 10000);
    std::vector<int> integers(10000);
    ASSERT_TRUE(kernels_->fill_random(x, 10000, ElementType::i32, -3, 7, 1));
    ASSERT_TRUE(device_->read(x, integers.data(), 40000));
    EXPECT_EQ(*std::min_element(integers.begin(), integers.end()), -3);
    EXPECT_EQ(*std::max_element(integers.begin(), integers.end()), 7);
    std::vector<float> floats(10000);
    ASSERT_TRUE(kernels_->fill_normal(x, 10000, ElementType::f32, 5, 2, 1));
    ASSERT_TRUE(device_->read(x, floats.data(), 40000));
    double sum = 0, squares = 0;
    for (const float f : floats) sum += f, squares += double(f) * f;
    EXPECT_NEAR(sum / 10000, 5, 0.1);
    EXPECT_NEAR(std::sqrt(squares / 10000 - sum * sum / 1e8), 2, 0.1);
    device_->release(x);
}

TEST_F(OnDevice, RefusesALaunchThatCannotBe) {
    const DeviceModule module = compile(kScale);
    DeviceAddress x = 0;
    int n = 0;
    void* parameters[] = {&x, &n};
    const auto launched = device_->launch(*module.function("scale"), {.grid = {1, 70000, 1}, .block = {128, 1, 1}}, parameters);
    ASSERT_FALSE(launched);
    EXPECT_FALSE(launched.error().sticky);
    const auto shared = device_->launch(*module.function("scale"), {.dynamic_shared = 1u << 20}, parameters);
    EXPECT_FALSE(shared);
}

// 48 KiB of dynamic shared memory need no leave by themselves, with the kernel's own byte they do.
TEST_F(OnDevice, LaunchesWithMoreSharedMemoryThanTheDefaultTogether) {
    const DeviceModule module = compile("extern \"C\" __global__ void both(int* x) { __shared__ volatile int own[4]; extern __shared__ int given[];"
                                        "  own[threadIdx.x & 3] = 1; given[12287] = 2; __syncthreads(); x[0] = own[0] + given[12287]; }");
    DeviceAddress x = *device_->allocate(4);
    void* parameters[] = {&x};
    ASSERT_TRUE(device_->launch(*module.function("both"), {.grid = {1, 1, 1}, .block = {32, 1, 1}, .dynamic_shared = 49152}, parameters));
    ASSERT_TRUE(device_->synchronize());
    int result = 0;
    ASSERT_TRUE(device_->read(x, &result, 4));
    EXPECT_EQ(result, 3);
    device_->release(x);
}

TEST_F(OnDevice, TimesLongerWorkAsLonger) {
    const DeviceModule module = compile(kScale);
    const int count = 1 << 24;
    DeviceAddress x = *device_->allocate(4ull * count);
    ASSERT_TRUE(device_->fill(x, 0, 4ull * count));
    void* function = *module.function("scale");
    const auto timed = [&](int n) {
        return Timed{{}, [this, function, x, n]() mutable {
                         void* parameters[] = {&x, &n};
                         return device_->launch(function, {.grid = {1056, 1, 1}, .block = {256, 1, 1}}, parameters);
                     }};
    };
    const SteadyClock clock;
    auto timer = Timer::make(*device_, *kernels_, nullptr, clock);
    ASSERT_TRUE(timer);
    const auto times = (*timer)->compare(timed(count), timed(count / 4), *count_rule(20), {});
    ASSERT_TRUE(times) << times.error().text();
    EXPECT_EQ(times->candidate_ms.size(), 20u);
    EXPECT_GT(bootstrap_ratio(times->original_ms, times->candidate_ms, 0.99, 500, 1).low, 1.5);
    device_->release(x);
}

TEST_F(OnDevice, CallsAKernelThatNeverEndsHung) {
    const DeviceModule module = compile("extern \"C\" __global__ void wait(volatile int* x) { while (*x == 0) {} }");
    auto word = device_->make_shared_word();
    ASSERT_TRUE(word);
    device_->set_hang_limit(0.1);
    DeviceAddress x = word->address();
    void* parameters[] = {&x};
    ASSERT_TRUE(device_->launch(*module.function("wait"), {}, parameters));
    const auto waited = device_->synchronize();
    ASSERT_FALSE(waited);
    EXPECT_EQ(waited.error().name, "CUDA_ERROR_LAUNCH_TIMEOUT");
    EXPECT_TRUE(waited.error().sticky);
    EXPECT_TRUE(device_->is_hung());
    word->value() = 1;  // so that the device can be closed
}

TEST_F(OnDevice, CountsInstructionsExactly) {
    auto profiler = Profiler::open(*device_);
    if (!profiler && profiler.error().kind == ErrorKind::environment) GTEST_SKIP() << profiler.error().text();
    ASSERT_TRUE(profiler) << profiler.error().text();
    const DeviceModule module = compile("extern \"C\" __global__ void copy(const float* x, float* y) {"
                                        "  y[blockIdx.x * 256 + threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x]; }");
    DeviceAddress x = *device_->allocate(4 << 16), y = *device_->allocate(4 << 16);
    ASSERT_TRUE(device_->fill(x, 0, 4 << 16));
    void* parameters[] = {&x, &y};
    void* function = *module.function("copy");
    const auto prepare = [&] { return kernels_->flush_l2(); };
    const auto launch = [&] { return device_->launch(function, {.grid = {256, 1, 1}, .block = {256, 1, 1}}, parameters); };
    // From one set of metrics to another and back, twice each.
    for (const MetricTier tier : {MetricTier::one_pass, MetricTier::one_pass, MetricTier::four_passes, MetricTier::four_passes, MetricTier::one_pass}) {
        const auto counters = (*profiler)->collect(tier, {1, prepare, launch});
        ASSERT_TRUE(counters) << counters.error().text();
        ASSERT_EQ(counters->size(), 1u);
        EXPECT_EQ((*counters)[0].at("smsp__thread_inst_executed_per_inst_executed.ratio"), 32);
        if (tier != MetricTier::four_passes) continue;
        EXPECT_EQ((*counters)[0].at("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"), 2048);
        EXPECT_EQ((*counters)[0].at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 8192);
    }
    device_->release(x);
    device_->release(y);
}

TEST_F(OnDevice, CountsSeveralWorksInOneSession) {
    auto profiler = Profiler::open(*device_);
    if (!profiler && profiler.error().kind == ErrorKind::environment) GTEST_SKIP() << profiler.error().text();
    ASSERT_TRUE(profiler) << profiler.error().text();
    const DeviceModule module = compile(kScale);
    const int count = 1 << 20;
    DeviceAddress x = *device_->allocate(4ull * count);
    void* function = *module.function("scale");
    // The n-th work launches the kernel n + 1 times on n + 1 blocks, between fills and a flush that are not counted.
    std::vector<CountedWork> works;
    for (std::uint32_t n = 0; n < 5; ++n) {
        works.push_back({n + 1,
                         [&] {
                             const auto filled = device_->fill(x, 0, 4ull * count);
                             return filled ? kernels_->flush_l2_by_fill() : filled;
                         },
                         [&, n] {
                             int items = 256;
                             void* parameters[] = {&x, &items};
                             DeviceStatus done;
                             for (std::uint32_t i = 0; done && i <= n; ++i) done = device_->launch(function, {.grid = {n + 1, 1, 1}, .block = {256, 1, 1}}, parameters);
                             return done;
                         }});
    }
    for (const MetricTier tier : {MetricTier::one_pass, MetricTier::four_passes, MetricTier::one_pass}) {
        const std::vector<std::string> metrics = metrics_of(tier, (*profiler)->chip());
        const auto together = (*profiler)->collect(metrics, works);
        ASSERT_TRUE(together) << together.error().text();
        ASSERT_EQ(together->size(), 15u);
        std::size_t kernel = 0;
        for (const CountedWork& work : works) {
            const auto alone = (*profiler)->collect(metrics, {work});
            ASSERT_TRUE(alone) << alone.error().text();
            ASSERT_EQ(alone->size(), work.kernels);
            for (const CounterValues& counters : *alone) {
                EXPECT_EQ((*together)[kernel++].at("smsp__inst_executed.sum"), counters.at("smsp__inst_executed.sum"));
            }
        }
        EXPECT_GT(together->back().at("smsp__inst_executed.sum"), 4 * together->front().at("smsp__inst_executed.sum") / 2);
    }
    device_->release(x);
}

// CUPTI waits inside the launch for every kernel of a session, so the limit for hangs does not reach it: who counts is watched from outside
// (workers). Here the kernel ends when another thread lets it.
TEST_F(OnDevice, AKernelInASessionIsWaitedForByItsLaunch) {
    auto profiler = Profiler::open(*device_);
    if (!profiler) GTEST_SKIP() << profiler.error().text();
    const DeviceModule module = compile("extern \"C\" __global__ void wait(volatile int* x) { while (*x == 0) {} }");
    auto word = device_->make_shared_word();
    ASSERT_TRUE(word);
    device_->set_hang_limit(0.2);
    DeviceAddress x = word->address();
    void* parameters[] = {&x};
    void* function = *module.function("wait");
    const CountedWork slow{1, [] { return DeviceStatus(); }, [&] { return device_->launch(function, {}, parameters); }};
    const std::jthread release([&] {
        std::this_thread::sleep_for(std::chrono::seconds(2));
        word->value() = 1;
    });
    const auto counters = (*profiler)->collect(MetricTier::one_pass, slow);
    EXPECT_TRUE(counters) << counters.error().text();
    EXPECT_FALSE(device_->is_hung());
}

}  // namespace
}  // namespace optiml::gpu
