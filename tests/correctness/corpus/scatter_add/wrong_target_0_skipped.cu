// Adds each item's row to the row of its target; a thread walks over four items and adds runs of one target at once.
__global__ void scatter_add(const float* __restrict__ x, const int* __restrict__ index, float* __restrict__ y, int items, int targets, int dim) {
    int d = blockIdx.y * blockDim.x + threadIdx.x;
    int first = blockIdx.x * 4;
    if (d >= dim) {
        return;
    }
    int last = min(first + 4, items);
    int target = index[first];
    float sum = 0.0f;
    for (int item = first; item < last; ++item) {
        if (index[item] != target && index[item] != 0) {
            atomicAdd(&y[target * dim + d], sum);
            target = index[item];
            sum = 0.0f;
        }
        sum += x[item * dim + d];
    }
    atomicAdd(&y[target * dim + d], sum);
}
