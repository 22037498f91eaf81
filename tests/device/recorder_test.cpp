// Recording calibration entries on a scripted driver.
#include "evaluation/device/entry_recorder.h"

#include <cstdlib>
#include <cstring>

#include "session_fixture.h"

namespace optiml::evaluation::device {
namespace {

constexpr std::int32_t kCount = 512;
const std::vector<std::string> kMetrics = {"smsp__inst_executed.sum", "dram__bytes_read.sum"};

RecordedLaunch launch_of(std::uint32_t index) {
    RecordedLaunch launch;
    launch.index = index;
    launch.kernel = "scale";
    launch.grid = {8, 1, 1};
    launch.block = {64, 1, 1};
    launch.dynamic_shared = 32;
    std::vector<std::uint8_t> count(sizeof kCount);
    std::memcpy(count.data(), &kCount, sizeof kCount);
    launch.arguments = {std::uint32_t{0}, std::uint32_t{1}, count};
    return launch;
}

RecordedEntry entry_of(std::uint32_t described_launches, std::uint32_t all_launches) {
    RecordedEntry entry;
    entry.id = "scale/plain@medium";
    entry.file = "scale.cu";
    entry.buffers = {{"x", "f32", kCount, "uniform", false}, {"y", "f32", kCount, "zero", true}};
    entry.launch_count = all_launches;
    for (std::uint32_t i = 0; i < described_launches; ++i) entry.launches.push_back(launch_of(i));
    return entry;
}

class Recorder : public testing::Test {
protected:
    static void SetUpTestSuite() { ::setenv("OPTIML_CUDA_HOME", SCRIPTED_TOOLKIT, 1); }
    void SetUp() override {
        scripted_reset();
        auto tools = DeviceTools::open(0, image_of("evaluator"), {});
        ASSERT_TRUE(tools) << tools.error().text();
        tools_ = std::move(*tools);
    }
    Result<MeasuredEntry> record(const RecordedEntry& entry, const std::string& code) {
        return EntryRecorder(*tools_, nullptr).record(entry, image_of(code), kMetrics);
    }

    std::unique_ptr<DeviceTools> tools_;
};

TEST_F(Recorder, TimesAndCountsAnEntry) {
    const auto measured = record(entry_of(1, 1), "50 right");
    ASSERT_TRUE(measured) << measured.error().text();
    EXPECT_NEAR(measured->cold_ms, 0.05, 0.0005);
    EXPECT_NEAR(measured->warm_ms, 0.05, 0.0005);
    ASSERT_EQ(measured->launches.size(), 1u);
    const MeasuredLaunch& launch = measured->launches[0];
    EXPECT_EQ(launch.registers, 16u);
    EXPECT_EQ(launch.counters.at("smsp__inst_executed.sum"), 50);
    EXPECT_EQ(launch.properties.at("launch__shared_mem_per_block_dynamic"), 32);
    EXPECT_EQ(launch.properties.at("launch__waves_per_multiprocessor"), 8.0 / (8 * 4)) << "8 blocks fit on each of 4 multiprocessors";
}

TEST_F(Recorder, AllLaunchesOfAWholeEntryAreTimedTogether) {
    const auto measured = record(entry_of(3, 3), "50 right");
    ASSERT_TRUE(measured) << measured.error().text();
    EXPECT_NEAR(measured->cold_ms, 0.15, 0.0015);
    EXPECT_EQ(measured->launches.size(), 3u);
}

TEST_F(Recorder, LaunchesThatAreNotDescribedAreTakenToLastAsLong) {
    const auto measured = record(entry_of(2, 10), "50 right");
    ASSERT_TRUE(measured) << measured.error().text();
    EXPECT_NEAR(measured->warm_ms, 0.5, 0.05);
    EXPECT_EQ(measured->launches.size(), 2u);
}

// Scripted kernels of this kind fault on what an earlier launch has added to.
TEST_F(Recorder, BuffersAreClearedBeforeEachSampleAndRestoredBeforeEachPass) {
    EXPECT_TRUE(record(entry_of(1, 1), "50 adds"));
    RecordedEntry entry = entry_of(1, 1);
    entry.buffers[1].zero_before_each = false;
    EXPECT_FALSE(record(entry, "50 adds"));
}

TEST_F(Recorder, AKernelThatTheFileLacksIsTheUsersError) {
    RecordedEntry entry = entry_of(1, 1);
    entry.launches[0].kernel = "absent";
    const auto measured = record(entry, "50 right");
    ASSERT_FALSE(measured);
    EXPECT_EQ(measured.error().kind, ErrorKind::user);
}

TEST_F(Recorder, AnUnknownFillIsTheUsersError) {
    RecordedEntry entry = entry_of(1, 1);
    entry.buffers[0].fill = "nonsense";
    const auto measured = record(entry, "50 right");
    ASSERT_FALSE(measured);
    EXPECT_EQ(measured.error().kind, ErrorKind::user);
}

TEST_F(Recorder, FailuresOnTheDeviceAreErrorsAndNoFigures) {
    for (const char* code : {"50 refused", "50 fault"}) {
        const auto measured = record(entry_of(1, 1), code);
        ASSERT_FALSE(measured) << code;
        EXPECT_EQ(measured.error().kind, ErrorKind::environment) << code;
    }
}

TEST_F(Recorder, AKernelThatNeverEndsIsLeftToItself) {
    tools_->device->set_hang_limit(0.05);
    const auto measured = record(entry_of(1, 1), "50 endless");
    ASSERT_FALSE(measured);
    EXPECT_TRUE(tools_->device->is_hung());
    (void)tools_.release();  // giving it back would wait for the kernel
}

}  // namespace
}  // namespace optiml::evaluation::device
