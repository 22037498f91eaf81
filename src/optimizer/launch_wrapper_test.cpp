#include "optimizer/launch_wrapper.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/disk.h"
#include "process/process.h"

namespace optiml::optimizer {
namespace {

using testing::HasSubstr;

// A task whose plan uses all that plans can do.
const char* const kTask = R"toml(kernel = "pass"
[sizes]
n = { small = 1000, large = "2^20" }
[arguments]
x = { type = "f32", extent = "n" }
half = { type = "f16", extent = "n", role = "output" }
y = { type = "f32", extent = "n", role = "output" }
eps = { type = "f32", value = 1e-5 }
n = "i32"
[compile]
defines = ["SCALE=3"]
[scratch]
other = { type = "f32", extent = "2 * n" }
[[launch]]
clear = { buffer = "y", value = 255 }
[[launch]]
kernel = "start<float, 4>"
grid = ["ceil_div(n, 256)", "max(1, n / 2^20, 2)"]
block = 256
dynamic_shared = "65536"
arguments = ["x", { buffer = "other", offset = "n" }, "eps", { value = "2 * n", type = "i64" }]
[[launch]]
repeat = { variable = "k", from = 1, while = "k < n", next = "2 * k", counter = "step" }
steps = [
    { kernel = "pass", grid = "ceil_div(n, 64)", block = 64, arguments = [{ buffers = ["y", "other"], select = "step % 2" }, "half", "n"] },
    { clear = "other" },
]
)toml";

const char* const kKernels = R"(#include <cuda_fp16.h>
template <class T, int N> __global__ void start(const T* x, T* y, float eps, long long n) { if (n > 0) y[0] = x[0] + eps * N * SCALE; }
__global__ void pass(float* y, __half* h, int n) { y[n - 1] = 0; h[0] = __half(); }
)";

task::Task example() {
    MemoryDisk disk;
    (void)disk.write("passes.cu", kKernels);
    const Result<task::Task> task = task::parse_task(kTask, "passes.toml", disk);
    EXPECT_TRUE(task) << (task ? "" : task.error().text());
    return *task;
}

TEST(LaunchWrapper, IsThePlanAsHostCode) {
    const task::Task task = example();
    const std::string text = launch_wrapper(task, task::original_of(task), "passes.cu");
    for (const char* part : {
             "#include \"passes.cu\"",
             "static inline cudaError_t launch_passes(const float* x, __half* half, float* y, long long n, double eps = 1e-05, cudaStream_t stream",
             "cudaMallocAsync(&other, (2 * n) * 4, stream)",
             "cudaMemsetAsync(y, 255, (n) * 4, stream)",
             "allow_shared(start<float, 4>, shared)",
             "const integer shared = 65536LL;",
             "Extents grid{ceil_div(n, 256), max(1, n / power(2, 20), 2), 1}",
             "(Pointer{x}, Pointer{other + (n)}, static_cast<float>(eps), static_cast<long long>(2 * n))",
             "for (integer k = 1; k < n; k = 2 * k, ++step) {",
             "choose(step % 2, Pointer{y}, Pointer{other})",
             "cudaFreeAsync(other, stream)",
             "if (!fits<int>(n)) return cudaErrorInvalidValue;",
             "if (!is_aligned(x, 0)) return cudaErrorMisalignedAddress;",
             "if (n < 0) return cudaErrorInvalidValue;",
             "#undef SCALE\n#define SCALE 3\n",
         }) {
        EXPECT_THAT(text, HasSubstr(part));
    }
    // The clear inside the loop stands inside the loop.
    EXPECT_LT(text.find("for (integer k"), text.find("cudaMemsetAsync(other, 0"));
}

TEST(LaunchWrapper, TextureObjectsAreTheCallers) {
    MemoryDisk disk;
    (void)disk.write("blur.cu", "__global__ void blur(cudaTextureObject_t image, cudaSurfaceObject_t marks, float* y, int w) {}");
    const Result<task::Task> task = task::parse_task(R"toml(kernel = "blur"
[sizes]
w = { small = 8, minimum = 1 }
[arguments]
image = { texture = "2d", type = "u8", channels = 4, extent = ["w", "2 * w"], filter = "linear", normalized = true, address = ["wrap", "clamp"], read = "normalized_float" }
marks = { surface = "1d", type = "u32", extent = "w", role = "output" }
y = { type = "f32", extent = "w", role = "output" }
w = "i32"
[launch]
grid = 1
block = 32
)toml",
                                                     "blur.toml", disk);
    ASSERT_TRUE(task) << task.error().text();
    const std::string text = launch_wrapper(*task, task::original_of(*task), "blur.cu");
    EXPECT_THAT(text, HasSubstr("launch_blur(cudaTextureObject_t image, cudaSurfaceObject_t marks, float* y, long long w, cudaStream_t stream"));
    EXPECT_THAT(text, HasSubstr("(image, marks, Pointer{y}, static_cast<int>(w))"));
    EXPECT_THAT(text, testing::Not(HasSubstr("is_aligned(image")));
    EXPECT_THAT(text, HasSubstr("// marks: a 1d surface of w, 1 channels of unsigned int."));
    EXPECT_THAT(text, HasSubstr("// image: a 2d texture of w x 2 * w, 4 channels of unsigned char, 1 levels, filter linear, address wrap clamp, normalized "
                                "coordinates, read as normalized floats."));
}

