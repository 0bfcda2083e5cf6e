// REQUIRES: cuda-toolkit
// Clusters of blocks, and barriers of libcu++ in shared memory, which clang
// refuses by itself: their destructor does something.

// RUN: env CUDA_PATH=%cuda auspex predict %s --gpu H100-SXM | FileCheck %s

#include <cooperative_groups.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;

// CHECK-LABEL: swap(
// CHECK:       predicted {{[0-9.]+}} us
// CHECK:       :[[#@LINE+6]]:{{.*}}shared load of 4 B a lane: 1 bank pass a request [SharedAccess]
__global__ void __cluster_dims__(2, 1, 1) swap(float *out) {
  __shared__ float own[128];
  auto cluster = cg::this_cluster();
  own[threadIdx.x] = threadIdx.x + blockIdx.x;
  cluster.sync();
  float other = cluster.map_shared_rank(own, cluster.block_rank() ^ 1)[threadIdx.x];
  out[blockIdx.x * 128 + threadIdx.x] = other;
  cluster.sync();
}

// CHECK-LABEL: sum(
// CHECK:       predicted {{[0-9.]+}} us
// CHECK:       in loads 67.1 MB 67.1 MB 67.1 MB 67.1 MB
__global__ void sum(const float *in, float *out, int n) {
  __shared__ float tile[256];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0)
    init(&barrier, block.size());
  block.sync();
  float sum = 0;
  for (int i = 0; i < n; i += 256) {
    cuda::memcpy_async(tile + threadIdx.x, in + blockIdx.x * n + i + threadIdx.x,
                       sizeof(float), barrier);
    barrier.arrive_and_wait();
    sum += tile[threadIdx.x ^ 1];
    barrier.arrive_and_wait();
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

int main() {
  float *a, *b;
  cudaMalloc(&a, 4 << 24);
  cudaMalloc(&b, 4 << 20);
  swap<<<1024, 128>>>(b);
  sum<<<1024, 256>>>(a, b, 16384);
}
