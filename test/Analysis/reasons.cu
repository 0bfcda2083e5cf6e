// Why an address is not known is what lies behind it: what shuffles, votes and
// inline assembly make of data is data, but for the places of lanes in a vote.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-access>' | FileCheck %s

// CHECK-LABEL: kernel _Z8shuffledPKiPi
// CHECK:         store 4 B global arg{{[01]}} + unknown (indirect)
__global__ void shuffled(const int *in, int *out) {
  out[__nvvm_shfl_sync_down_i32(~0u, in[threadIdx.x], 3, 31) + threadIdx.x] = 1;
}

// CHECK-LABEL: kernel _Z9compactedPKiPi
// CHECK:         store 4 B global arg{{[01]}} + unknown (rank)
__global__ void compacted(const int *in, int *out) {
  unsigned chosen = __nvvm_vote_ballot_sync(~0u, in[threadIdx.x] > 0);
  unsigned below;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  out[__builtin_popcount(chosen & below)] = 1;
}

// CHECK-LABEL: kernel _Z6loadedPKiPi
// CHECK:         store 4 B global arg{{[01]}} + unknown (indirect)
__global__ void loaded(const int *in, int *out) {
  int place;
  asm volatile("ld.ca.s32 %0, [%1];" : "=r"(place) : "l"(in));
  out[place * threadIdx.x] = 1;
}

// CHECK-LABEL: kernel _Z5timedPi
// CHECK:         store 4 B global arg{{[01]}} + unknown (inline-asm)
__global__ void timed(int *out) {
  int now;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(now));
  out[now] = 1;
}
