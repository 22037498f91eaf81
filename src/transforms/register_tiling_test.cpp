#include "transforms/testing.h"

namespace optiml::transforms::testing {
namespace {

class RegisterTilingTest : public ::testing::TestWithParam<Case> {};
TEST_P(RegisterTilingTest, Rewrites) { expect_rewritten(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Table, RegisterTilingTest, ::testing::Values(
    Case{.name = "filters_share_their_input",
         .before = R"(__global__ void layer(const float* in, const float* weights, float* out, int filters, int channels, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= filters * width) return;
    int x = i % width;
    int filter = i / width;
    float sum = 0.0f;
    for (int c = 0; c < channels; ++c) {
        // shared by the filters
        float value = in[c * width + x];
        if (value > 0.0f) {
            sum += value * weights[filter * channels + c];
        }
    }
    out[i] = sum;
}
)",
         .grid = {"ceil_div(filters * width, 128)"}, .block = {128},
         .transformation = "register_tiling", .parameters = {{"elements", 4}},
         .after = R"(__global__ void layer(const float* in, const float* weights, float* out, int filters, int channels, int width) {
    const int filter_groups = (filters + 3) / 4;
    const int i_group = blockIdx.x * blockDim.x + threadIdx.x;
    if (i_group >= filter_groups * width) return;
    int x = i_group % width;
    const int filter_group = i_group / width;
    const int first_filter = 4 * filter_group;
    if (first_filter + 3 < filters) {
        float sum[4];
        #pragma unroll
        for (int element = 0; element < 4; ++element) sum[element] = 0.0f;
        for (int c = 0; c < channels; ++c) {
            // shared by the filters
            float value = in[c * width + x];
            if (value > 0.0f) {
                #pragma unroll
                for (int element = 0; element < 4; ++element) {
                    const int filter = first_filter + element;
                    sum[element] += value * weights[filter * channels + c];
                }
            }
        }
        #pragma unroll
        for (int element = 0; element < 4; ++element) {
            const int i = (first_filter + element) * width + x;
            out[i] = sum[element];
        }
    } else {
        for (int filter = first_filter; filter < filters; ++filter) {
            const int i = filter * width + x;
            float sum = 0.0f;
            for (int c = 0; c < channels; ++c) {
                // shared by the filters
                float value = in[c * width + x];
                if (value > 0.0f) {
                    sum += value * weights[filter * channels + c];
                }
            }
            out[i] = sum;
        }
    }
}
)",
         .grid_after = {"ceil_div(ceil_div(filters, 4) * width, 128)"}, .block_after = {128}},
    Case{.name = "rows_and_columns_share_their_operands",
         .before = R"(__global__ void layer(const float* in, const float* weights, float* out, int images, int filters, int channels, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= images * filters * width) return;
    int x = i % width;
    int filter = i / width % filters;
    int image = i / (width * filters);
    float sum = 0.0f;
    for (int c = 0; c < channels; ++c) {
        sum += in[(image * channels + c) * width + x] * weights[filter * channels + c];
    }
    out[i] = sum;
}
)",
         .grid = {"ceil_div(images * filters * width, 128)"}, .block = {128},
         .transformation = "register_tiling", .parameters = {{"elements", 8}, {"slower_elements", 4}},
         .after = R"(__global__ void layer(const float* in, const float* weights, float* out, int images, int filters, int channels, int width) {
    const int filter_groups = (filters + 7) / 8;
    const int image_groups = (images + 3) / 4;
    const int i_group = blockIdx.x * blockDim.x + threadIdx.x;
    if (i_group >= image_groups * filter_groups * width) return;
    int x = i_group % width;
    const int filter_group = i_group / width % filter_groups;
    const int image_group = i_group / (width * filter_groups);
    const int first_filter = 8 * filter_group;
    const int first_image = 4 * image_group;
    if (first_filter + 7 < filters && first_image + 3 < images) {
        float sum[32];
        #pragma unroll
        for (int element = 0; element < 32; ++element) sum[element] = 0.0f;
        for (int c = 0; c < channels; ++c) {
            #pragma unroll
            for (int element = 0; element < 32; ++element) {
                const int filter = first_filter + element % 8;
                const int image = first_image + element / 8;
                sum[element] += in[(image * channels + c) * width + x] * weights[filter * channels + c];
            }
        }
        #pragma unroll
        for (int element = 0; element < 32; ++element) {
            const int i = ((first_image + element / 8) * filters + first_filter + element % 8) * width + x;
            out[i] = sum[element];
        }
    } else {
        for (int image = first_image; image < images && image < first_image + 4; ++image) {
            for (int filter = first_filter; filter < filters && filter < first_filter + 8; ++filter) {
                const int i = (image * filters + filter) * width + x;
                float sum = 0.0f;
                for (int c = 0; c < channels; ++c) {
                    sum += in[(image * channels + c) * width + x] * weights[filter * channels + c];
                }
                out[i] = sum;
            }
        }
    }
}
)",
         .grid_after = {"ceil_div(ceil_div(images, 4) * ceil_div(filters, 8) * width, 128)"}, .block_after = {128}},
    Case{.name = "not_where_an_element_leaves_the_loop",
         .before = R"(__global__ void layer(const float* in, const float* weights, float* out, int filters, int channels, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= filters * width) return;
    int x = i % width;
    int filter = i / width;
    float sum = 0.0f;
    for (int c = 0; c < channels; ++c) {
        // shared by the filters
        float value = in[c * width + x];
        if (weights[filter] < 0.0f) break;
        if (value > 0.0f) {
            sum += value * weights[filter * channels + c];
        }
    }
    out[i] = sum;
}
)",
         .grid = {"ceil_div(filters * width, 128)"}, .block = {128},
         .transformation = "register_tiling", .parameters = {{"elements", 4}},
         .after = "", .grid_after = {}, .block_after = {}},
    Case{.name = "not_where_nothing_is_shared",
         .before = R"(__global__ void layer(const float* in, const float* weights, float* out, int filters, int channels, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= filters * width) return;
    int x = i % width;
    int filter = i / width;
    float sum = 0.0f;
    for (int c = 0; c < channels; ++c) {
        // shared by the filters
        float value = in[i];
        if (value > 0.0f) {
            sum += value * weights[filter * channels + c];
        }
    }
    out[i] = sum;
}
)",
         .grid = {"ceil_div(filters * width, 128)"}, .block = {128},
         .transformation = "register_tiling", .parameters = {{"elements", 4}},
         .after = "", .grid_after = {}, .block_after = {}}),
    name_of);

}  // namespace
}  // namespace optiml::transforms::testing
