// A fault names the kernel, the line, the block and the thread, and is what
// every later call returns.
// RUN: %auspex_clang %s -o %t
// RUN: %t 0 2>&1 | FileCheck %s --check-prefixes=BOUNDS,CHECK
// RUN: %t 1 2>&1 | FileCheck %s --check-prefixes=ALIGN,CHECK
// RUN: %t 2 2>&1 | FileCheck %s --check-prefixes=NULL,CHECK
// RUN: %t 3 2>&1 | FileCheck %s --check-prefixes=HOST,CHECK
// RUN: %t 4 2>&1 | FileCheck %s --check-prefixes=TRAP,CHECK
// RUN: env AUSPEX_TIME_LIMIT=0.2 %t 5 2>&1 | FileCheck %s --check-prefixes=LIMIT,CHECK
#include <cstdio>
#include <cstdlib>

__global__ void fault(int *data, int how, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  switch (how) {
  case 0:
    data[i] = i; // BOUNDS: auspex: kernel 'fault(int*, int, int)', {{.*}}faults.cu:[[@LINE]]:{{[0-9]+}}, block (3,0,0), thread (4,0,0): writes 4 bytes 0 bytes after the end of an allocation of 400 bytes
    break;
  case 1:
    *(int *)((char *)data + 1) = i; // ALIGN: auspex: kernel 'fault(int*, int, int)', {{.*}}faults.cu:[[@LINE]]:
    break;
  case 2:
  case 3:
    data[i] = i; // NULL: faults.cu:{{[0-9]+}}:
    break;       // HOST: faults.cu:{{[0-9]+}}:
  case 4:
    if (i == 40)
      __trap(); // TRAP: faults.cu:[[@LINE]]:{{[0-9]+}}, block (1,0,0), thread (8,0,0)
    break;
  default:
    while (atomicAdd(data, 0) != 17) // LIMIT: auspex: kernel 'fault(int*, int, int)', {{.*}}faults.cu:[[@LINE]]:{{[0-9]+}}, block (0,0,0), thread (0,0,0): did not come to its end in time; blocks that ran: (0,0,0) at {{.*}}faults.cu:[[@LINE]]:{{[0-9]+}}
      ;
  }
}

int main(int, char **arguments) {
  int how = atoi(arguments[1]), *data = nullptr;
  int *host = new int[1000];
  cudaMalloc(&data, 400);
  fault<<<4, 32>>>(how == 2 ? nullptr : how == 3 ? host : data, how, 2);
  // BOUNDS: launch: an illegal memory access was encountered
  // ALIGN: launch: misaligned address
  // NULL: launch: an illegal memory access was encountered
  // HOST: launch: an illegal memory access was encountered
  // TRAP: launch: unspecified launch failure
  // LIMIT: launch: the launch timed out and was terminated
  printf("launch: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  // CHECK: still: 1 1 1
  printf("still: %d %d %d\n", cudaGetLastError() != 0, cudaGetLastError() != 0,
         cudaMalloc(&data, 4) != 0);
}
