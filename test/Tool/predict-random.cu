// Addresses from numbers that each turn of a loop mixes are taken to lie
// anywhere, not side by side; so it is not with those that are doubled or
// change sides.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s
// CHECK-LABEL: congruential(
// CHECK: table loads {{.*}} GB 33.6 GB 33.6 GB
// CHECK: global load of 4 B a lane: its address is made of pseudo-random numbers
// CHECK-LABEL: shifted(
// CHECK: table loads {{.*}} GB 33.6 GB 33.6 GB
// CHECK: global load of 4 B a lane: its address is made of pseudo-random numbers
// CHECK-LABEL: doubled(
// CHECK-NOT: pseudo-random
// CHECK-LABEL: sides(
// CHECK-NOT: pseudo-random

__global__ void congruential(const unsigned *table, unsigned *out,
                             unsigned mask, int n) {
  unsigned r = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int i = 0; i < n; ++i) {
    r = r * 1664525u + 1013904223u;
    sum += table[r & mask];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void shifted(const unsigned *table, unsigned *out, unsigned mask,
                        int n) {
  unsigned r = blockIdx.x * blockDim.x + threadIdx.x + 1, sum = 0;
  for (int i = 0; i < n; ++i) {
    r ^= r << 13;
    r ^= r >> 17;
    r ^= r << 5;
    sum += table[r & mask];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void doubled(float *x, int n) {
  for (int step = 1; step < n; step *= 2)
    x[(blockIdx.x * blockDim.x + threadIdx.x) * step] = step;
}

__global__ void sides(float *x, int n) {
  int side = 0;
  for (int i = 0; i < n; ++i) {
    x[side * 65536 + blockIdx.x * blockDim.x + threadIdx.x] += i;
    side ^= 1;
  }
}

int main() {
  unsigned *table, *out;
  float *x;
  cudaMalloc(&table, 1 << 30);
  cudaMalloc(&out, 1 << 22);
  cudaMalloc(&x, 1 << 30);
  congruential<<<4096, 256>>>(table, out, (1u << 28) - 1, 1000);
  shifted<<<4096, 256>>>(table, out, (1u << 28) - 1, 1000);
  doubled<<<256, 256>>>(x, 1024);
  sides<<<256, 256>>>(x, 1000);
}
