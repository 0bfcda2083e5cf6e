// A division of 64 bits, which is short if its operands are, takes the loop it
// is in apart: what follows it is still of the loop.

// RUN: auspex predict %s --gpu A100-40GB --format=json | FileCheck %s
// CHECK: "mix": {
// CHECK: "load_global": 16,
// CHECK: "store_global": 16
// CHECK: "path": {
__global__ void repeat(const float *in, float *out, long long n,
                       long long width) {
#pragma unroll 1
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 262144)
    out[i] = in[i / width];
}
int main() {
  float *values;
  cudaMalloc(&values, 1 << 26);
  repeat<<<1024, 256>>>(values, values, 1 << 22, 64);
}
