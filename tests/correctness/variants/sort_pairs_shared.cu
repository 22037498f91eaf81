// One pair of keys a thread; steps with distances below 512 run in shared memory, all of one k in one launch.
__global__ void sort(int* keys, int j, int k, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int i = 2 * t - (t & (j - 1));
    if (i < n) {
        bool ascending = (i & k) == 0;
        int a = keys[i], b = keys[i + j];
        if ((a > b) == ascending) {
            keys[i] = b;
            keys[i + j] = a;
        }
    }
}

__global__ void sort_shared(int* keys, int first_j, int k, int n) {
    __shared__ int tile[512];
    int first = blockIdx.x * 512;
    for (int e = threadIdx.x; e < 512; e += 256) {
        if (first + e < n) {
            tile[e] = keys[first + e];
        }
    }
    for (int j = first_j; j > 0; j /= 2) {
        __syncthreads();
        int i = 2 * threadIdx.x - (threadIdx.x & (j - 1));
        if (first + i < n) {
            bool ascending = ((first + i) & k) == 0;
            int a = tile[i], b = tile[i + j];
            if ((a > b) == ascending) {
                tile[i] = b;
                tile[i + j] = a;
            }
        }
    }
    __syncthreads();
    for (int e = threadIdx.x; e < 512; e += 256) {
        if (first + e < n) {
            keys[first + e] = tile[e];
        }
    }
}
