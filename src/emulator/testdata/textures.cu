// Fetches of every kind that public programs make, one kernel each.

extern "C" __global__ void plane(cudaTextureObject_t image, float* result, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) result[y * width + x] = tex2D<float>(image, x + 0.5f, y + 0.5f);
}

extern "C" __global__ void colours(cudaTextureObject_t image, uchar4* result, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) result[y * width + x] = tex2D<uchar4>(image, x, y);
}

extern "C" __global__ void positions(cudaTextureObject_t image, const float2* at, float4* result, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) result[i] = tex2D<float4>(image, at[i].x, at[i].y);
}

extern "C" __global__ void elements(cudaTextureObject_t list, const int* at, int* result, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) result[i] = tex1Dfetch<int>(list, at[i]);
}

extern "C" __global__ void line(cudaTextureObject_t list, const float* at, float* result, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) result[i] = tex1D<float>(list, at[i]);
}

extern "C" __global__ void volume(cudaTextureObject_t voxels, const float4* at, float* result, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) result[i] = tex3D<float>(voxels, at[i].x, at[i].y, at[i].z);
}

extern "C" __global__ void layers(cudaTextureObject_t images, const float4* at, float* result, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) result[i] = tex2DLayered<float>(images, at[i].x, at[i].y, (int)at[i].z);
}

extern "C" __global__ void cube(cudaTextureObject_t faces, const float4* at, float* result, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) result[i] = texCubemap<float>(faces, at[i].x, at[i].y, at[i].z);
}

extern "C" __global__ void levels(cudaTextureObject_t image, const float4* at, float* result, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) result[i] = tex2DLod<float>(image, at[i].x, at[i].y, at[i].z);
}

extern "C" __global__ void gradients(cudaTextureObject_t image, const float4* at, float* result, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) result[i] = tex2DGrad<float>(image, at[i].x, at[i].y, make_float2(at[i].z, 0.0f), make_float2(0.0f, at[i].w));
}

extern "C" __global__ void gathered(cudaTextureObject_t image, const float2* at, float4* result, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) result[i] = tex2Dgather<float4>(image, at[i].x, at[i].y, 0);
}
