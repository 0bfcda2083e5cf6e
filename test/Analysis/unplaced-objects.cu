// Where an object lies may be data, and where a lane reads in it be known all
// the same: pointers in arrays and structs, buffers that a loop swaps.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-access>' | FileCheck %s

// One pointer a block: all lanes agree on it.
// CHECK-LABEL: kernel _Z7batchedPPf
// CHECK:         load 8 B global arg0 + 8*ctaid.x
// CHECK:         load 4 B global arg0[] + 256*[[ROW:data[0-9]+]] + 4*tid.x
// CHECK:         store 4 B global arg0[] + 256*[[ROW]] + 4*tid.x
__global__ void batched(float **rows) {
  rows[blockIdx.x][threadIdx.x] *= 2;
}

// A pointer a thread: which lanes agree on it is not known.
// CHECK-LABEL: kernel _Z3ownPPf
// CHECK:         store 4 B global arg0[] + unknown (indirect)
__global__ void own(float **rows) {
  rows[threadIdx.x][3] = 0;
}

struct Node {
  Node *next;
  float *values;
};

// CHECK-LABEL: kernel _Z6linkedP4Node
// CHECK:         store 4 B global arg0[] + 256*data{{[0-9]+}} + 4*tid.x
__global__ void linked(Node *nodes) {
  nodes[blockIdx.x].next->next->values[threadIdx.x] = 1;
}

// In turn i of the loop `from` is a for even i, b for odd: as if b lay 2^40 B
// behind a. So with three.
// CHECK-LABEL: kernel _Z7swappedPfS_i
// CHECK:         load 4 B global arg0|arg1 + 4*tid.x + 1099511627776*mod(i0, 2)
// CHECK:         store 4 B global arg1|arg0 + 4*tid.x + 1099511627776*mod(i0, 2)
__global__ void swapped(float *from, float *to, int steps) {
#pragma unroll 1
  for (int i = 0; i < steps; ++i) {
    to[threadIdx.x] = from[threadIdx.x] + 1;
    __syncthreads();
    float *old = from;
    from = to;
    to = old;
  }
}

// CHECK-LABEL: kernel _Z6rowsInPfii
// CHECK:         store 4 B global arg0 + {{.*}}256*arg1*[mod(i0, 3) == 1]{{.*}}1280*[mod(i0, 3) == 2]
__global__ void rowsIn(float *x, int n, int steps) {
  int a = 0, b = n, c = 5;
#pragma unroll 1
  for (int i = 0; i < steps; ++i) {
    x[a * 64 + threadIdx.x] = 1;
    int first = a;
    a = b;
    b = c;
    c = first;
  }
}

// Which of the two is data, where in it is not.
// CHECK-LABEL: kernel _Z9sometimesPfS_PKii
// CHECK:         store 4 B global arg{{[01]}}|arg{{[01]}} + 1099511627776*data{{[0-9]+}} + 4*tid.x
__global__ void sometimes(float *a, float *b, const int *swaps, int steps) {
#pragma unroll 1
  for (int i = 0; i < steps; ++i) {
    a[threadIdx.x] = 1;
    __syncthreads();
    if (swaps[i] > b[i]) {
      float *old = a;
      a = b;
      b = old;
    }
  }
}
