#include "optimizer/report_diagnosis.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "process/scratch_folder.h"

namespace optiml::optimizer {
namespace {

using diagnosis::Bottleneck;
using testing::HasSubstr;

constexpr const char* kRawHeader =
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\","
    "\"device__attribute_display_name\",\"device__attribute_multiprocessor_count\",\"dram__bytes_read.sum\",\"dram__bytes_write.sum\","
    "\"dram__throughput.avg.pct_of_peak_sustained_elapsed\",\"gpu__time_duration.sum\",\"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum\","
    "\"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\",\"launch__grid_size\",\"sm__warps_active.avg.pct_of_peak_sustained_active\","
    "\"smsp__issue_active.avg.pct_of_peak_sustained_active\"\n"
    "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"Mbyte\",\"Mbyte\",\"%\",\"us\",\"\",\"sector\",\"\",\"%\",\"%\"\n";
constexpr const char* kStart = ",\"7\",\"a\",\"127.0.0.1\",";
// A copy at 92 % of DRAM's rate, a transpose whose loads touch 32 sectors a request, and the copy again.
const std::string kReport =
    std::string(kRawHeader) +
    "\"0\"" + kStart + "\"copy(float *, const float *)\",\"1\",\"7\",\"(256, 1, 1)\",\"(65536, 1, 1)\",\"0\",\"9.0\",\"NVIDIA H200\",\"132\",\"268.4\",\"268.4\",\"92.0\",\"125.0\",\"2,097,152\",\"8,388,608\",\"65,536\",\"88.0\",\"12.0\"\n" +
    "\"1\"" + kStart + "\"transpose(float *)\",\"1\",\"7\",\"(32, 8, 1)\",\"(4096, 4, 1)\",\"0\",\"9.0\",\"NVIDIA H200\",\"132\",\"300.0\",\"268.4\",\"70.0\",\"990.0\",\"2,097,152\",\"67,108,864\",\"16,384\",\"95.0\",\"5.0\"\n" +
    "\"2\"" + kStart + "\"copy(float *, const float *)\",\"1\",\"7\",\"(256, 1, 1)\",\"(65536, 1, 1)\",\"0\",\"9.0\",\"NVIDIA H200\",\"132\",\"268.4\",\"268.4\",\"92.0\",\"127.0\",\"2,097,152\",\"8,388,608\",\"65,536\",\"88.0\",\"12.0\"\n";

TEST(ReportDiagnosis, EachKernelIsDiagnosedOnceWithWhatCouldBeTried) {
    MemoryDisk disk;
    ASSERT_TRUE(disk.write("report.csv", kReport));
    const auto diagnosis = diagnose_report("report.csv", "", disk);
    ASSERT_TRUE(diagnosis) << diagnosis.error().text();
    EXPECT_EQ(diagnosis->device, "NVIDIA H200");
    EXPECT_TRUE(diagnosis->notes.empty()) << diagnosis->notes.front();
    ASSERT_EQ(diagnosis->kernels.size(), 2u);
    const ReportedKernel& transpose = diagnosis->kernels[0];
    const ReportedKernel& copy = diagnosis->kernels[1];
    EXPECT_EQ(copy.launches, 2u);
    EXPECT_NEAR(copy.time_ms, 0.126, 1e-9);
    ASSERT_FALSE(copy.hypotheses.empty());
    EXPECT_EQ(copy.hypotheses.front().bottleneck, Bottleneck::memory_bandwidth);
    EXPECT_NEAR(copy.hypotheses.front().weight, 0.92, 1e-9);
    EXPECT_NEAR(copy.hypotheses.front().evidence.front().value, 536.8 / 0.126, 1);

    ASSERT_FALSE(transpose.hypotheses.empty());
    EXPECT_EQ(transpose.hypotheses.front().bottleneck, Bottleneck::uncoalesced_access);
    ASSERT_FALSE(transpose.promises.empty());
    EXPECT_THAT(transpose.promises.front().relieves, testing::Contains(Bottleneck::uncoalesced_access));
}

TEST(ReportDiagnosis, ADetailsReportOfTheBasicSetIsEnoughForATime) {
    MemoryDisk disk;
    const std::string start = "\"0\",\"1\",\"a\",\"h\",\"k\",\"1\",\"7\",\"(64, 1, 1)\",\"(10, 1, 1)\",\"0\",\"9.0\",\"S\",";
    ASSERT_TRUE(disk.write("details.csv", "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\","
                                          "\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n" +
                                              start + "\"Elapsed Cycles\",\"cycle\",\"1,500,000\"\n" + start + "\"SM Frequency\",\"Ghz\",\"1.50\"\n" +
                                              start + "\"DRAM Throughput\",\"%\",\"3.00\"\n" + start + "\"Issue Slots Busy\",\"%\",\"2.00\"\n"));
    const auto diagnosis = diagnose_report("details.csv", "h200", disk);
    ASSERT_TRUE(diagnosis) << diagnosis.error().text();
    EXPECT_NEAR(diagnosis->kernels.front().time_ms, 1, 1e-9);
    EXPECT_EQ(diagnosis->kernels.front().hypotheses.size(), 2u);
    EXPECT_EQ(diagnosis->device, "h200");
    ASSERT_EQ(diagnosis->notes.size(), 1u);
    EXPECT_THAT(diagnosis->notes.front(), HasSubstr("coalescing cannot be judged"));
}

TEST(ReportDiagnosis, WrongInputIsTheUsers) {
    MemoryDisk disk;
    ASSERT_TRUE(disk.write("report.csv", kReport));
    EXPECT_EQ(diagnose_report("absent.csv", "", disk).error().kind, ErrorKind::user);
    EXPECT_THAT(diagnose_report("report.csv", "toaster", disk).error().message, HasSubstr("toaster"));
    EXPECT_THAT(diagnose_report("absent.ncu-rep", "", disk).error().message, HasSubstr("absent.ncu-rep"));
}

// A folder that stands for a toolkit, whose ncu is a script.
class FakeToolkit {
public:
    explicit FakeToolkit(const std::string& script) : folder_(std::move(*process::ScratchFolder::make())) {
        const auto program = folder_.path() / "bin" / "ncu";
        std::filesystem::create_directories(program.parent_path());
        std::ofstream(program) << "#!/bin/sh\n" << script;
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        std::ofstream(folder_.path() / "table.csv") << kReport;
        ::setenv("OPTIML_CUDA_HOME", folder_.path().c_str(), 1);
    }
    ~FakeToolkit() { ::unsetenv("OPTIML_CUDA_HOME"); }
    FakeToolkit(const FakeToolkit&) = delete;
    FakeToolkit& operator=(const FakeToolkit&) = delete;

private:
    process::ScratchFolder folder_;
};

TEST(ReportDiagnosis, ABinaryReportIsExportedByNcu) {
    MemoryDisk disk;
    ASSERT_TRUE(disk.write("a.ncu-rep", "NVR"));
    {
        const FakeToolkit toolkit("[ \"$1 $2 $3 $4 $5\" = '--import a.ncu-rep --csv --page raw' ] && exec cat \"${0%/bin/ncu}/table.csv\"\nexit 9\n");
        const auto diagnosis = diagnose_report("a.ncu-rep", "", disk);
        ASSERT_TRUE(diagnosis) << diagnosis.error().text();
        EXPECT_EQ(diagnosis->kernels.size(), 2u);
    }
    const FakeToolkit refusing("echo '==ERROR== The file is of a newer version.'\nexit 1\n");
    const auto refused = diagnose_report("a.ncu-rep", "", disk);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::user);
    EXPECT_THAT(refused.error().message, HasSubstr("The file is of a newer version."));
}

}  // namespace
}  // namespace optiml::optimizer
