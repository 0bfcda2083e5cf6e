// The last thread copies the rest, in a loop that only it runs: what one thread
// loads there is not what every thread's load finds in L1.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu RTX-3090 | FileCheck %s
// CHECK: memory lanes requests L2 DRAM
// CHECK: in loads 134 MB 134 MB 134 MB 134 MB
// CHECK: out stores 134 MB 134 MB 134 MB 134 MB
__global__ void copy(signed char *__restrict__ out,
                     const signed char *__restrict__ in, size_t n) {
  size_t i = size_t(blockDim.x) * blockIdx.x + threadIdx.x;
  if (8 * i >= n)
    return;
  if (8 * (i + 1) < n)
    ((long long *)out)[i] = ((const long long *)in)[i];
  else
    for (size_t j = 8 * i; j < n; ++j)
      out[j] = in[j];
}

int main() {
  const size_t n = 134217728;
  signed char *in, *out;
  cudaMalloc(&in, n);
  cudaMalloc(&out, n);
  copy<<<16384, 1024>>>(out, in, n);
}
