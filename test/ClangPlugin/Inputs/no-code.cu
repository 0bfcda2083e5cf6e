// LLVM has no code for this before sm_52. A kernel on one line: the error is
// where the kernel starts without line tables, and at the array with them.

// clang-format off
__global__ void reverse(float *x, int n) { float *y = static_cast<float *>(__builtin_alloca(n)); y[threadIdx.x] = x[threadIdx.x]; x[threadIdx.x] = y[n]; }
