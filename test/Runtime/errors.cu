// Errors are those of CUDA: which, when, and how long they stay.
// RUN: %auspex_clang %s -o %t && %t 2>&1 | FileCheck %s
#include <cstdio>

__global__ void kernel(int *out) { *out = 1; }
__device__ int variable[4];

static void say(const char *what, cudaError_t error) {
  printf("%s: %s\n", what, cudaGetErrorName(error));
}

int main() {
  int *pointer = nullptr, host[8];
  cudaMalloc(&pointer, 16);
  // CHECK: threads: cudaErrorInvalidConfiguration
  kernel<<<1, 1025>>>(pointer);
  say("threads", cudaGetLastError());
  // CHECK-NEXT: grid: cudaErrorInvalidConfiguration
  kernel<<<0, 32>>>(pointer);
  say("grid", cudaGetLastError());
  // CHECK-NEXT: z: cudaErrorInvalidConfiguration
  kernel<<<1, dim3(1, 1, 65)>>>(pointer);
  say("z", cudaGetLastError());
  // CHECK-NEXT: shared: cudaErrorInvalidValue
  kernel<<<1, 32, 49153>>>(pointer);
  say("shared", cudaGetLastError());
  // CHECK-NEXT: forgotten: cudaSuccess
  say("forgotten", cudaGetLastError());
  // CHECK-NEXT: opt in: cudaSuccess
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       100000);
  kernel<<<1, 32, 100000>>>(pointer);
  say("opt in", cudaDeviceSynchronize());
  // CHECK-NEXT: too much: cudaErrorInvalidValue
  say("too much",
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           300000));
  // CHECK-NEXT: beyond the end: cudaErrorInvalidValue
  say("beyond the end",
      cudaMemcpy(host, pointer, 32, cudaMemcpyDeviceToHost));
  // CHECK-NEXT: direction: cudaErrorInvalidMemcpyDirection
  say("direction", cudaMemcpy(host, pointer, 4, (cudaMemcpyKind)7));
  // CHECK-NEXT: host pointer: cudaErrorInvalidValue
  say("host pointer", cudaMemset(host, 0, 4));
  // CHECK-NEXT: symbol: cudaErrorInvalidSymbol
  say("symbol", cudaMemcpyToSymbol((const void *)host, host, 4));
  // CHECK-NEXT: symbol's end: cudaErrorInvalidValue
  say("symbol's end", cudaMemcpyToSymbol(variable, host, 8, 12));
  // CHECK-NEXT: function: cudaErrorInvalidDeviceFunction
  void *arguments[1] = {&pointer};
  say("function", cudaLaunchKernel((const void *)host, 1, 1, arguments, 0, 0));
  // CHECK-NEXT: peek: cudaErrorInvalidDeviceFunction
  say("peek", cudaPeekAtLastError());
  // CHECK-NEXT: last: cudaErrorInvalidDeviceFunction
  say("last", cudaGetLastError());
  // CHECK-NEXT: middle: cudaErrorInvalidValue
  say("middle", cudaFree(pointer + 1));
  // CHECK-NEXT: null: cudaSuccess
  say("null", cudaFree(nullptr));
  // CHECK-NEXT: twice: cudaSuccess cudaErrorInvalidValue
  cudaError_t once = cudaFree(pointer), twice = cudaFree(pointer);
  printf("twice: %s %s\n", cudaGetErrorName(once), cudaGetErrorName(twice));
  // CHECK-NEXT: event: cudaErrorInvalidResourceHandle
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  float time;
  say("event", cudaEventElapsedTime(&time, start, stop));
  // CHECK-NEXT: no such error: unrecognized error code
  say("no such error", (cudaError_t)12345);
}
