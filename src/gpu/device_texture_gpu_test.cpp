// Runs on a machine with an NVIDIA GPU; says SKIP elsewhere (CTest label gpu).
#include "gpu/device_texture.h"

#include "base/texture_test.h"
#include "gpu/on_device_test.h"

namespace optiml::gpu {
namespace {

constexpr const char* kFetches = R"(
extern "C" __global__ void plane(cudaTextureObject_t image, const float4* at, float4* result) { result[threadIdx.x] = tex2D<float4>(image, at[threadIdx.x].x, at[threadIdx.x].y); }
extern "C" __global__ void elements(cudaTextureObject_t list, const float4* at, float4* result) { result[threadIdx.x].x = tex1Dfetch<float>(list, (int)at[threadIdx.x].x); }
extern "C" __global__ void line(cudaTextureObject_t list, const float4* at, float4* result) { result[threadIdx.x].x = tex1D<float>(list, at[threadIdx.x].x); }
extern "C" __global__ void volume(cudaTextureObject_t voxels, const float4* at, float4* result) { result[threadIdx.x].x = tex3D<float>(voxels, at[threadIdx.x].x, at[threadIdx.x].y, at[threadIdx.x].z); }
extern "C" __global__ void lines(cudaTextureObject_t images, const float4* at, float4* result) { result[threadIdx.x].x = tex1DLayered<float>(images, at[threadIdx.x].x, (int)at[threadIdx.x].y); }
extern "C" __global__ void layers(cudaTextureObject_t images, const float4* at, float4* result) { result[threadIdx.x].x = tex2DLayered<float>(images, at[threadIdx.x].x, at[threadIdx.x].y, (int)at[threadIdx.x].z); }
extern "C" __global__ void cube(cudaTextureObject_t faces, const float4* at, float4* result) { result[threadIdx.x].x = texCubemap<float>(faces, at[threadIdx.x].x, at[threadIdx.x].y, at[threadIdx.x].z); }
extern "C" __global__ void levels(cudaTextureObject_t image, const float4* at, float4* result) { result[threadIdx.x].x = tex2DLod<float>(image, at[threadIdx.x].x, at[threadIdx.x].y, at[threadIdx.x].z); }
extern "C" __global__ void doubled(cudaSurfaceObject_t surface) { surf2Dwrite(2 * surf2Dread<float>(surface, threadIdx.x * 4, threadIdx.y), surface, threadIdx.x * 4, threadIdx.y); }
extern "C" __global__ void gathered(cudaTextureObject_t image, const float4* at, float4* result) { result[threadIdx.x] = tex2Dgather<float4>(image, at[threadIdx.x].x, at[threadIdx.x].y, 0); }
)";

// What the emulator's tests (emulator/textures/texture_fetch_test.cpp) say of the same fetches.
class TexturesOnDevice : public DeviceTest {
protected:
    void SetUp() override {
        DeviceTest::SetUp();
        if (compiler_ == nullptr) return;
        module_ = std::make_unique<DeviceModule>(compile(kFetches));
    }

    template <class Element>
    std::vector<Float4> fetched(const std::string& kernel, const std::vector<Element>& texels, const TextureDescription& description,
                                const std::vector<Float4>& places) {
        DeviceAddress memory = *device_->allocate(description.layout.bytes());
        DeviceAddress at = *device_->allocate(places.size() * sizeof(Float4));
        DeviceAddress result = *device_->allocate(places.size() * sizeof(Float4));
        std::vector<Float4> values(places.size());
        {
            auto texture = DeviceTexture::make(*device_, description, memory);
            EXPECT_TRUE(texture) << texture.error().text();
            EXPECT_EQ(texels.size() * sizeof(Element), description.layout.bytes());
            EXPECT_TRUE(device_->write(memory, texels.data(), description.layout.bytes()));
            EXPECT_TRUE(texture->load());
            EXPECT_TRUE(device_->write(at, places.data(), places.size() * sizeof(Float4)));
            EXPECT_TRUE(device_->fill(result, 0, places.size() * sizeof(Float4)));
            std::uint64_t handle = texture->handle();
            void* parameters[] = {&handle, &at, &result};
            EXPECT_TRUE(device_->launch(*module_->function(kernel), {.block = {static_cast<std::uint32_t>(places.size()), 1, 1}}, parameters));
            EXPECT_TRUE(device_->synchronize());
            EXPECT_TRUE(device_->read(result, values.data(), values.size() * sizeof(Float4)));
            EXPECT_TRUE(device_->synchronize());
        }
        for (const DeviceAddress address : {memory, at, result}) device_->release(address);
        return values;
    }

    std::vector<float> first_channels(const std::vector<Float4>& values) {
        std::vector<float> first;
        for (const Float4& value : values) first.push_back(value.x);
        return first;
    }

