// Bulk copies: one thread has as many bytes copied as it says, past L1. One
// whose size the code does not state is no access, and that is said.

// RUN: auspex predict %s --gpu H100-SXM \
// RUN:   --launch=addOne=grid:16384,block:256 \
// RUN:   --launch=tiles=grid:1024,block:256 | FileCheck %s

// CHECK-LABEL: addOne(int*)
// CHECK:       limit (DRAM bandwidth)
// CHECK:       data loads  67.1 MB 67.1 MB 67.1 MB 67.1 MB
// CHECK:       data stores 67.1 MB 67.1 MB 67.1 MB 67.1 MB
// CHECK-DAG:   shared bulk store of 4096 B: 32 bank passes a request [SharedAccess]
// CHECK-DAG:   bulk load of 4096 B: 128 sectors a request, the fewest for its width [GlobalAccess]
// CHECK-DAG:   bulk store of 4096 B: 128 sectors a request, the fewest for its width [GlobalAccess]
// CHECK-NOT:   BankConflict
__global__ void addOne(int *data) {
  __shared__ alignas(16) int tile[1024];
  __shared__ alignas(8) unsigned long long barrier;
  unsigned there = __cvta_generic_to_shared(tile);
  unsigned waited = __cvta_generic_to_shared(&barrier);
  int *here = data + blockIdx.x * 1024;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(waited));
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx"
                 "::bytes [%0], [%1], %2, [%3];" ::"r"(there),
                 "l"(here), "r"(4096), "r"(waited)
                 : "memory");
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    tile[i] += 1;
  __syncthreads();
  if (threadIdx.x == 0)
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
                 ::"l"(here), "r"(there), "n"(4096)
                 : "memory");
}

// CHECK-LABEL: tiles(
// CHECK:       assumed: bulk copies of a size that the code does not state move nothing, such as the one at line [[#@LINE+7]]
__global__ void tiles(const void *map, float *out) {
  __shared__ alignas(128) float tile[1024];
  __shared__ alignas(8) unsigned long long barrier;
  unsigned there = __cvta_generic_to_shared(tile);
  unsigned waited = __cvta_generic_to_shared(&barrier);
  if (threadIdx.x == 0)
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier"
                 "::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(there),
                 "l"(map), "r"(0), "r"(blockIdx.x), "r"(waited)
                 : "memory");
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = tile[threadIdx.x];
}
