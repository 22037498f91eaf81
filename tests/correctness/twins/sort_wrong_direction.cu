// One pair of keys a thread.
__global__ void sort(int* keys, int j, int k, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int i = 2 * t - (t & (j - 1));
    if (i < n) {
        bool ascending = (i & (2 * j)) == 0;
        int a = keys[i];
        int b = keys[i + j];
        keys[i] = ascending ? min(a, b) : max(a, b);
        keys[i + j] = ascending ? max(a, b) : min(a, b);
    }
}