    std::unique_ptr<DeviceModule> module_;
};

TEST_F(TexturesOnDevice, LinearFiltersWeighFourTexels) {
    TextureDescription image = described(TextureShape::two_d, 2, 2);
    image.sampling.filter = TextureFilter::linear;
    const auto values = fetched<float>("plane", {0, 16, 32, 64}, image, {{0.5f, 0.5f}, {1, 1}, {0.75f, 1.25f}});
    EXPECT_EQ(values[0], (Float4{0, 0, 0, 0}));
    EXPECT_EQ(values[1].x, 28);
    EXPECT_EQ(values[2].x, 0.25f * 4 + 0.75f * 40);
}

TEST_F(TexturesOnDevice, IntegersBecomeNormalizedFloats) {
    TextureDescription image = described(TextureShape::two_d, 2, 1);
    image.layout.channel = ChannelType::i8;
    image.layout.channels = 2;
    image.sampling.normalized_floats = true;
    const auto values = fetched<std::int8_t>("plane", {127, -128, 64, -64}, image, {{0.5f, 0.5f}, {1.5f, 0.5f}});
    EXPECT_EQ(values[0], (Float4{1, -1, 0, 0}));
    EXPECT_EQ(values[1], (Float4{64.0f / 127, -64.0f / 127, 0, 0}));
}

TEST_F(TexturesOnDevice, ElementsOfLinearMemoryByIndex) {
    EXPECT_EQ(first_channels(fetched<float>("elements", {7, -8, 9, 10, 11}, described(TextureShape::linear, 5), {{1}, {4}, {0}, {5}, {-1}})),
              (std::vector<float>{-8, 11, 7, 0, 0}));
}

TEST_F(TexturesOnDevice, OneAndThreeAxes) {
    TextureDescription line = described(TextureShape::one_d, 4);
    line.sampling = {.filter = TextureFilter::linear, .address = {TextureAddressMode::wrap}, .normalized_coordinates = true};
    EXPECT_EQ(first_channels(fetched<float>("line", {0, 8, 16, 24}, line, {{0.125f}, {0.25f}, {1.0f}})), (std::vector<float>{0, 4, 12}));
    EXPECT_EQ(first_channels(fetched<float>("volume", counted(60), described(TextureShape::three_d, 3, 4, 5), {{2.5f, 3.5f, 4.5f}, {0.5f, 1.5f, 2.5f}})),
              (std::vector<float>{59, 27}));
}

TEST_F(TexturesOnDevice, AddressModes) {
    struct Row {
        TextureAddressMode mode;
        std::vector<float> values;
    };
    const std::vector<Float4> places{{-0.3f}, {1.1f}, {2.3f}};
    for (const Row& row : {Row{TextureAddressMode::clamp, {1, 5, 5}}, Row{TextureAddressMode::wrap, {4, 1, 2}},
                           Row{TextureAddressMode::mirror, {2, 5, 2}}, Row{TextureAddressMode::border, {0, 0, 0}}}) {
        TextureDescription line = described(TextureShape::one_d, 5);
        line.sampling = {.address = {row.mode}, .normalized_coordinates = true};
        EXPECT_EQ(first_channels(fetched<float>("line", {1, 2, 3, 4, 5}, line, places)), row.values) << name_of(row.mode);
    }
}

TEST_F(TexturesOnDevice, LayersAndFaces) {
    TextureDescription lines = described(TextureShape::one_d_layered, 3);
    lines.layout.layers = 2;
    EXPECT_EQ(first_channels(fetched<float>("lines", counted(6), lines, {{0.5f, 1}, {2.5f, 0}})), (std::vector<float>{3, 2}));
    TextureDescription images = described(TextureShape::two_d_layered, 2, 2);
    images.layout.layers = 3;
    EXPECT_EQ(first_channels(fetched<float>("layers", counted(12), images, {{0.5f, 1.5f, 2}, {1.5f, 0.5f, 1}})), (std::vector<float>{10, 5}));
    TextureDescription faces = described(TextureShape::cube, 1, 1);
    faces.layout.layers = 6;
    EXPECT_EQ(first_channels(fetched<float>("cube", counted(6), faces, {{2, 1, 1}, {-2, 1, 1}, {0, 3, 1}, {0, -3, 1}, {0, 1, 2}, {0, 1, -2}})), counted(6));
}

TEST_F(TexturesOnDevice, LevelsOfDetail) {
    TextureDescription image = described(TextureShape::two_d, 4, 4);
    image.layout.levels = 3;
    image.sampling.normalized_coordinates = true;
    std::vector<float> texels(16, 1);
    texels.insert(texels.end(), 4, 2);
    texels.push_back(3);
    EXPECT_EQ(first_channels(fetched("levels", texels, image, {{0.1f, 0.9f, 0}, {0.1f, 0.9f, 1}, {0.1f, 0.9f, 5}})), (std::vector<float>{1, 2, 3}));
}

TEST_F(TexturesOnDevice, SurfacesAreReadAndWritten) {
    const TextureDescription description = described(TextureShape::two_d, 5, 3);
    const std::vector<float> texels = counted(15);
    std::vector<float> values(15);
    const DeviceAddress memory = *device_->allocate(description.layout.bytes());
    {
        auto surface = DeviceTexture::make(*device_, description, memory, TextureUse::surface);
        ASSERT_TRUE(surface) << surface.error().text();
        EXPECT_TRUE(device_->write(memory, texels.data(), description.layout.bytes()));
        EXPECT_TRUE(surface->load());
        std::uint64_t handle = surface->handle();
        void* parameters[] = {&handle};
        EXPECT_TRUE(device_->launch(*module_->function("doubled"), {.block = {5, 3, 1}}, parameters));
        EXPECT_TRUE(surface->store());
        EXPECT_TRUE(device_->synchronize());
        EXPECT_TRUE(device_->read(memory, values.data(), description.layout.bytes()));
        EXPECT_TRUE(device_->synchronize());
    }
    device_->release(memory);
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], 2 * texels[i]);
}

TEST_F(TexturesOnDevice, GatheredTexelsGoRound) {
    EXPECT_EQ(fetched("gathered", counted(9), described(TextureShape::two_d, 3, 3), {{1.0f, 2.0f}}), (std::vector<Float4>{{6, 7, 4, 3}}));
}

}  // namespace
}  // namespace optiml::gpu
