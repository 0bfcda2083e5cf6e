// A library's header with a launch of its own.
__global__ static void inHeader(int n) {}
inline void runInHeader() { inHeader<<<1, 32>>>(0); }
