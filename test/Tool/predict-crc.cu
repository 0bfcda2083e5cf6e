// A cyclic redundancy check, bit by bit, has no table, as in nvcc's code.
// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s
// CHECK: of its limit (integer pipe)
// CHECK: memory {{.*}} DRAM
// CHECK-NEXT: out stores
// CHECK-NEXT: data loads
// CHECK-NOT: loads

__global__ void check(const unsigned *data, unsigned *out, int n, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = ~0u;
  for (int word = 0; word < length; ++word) {
    sum ^= data[word * n + i];
    for (int bit = 0; bit < 32; ++bit)
      sum = sum & 1 ? (sum >> 1) ^ 0xEDB88320u : sum >> 1;
  }
  out[i] = ~sum;
}

int main() {
  int n = 1 << 20;
  unsigned *data, *out;
  cudaMalloc(&data, n * 256ull);
  cudaMalloc(&out, n * 4);
  check<<<n / 256, 256>>>(data, out, n, 64);
  cudaDeviceSynchronize();
}
