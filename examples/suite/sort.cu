// One step of a bitonic sort, ascending: every thread compares its key with the one j away. The host runs j = k/2 .. 1 for
// k = 2 .. n.
__global__ void sort(int* keys, int j, int k, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int other = i ^ j;
    if (i < n && other > i) {
        bool ascending = (i & k) == 0;
        int mine = keys[i];
        int theirs = keys[other];
        if ((mine > theirs) == ascending) {
            keys[i] = theirs;
            keys[other] = mine;
        }
    }
}
