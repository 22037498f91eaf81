// Adds each item's row to the row of its target; several items may have the same one. One thread an element of x.
__global__ void scatter_add(const float* x, const int* index, float* y, int items, int targets, int dim) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < items * dim) {
        y[index[i / dim] * dim + i % dim] += x[i];
    }
}
