#include "transforms/testing.h"

namespace optiml::transforms::testing {
namespace {

class VectorizedAccessTest : public ::testing::TestWithParam<Case> {};
TEST_P(VectorizedAccessTest, Rewrites) { expect_rewritten(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Table, VectorizedAccessTest, ::testing::Values(
    Case{.name = "element",
         .before = R"(// one thread an element
__global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = fmaxf(x[i], 0.0f);  // negative values become 0
    }
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "vectorized_access", .parameters = {{"width", 4}},
         .after = R"(// one thread an element
__global__ void relu(const float* x, float* y, int n) {
    const int first_i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (first_i + 3 < n) {
        alignas(float4) float x_values[4];
        *reinterpret_cast<float4*>(x_values) = *reinterpret_cast<const float4*>(&x[first_i]);
        alignas(float4) float y_values[4];
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            y_values[k] = fmaxf(x_values[k], 0.0f);  // negative values become 0
        }
        *reinterpret_cast<float4*>(&y[first_i]) = *reinterpret_cast<float4*>(y_values);
    } else {
        for (int i = first_i; i < n; ++i) {
            y[i] = fmaxf(x[i], 0.0f);  // negative values become 0
        }
    }
}
)",
         .grid_after = {"ceil_div(n, 1024)"}, .block_after = {256}},
    Case{.name = "falling_index",
         .before = R"(__global__ void reverse(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    // from the other end
    y[i] = x[n - 1 - i];
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "vectorized_access", .parameters = {{"width", 2}},
         .after = R"(__global__ void reverse(const float* x, float* y, int n) {
    const int first_i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    // from the other end
    if (first_i + 1 < n && reinterpret_cast<size_t>(&x[n - 1 - first_i - 1]) % 8 == 0) {
        alignas(float2) float x_values[2];
        *reinterpret_cast<float2*>(x_values) = *reinterpret_cast<const float2*>(&x[n - 1 - first_i - 1]);
        alignas(float2) float y_values[2];
        #pragma unroll
        for (int k = 0; k < 2; ++k) {
            y_values[k] = x_values[1 - k];
        }
        *reinterpret_cast<float2*>(&y[first_i]) = *reinterpret_cast<float2*>(y_values);
    } else {
        for (int i = first_i; i < n && i - first_i < 2; ++i) y[i] = x[n - 1 - i];
    }
}
)",
         .grid_after = {"ceil_div(n, 512)"}, .block_after = {256}},
    Case{.name = "rows_aligned_at_run_time",
         .before = R"(__global__ void copy(const float* a, float* b, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) b[row * cols + col] = a[row * cols + col];
}
)",
         .grid = {"ceil_div(cols, 32)", "ceil_div(rows, 8)"}, .block = {32, 8},
         .transformation = "vectorized_access", .parameters = {{"width", 4}},
         .after = R"(__global__ void copy(const float* a, float* b, int rows, int cols) {
    const int first_col = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && first_col < cols) {
        if (first_col + 3 < cols && (reinterpret_cast<size_t>(&a[row * cols + first_col]) | reinterpret_cast<size_t>(&b[row * cols + first_col])) % 16 == 0) {
            alignas(float4) float a_values[4];
            *reinterpret_cast<float4*>(a_values) = *reinterpret_cast<const float4*>(&a[row * cols + first_col]);
            alignas(float4) float b_values[4];
            #pragma unroll
            for (int k = 0; k < 4; ++k) {
                b_values[k] = a_values[k];
            }
            *reinterpret_cast<float4*>(&b[row * cols + first_col]) = *reinterpret_cast<float4*>(b_values);
        } else {
            for (int col = first_col; col < cols && col - first_col < 4; ++col) b[row * cols + col] = a[row * cols + col];
        }
    }
}
)",
         .grid_after = {"ceil_div(cols, 128)", "ceil_div(rows, 8)"}, .block_after = {32, 8}},
    Case{.name = "bytes",
         .before = R"(__global__ void count(const unsigned char* x, int* counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&counts[x[i]], 1);
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "vectorized_access", .parameters = {{"width", 16}},
         .after = R"(__global__ void count(const unsigned char* x, int* counts, int n) {
    const int first_i = 16 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (first_i + 15 < n) {
        alignas(uint4) unsigned char x_values[16];
        *reinterpret_cast<uint4*>(x_values) = *reinterpret_cast<const uint4*>(&x[first_i]);
        #pragma unroll
        for (int k = 0; k < 16; ++k) {
            atomicAdd(&counts[x_values[k]], 1);
        }
    } else {
        for (int i = first_i; i < n; ++i) atomicAdd(&counts[x[i]], 1);
    }
}
)",
         .grid_after = {"ceil_div(n, 4096)"}, .block_after = {256}},
    Case{.name = "only_what_is_aligned_alike",
         .before = R"(__global__ void k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = i > 0 ? x[i - 1] : 0.0f;
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "vectorized_access", .parameters = {{"width", 4}},
         .after = R"(__global__ void k(const float* x, float* y, int n) {
    const int first_i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (first_i + 3 < n) {
        alignas(float4) float y_values[4];
        #pragma unroll
        for (int k_2 = 0; k_2 < 4; ++k_2) {
            y_values[k_2] = (first_i + k_2) > 0 ? x[(first_i + k_2) - 1] : 0.0f;
        }
        *reinterpret_cast<float4*>(&y[first_i]) = *reinterpret_cast<float4*>(y_values);
    } else {
        for (int i = first_i; i < n; ++i) y[i] = i > 0 ? x[i - 1] : 0.0f;
    }
}
)",
         .grid_after = {"ceil_div(n, 1024)"}, .block_after = {256}},
    Case{.name = "loops_of_one_thread",
         .before = R"(__global__ void scale_rows(const float* x, float* y, float* sums, int rows, int cols) {
    int row = blockIdx.x;
    const float* in = x + row * cols;
    float sum = 0.0f;
    for (int c = 0; c < cols; ++c) {
        sum += in[c];
    }
    for (int c = 0; c < cols; ++c) {
        float v = in[c] / sum;
        y[row * cols + c] = v * c;  // weighted by place
    }
    sums[row] = sum;
}
)",
         .grid = {"rows"}, .block = {1},
         .transformation = "vectorized_access", .parameters = {{"width", 4}},
         .after = R"(__global__ void scale_rows(const float* x, float* y, float* sums, int rows, int cols) {
    int row = blockIdx.x;
    const float* in = x + row * cols;
    float sum = 0.0f;
    const bool is_aligned = (reinterpret_cast<size_t>(in) | reinterpret_cast<size_t>(&y[row * cols])) % 16 == 0;
    const int vector_end = is_aligned ? cols / 4 * 4 : 0;
    for (int c = 0; c < vector_end; c += 4) {
        alignas(float4) float x_values[4];
        *reinterpret_cast<float4*>(x_values) = *reinterpret_cast<const float4*>(&in[c]);
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            sum += x_values[k];
        }
    }
    for (int c = vector_end; c < cols; ++c) {
        sum += in[c];
    }
    for (int c = 0; c < vector_end; c += 4) {
        alignas(float4) float x_values[4];
        *reinterpret_cast<float4*>(x_values) = *reinterpret_cast<const float4*>(&in[c]);
        alignas(float4) float y_values[4];
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            float v = x_values[k] / sum;
            y_values[k] = v * (c + k);  // weighted by place
        }
        *reinterpret_cast<float4*>(&y[row * cols + c]) = *reinterpret_cast<float4*>(y_values);
    }
    for (int c = vector_end; c < cols; ++c) {
        float v = in[c] / sum;
        y[row * cols + c] = v * c;  // weighted by place
    }
    sums[row] = sum;
}
)",
         .grid_after = {"rows"}, .block_after = {1}},
    Case{.name = "grid_stride_loop_and_ldg",
         .before = R"(__global__ void add(float* __restrict__ x, const float* __restrict__ y, size_t n) {
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) x[i] += __ldg(&y[i]);
}
)",
         .grid = {"1056"}, .block = {256},
         .transformation = "vectorized_access", .parameters = {{"width", 4}},
         .after = R"(__global__ void add(float* __restrict__ x, const float* __restrict__ y, size_t n) {
    const size_t vector_end = n / 4 * 4;
    for (size_t i = 4 * ((size_t)blockIdx.x * blockDim.x + threadIdx.x); i < vector_end; i += 4 * ((size_t)gridDim.x * blockDim.x)) {
        alignas(float4) float y_values[4];
        *reinterpret_cast<float4*>(y_values) = __ldg(reinterpret_cast<const float4*>(&y[i]));
        alignas(float4) float x_values[4];
        *reinterpret_cast<float4*>(x_values) = *reinterpret_cast<const float4*>(&x[i]);
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
            x_values[k] += y_values[k];
        }
        *reinterpret_cast<float4*>(&x[i]) = *reinterpret_cast<float4*>(x_values);
    }
    for (size_t i = vector_end + (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
        x[i] += __ldg(&y[i]);
    }
}
)",
         .grid_after = {"1056"}, .block_after = {256}},
    Case{.name = "not_what_may_be_skipped",
         .before = R"(__global__ void k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (x[0] > 0.0f) y[i] = x[n];
    }
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "vectorized_access", .parameters = {{"width", 4}},
         .after = "", .grid_after = {}, .block_after = {}},
    Case{.name = "not_past_an_access_that_could_be_the_same",
         .before = R"(__global__ void k(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = x[i] + x[n];
}
)",
         .grid = {"ceil_div(n, 256)"}, .block = {256},
         .transformation = "vectorized_access", .parameters = {{"width", 4}},
         .after = "", .grid_after = {}, .block_after = {}},
    Case{.name = "not_where_each_thread_keeps_its_own_sum",
         .before = R"(__global__ void k(const float* x, float* y, int n) {
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[i];
    y[threadIdx.x] = sum;
}
)",
         .grid = {"1"}, .block = {256},
         .transformation = "vectorized_access", .parameters = {{"width", 4}},
         .after = "", .grid_after = {}, .block_after = {}}),
    name_of);

}  // namespace
}  // namespace optiml::transforms::testing
