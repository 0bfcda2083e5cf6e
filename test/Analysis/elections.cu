// Of the lanes that run code together one is elected: it alone adds up for all
// of them, and tells the others.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -Xclang -no-enable-noundef-analysis -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary>' | FileCheck %s

__device__ unsigned lanesBefore() {
  unsigned mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}

// By its number: the first one of a mask.
// CHECK-LABEL: kernel _Z8byNumberPiS_
// CHECK:         divergent branch in b0: [mod(tid.x, 32) == 0]
// CHECK:         data{{[0-9]+}}: rank
__global__ void byNumber(int *out, int *count) {
  unsigned active = __nvvm_activemask(), lane = threadIdx.x & 31;
  int leader = __builtin_ctz(active), place;
  if (lane == leader)
    place = __nvvm_atom_add_gen_i(count, __builtin_popcount(active));
  place = __nvvm_shfl_sync_idx_i32(active, place, leader, 31);
  out[place + __builtin_popcount(active & ((1u << lane) - 1))] = 1;
}

// By its place: it has none before it.
// CHECK-LABEL: kernel _Z7byPlacePiS_
// CHECK:         divergent branch in b0: [mod(ntid.x*ntid.y*tid.z + ntid.x*tid.y + tid.x, 32) == 0]
// CHECK:         data{{[0-9]+}}: rank
__global__ void byPlace(int *out, int *count) {
  unsigned active = __nvvm_activemask();
  int rank = __builtin_popcount(active & lanesBefore()), place;
  if (rank == 0)
    place = __nvvm_atom_add_gen_i(count, __builtin_popcount(active));
  place = __nvvm_shfl_sync_idx_i32(active, place, __builtin_ctz(active), 31);
  out[place + rank] = 1;
}

// What data say is the number of one lane, or of none.
// CHECK-LABEL: kernel _Z6byDataPiPKi
// CHECK:         divergent branch in b0: min([mod(tid.x, 32) == 0], [data{{[0-9]+}} != 0])
__global__ void byData(int *out, const int *chosen) {
  if ((threadIdx.x & 31) == chosen[blockIdx.x])
    out[threadIdx.x] = 1;
}

// Each group of those that match has a leader of its own.
// CHECK-LABEL: kernel _Z7matchedPiPKi
// CHECK:         divergent branch in b0: [data{{[0-9]+}} != 0]
__global__ void matched(int *out, const int *keys) {
  unsigned alike = __nvvm_match_any_sync_i32(~0u, keys[threadIdx.x]);
  if ((threadIdx.x & 31) == __builtin_ctz(alike))
    out[threadIdx.x] = 1;
}

// What the warp has in common is not changed by a broadcast.
// CHECK-LABEL: kernel _Z9warpIndexPi
// CHECK:         block b1 in loop i0, if min([tid.x <= 999], [floordiv(tid.x, 32) == 0])
__global__ void warpIndex(int *out) {
  int warp = __nvvm_shfl_sync_idx_i32(~0u, threadIdx.x / 32, 0, 31);
  if (warp == 0)
    for (int i = threadIdx.x; i < 1000; i += 32)
      out[i] = 1;
}

// Where the thread's index keeps lanes out, the first of the others leads.
// CHECK-LABEL: kernel _Z8amongOddPi
// CHECK:         divergent branch in b1: [mod(tid.x, 32) == 1]
__global__ void amongOdd(int *count) {
  if (!(threadIdx.x & 1))
    return;
  unsigned active = __nvvm_activemask();
  if ((threadIdx.x & 31) == __builtin_ctz(active))
    __nvvm_atom_add_gen_i(count, __builtin_popcount(active));
}
