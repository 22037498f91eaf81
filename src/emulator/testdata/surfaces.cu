// Surfaces that are read and written.

extern "C" __global__ void double_texels(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) surf2Dwrite(2 * surf2Dread<float>(from, x * 4, y), to, x * 4, y);
}

// The last column lies outside.
extern "C" __global__ void shifted(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int mode) {
    int x = threadIdx.x;
    float value = mode == 0 ? surf2Dread<float>(from, (x + 1) * 4, 0)
                  : mode == 1 ? surf2Dread<float>(from, (x + 1) * 4, 0, cudaBoundaryModeClamp)
                              : surf2Dread<float>(from, (x + 1) * 4, 0, cudaBoundaryModeZero);
    surf2Dwrite(value, to, x * 4, 0);
}

// Each thread reads what its neighbour writes.
extern "C" __global__ void in_place(cudaSurfaceObject_t image) {
    int x = threadIdx.x;
    surf2Dwrite(surf2Dread<float>(image, (x ^ 1) * 4, 0) + 1, image, x * 4, 0);
}

extern "C" __global__ void voxels(cudaSurfaceObject_t to) {
    surf3Dwrite(make_uchar4(threadIdx.x, threadIdx.y, threadIdx.z, 7), to, threadIdx.x * 4, threadIdx.y, threadIdx.z);
}
