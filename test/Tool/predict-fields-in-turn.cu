// Each of four stores of a thread fills half a sector, the next one the other:
// in L2 they come together.
// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s
// CHECK: memory {{.*}} DRAM
// CHECK-NEXT: in loads
// CHECK-NEXT: out stores {{.*}} 27{{[0-9]}} MB

__global__ void copy(const uint4 *__restrict__ in, uint4 *__restrict__ out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    uint4 v = in[i * 4 + k];
    v.x ^= i;
    out[i * 4 + k] = v;
  }
}

int main() {
  size_t bytes = 256u << 20;
  uint4 *in, *out;
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  copy<<<bytes / 64 / 256, 256>>>(in, out);
  cudaDeviceSynchronize();
}
