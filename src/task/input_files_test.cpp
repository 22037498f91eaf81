#include "task/input_files.h"

#include <gtest/gtest.h>

namespace optiml::task {
namespace {

constexpr std::string_view kTask = R"toml(kernel = "k"
[sizes]
n = { small = 4, large = 8 }
[arguments]
x = { type = "f32", extent = "n", fill = { file = "x.bin" } }
y = { type = "f32", extent = "n", role = "output" }
n = "i32"
[launch]
grid = 1
block = 32
[compile]
include_paths = ["k/headers"]
)toml";

class InputFiles : public testing::Test {
protected:
    void SetUp() override {
        write("k/k.cu", "#include \"a.h\"\n#include <cuda_fp16.h>\n__global__ void k(const float* x, float* y, int n) {}\n");
        write("k/a.h", "#include <b.h>\n#include \"a.h\"\n");
        write("k/headers/b.h", "int b;\n");
        write("k/x.bin", "0123456789abcdef");
    }
    void write(const char* file, const char* text) { EXPECT_TRUE(disk_.write(file, text)); }
    Digest digest() {
        const auto task = parse_task(kTask, "k/k.toml", disk_);
        EXPECT_TRUE(task) << task.error().text();
        return digest_with_files(*task, disk_);
    }

    MemoryDisk disk_;
};

TEST_F(InputFiles, DigestFollowsTheContentsOfEachFile) {
    const Digest before = digest();
    EXPECT_EQ(digest(), before);
    write("k/x.bin", "0123456789abcdeX");
    const Digest values = digest();
    EXPECT_NE(values, before);
    write("k/a.h", "#include <b.h>\n");
    const Digest header = digest();
    EXPECT_NE(header, values);
    write("k/headers/b.h", "int c;\n");
    EXPECT_NE(digest(), header);
}

TEST_F(InputFiles, DigestKnowsNothingOfOtherFiles) {
    const Digest before = digest();
    write("k/c.h", "int c;\n");
    EXPECT_EQ(digest(), before);
}

}  // namespace
}  // namespace optiml::task
