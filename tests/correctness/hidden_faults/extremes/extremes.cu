// The largest and the smallest element, in one block.
__global__ void extremes(const float* x, float* result, int n) {
    __shared__ float largest[256], smallest[256];
    int t = threadIdx.x;
    float high = __int_as_float(0xff800000), low = __int_as_float(0x7f800000);
    for (int i = t; i < n; i += 256) {
        high = fmaxf(high, x[i]);
        low = fminf(low, x[i]);
    }
    largest[t] = high;
    smallest[t] = low;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) {
            largest[t] = fmaxf(largest[t], largest[t + half]);
            smallest[t] = fminf(smallest[t], smallest[t + half]);
        }
        __syncthreads();
    }
    if (t == 0) {
        result[0] = largest[0];
        result[1] = smallest[0];
    }
}