// Runs the wrapper's own function on a runtime that notes what it is asked for.
TEST(LaunchWrapper, AsksForSharedMemoryTogetherWithTheKernelsOwn) {
    const task::Task task = example();
    const std::string text = launch_wrapper(task, task::original_of(task), "passes.cu");
    const std::size_t begin = text.find("template <class Kernel> cudaError_t allow_shared");
    ASSERT_NE(begin, std::string::npos);
    const std::string function = text.substr(begin, text.find("\n}\n", begin) + 3 - begin);
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("optiml_shared_" + std::to_string(::getpid()));
    RealDisk disk;
    ASSERT_TRUE(disk.write(folder / "main.cpp", R"(#include <cstddef>
#include <cstdio>
using integer = long long;
enum cudaError_t { cudaSuccess };
enum Attribute { cudaFuncAttributeMaxDynamicSharedMemorySize };
struct cudaFuncAttributes { std::size_t sharedSizeBytes; };
int asked_for = 0;
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, std::size_t kernel) { attributes->sharedSizeBytes = kernel; return cudaSuccess; }
cudaError_t cudaFuncSetAttribute(std::size_t, Attribute, int bytes) { asked_for = bytes; return cudaSuccess; }
)" + function + R"(
int asked(std::size_t kernels_own, integer bytes) { asked_for = 0; allow_shared(kernels_own, bytes); return asked_for; }
int main() { std::printf("%d %d %d %d %d", asked(0, 49152), asked(0, 49153), asked(1, 49152), asked(49152, 0), asked(49152, 1)); }
)"));
    const auto compiled = process::run({{"c++", "-std=c++17", "-o", (folder / "main").string(), (folder / "main.cpp").string()}});
    ASSERT_TRUE(compiled);
    ASSERT_EQ(compiled->exit_status, 0) << compiled->standard_error;
    const auto outcome = process::run({{(folder / "main").string()}});
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->standard_output, "0 49153 49152 0 1");
    std::filesystem::remove_all(folder);
}

TEST(LaunchWrapper, CompilesWhereThereIsACudaCompiler) {
    std::string compiler = process::find_program("nvcc");
    if (compiler.empty() && std::filesystem::exists("/usr/local/cuda/bin/nvcc")) compiler = "/usr/local/cuda/bin/nvcc";
    if (compiler.empty()) GTEST_SKIP() << "no nvcc here";
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("optiml_wrapper_" + std::to_string(::getpid()));
    RealDisk disk;
    const task::Task task = example();
    ASSERT_TRUE(disk.write(folder / "passes.cu", kKernels));
    ASSERT_TRUE(disk.write(folder / "passes_launch.cuh", launch_wrapper(task, task::original_of(task), "passes.cu")));
    task::Task other = task;
    other.name = "again";
    ASSERT_TRUE(disk.write(folder / "again_launch.cuh", launch_wrapper(other, task::original_of(other), "passes.cu")));
    // Two wrappers of kernels of one name in one file, and one of them in a second file.
    ASSERT_TRUE(disk.write(folder / "main.cu", "#include \"passes_launch.cuh\"\n#include \"again_launch.cuh\"\nint second();\n"
                                               "int main() { return launch_passes(0, 0, 0, 8) + launch_again(0, 0, 0, 8) + second(); }\n"));
    ASSERT_TRUE(disk.write(folder / "second.cu", "#include \"passes_launch.cuh\"\nint second() { return launch_passes(0, 0, 0, 8); }\n"));
    const auto outcome = process::run({{compiler, "-arch=sm_90", "-o", (folder / "main").string(), (folder / "main.cu").string(),
                                        (folder / "second.cu").string()}});
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->exit_status, 0) << outcome->standard_error;
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace optiml::optimizer
