// What nvcc declares without an #include, sources were written for; some
// include <cuda.h> without need.
// RUN: %auspex_clang %s -o %t && %t | FileCheck %s
// RUN: %if cuda-toolkit %{ env CUDA_PATH=%cuda %auspex_clang %s -o %t && %t | FileCheck %s %}
#include <cuda.h>
extern "C" int printf(const char *, ...);
static_assert(CUDA_VERSION >= 12000);

__global__ void ticks(clock_t *out) { *out = clock(); }

int main() {
  clock_t begin = clock(), *data;
  cudaMallocManaged(&data, sizeof(clock_t));
  ticks<<<1, 1>>>(data);
  int *numbers = (int *)malloc(2 * sizeof(int));
  memset(numbers, 0, 2 * sizeof(int));
  srand(time(NULL));
  numbers[0] = rand() + abs(-1) + max(1, 2) + (int)sqrtf(16);
  // CHECK: passed
  printf(clock() >= begin && numbers[0] > 0 && INT_MAX > 0 ? "passed\n"
                                                           : "failed\n");
}
