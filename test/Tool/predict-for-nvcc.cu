// What nvcc takes and clang does not: macros named like what CUDA's headers
// use, braces in launches, an array of dynamic shared memory with a size,
// managed variables, functions of older toolkits, one % before a register in
// assembly.
//
// REQUIRES: plugins
//
// RUN: auspex predict %s --gpu A100-40GB --format=table -- -DN=65536 -DX=1 -DV=2 -DU=256 -Dgrid_width=64 -Dpadding=1 --ptx --keep-dir . --Werror=all-warnings -ewp \
// RUN:   | FileCheck %s
// RUN: %if cuda-toolkit %{ env CUDA_PATH=%cuda auspex predict %s --gpu A100-40GB --format=table -- -DN=65536 -DX=1 -DV=2 -DU=256 -Dgrid_width=64 -Dpadding=1 --ptx --keep-dir . --Werror=all-warnings -ewp \
// RUN:   | FileCheck %s %}
// RUN: %if cuda-toolkit %{ env CUDA_PATH=%cuda auspex predict %s --gpu A100-40GB --format=table -- -DN=65536 -DX=1 -DV=2 -DU=256 -DcudaThreadSynchronize=cudaDeviceSynchronize \
// RUN:   | FileCheck %s %}

__managed__ int found[2];

__global__ void count(const float *x) {
  extern __shared__ __attribute__((aligned(16))) float values[U];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[threadIdx.x] = i < N ? x[i] : 0;
  __syncthreads();
  if (values[threadIdx.x ^ X] > V)
    atomicAdd(&found[0], 1);
}

__global__ void where(unsigned *x) {
  unsigned lane, block;
  asm volatile("mov.u32 %0, %laneid;\n\t"
               "mov.u32 %1, %%ctaid.x; // \"%%0\""
               : "=r"(lane), "=r"(block));
  asm("mov.u32 %0, %warpid;" : "=r"(lane) :);
  x[block * 32 + lane] = lane;
}

int main() {
  float *x;
  cudaMallocManaged(&x, N * sizeof(float));
  cudaMemAdvise(x, N * sizeof(float), cudaMemAdviseSetReadMostly, 0);
  cudaMemPrefetchAsync(x, N * sizeof(float), 0);
  found[0] = 0;
  // CHECK: count(float const*) A100-40GB 256x1x1 256x1x1 source
  count<<<{N / U, 1, 1}, U, U * sizeof(float)>>>(x);
  // CHECK-NEXT: count(float const*) A100-40GB 2x3x1 16x8x1 source
  count << < dim3(2, 3), {16, U / 32}, U * sizeof(float) >> > (x);
  cudaThreadSynchronize();
  // CHECK-NEXT: where(unsigned int*) A100-40GB 7x1x1 32x1x1 source
  where<<<7, 32>>>((unsigned *)x);
}
