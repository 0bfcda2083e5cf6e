// Kernels whose work depends on data, with properties that are known.
// RUN: %auspex_clang -g %s -o %t
// RUN: auspex run --gpu A100 -o %t.json -- %t | FileCheck %s --check-prefix=PROGRAM
// RUN: FileCheck %s --input-file %t.json

// PROGRAM: {{^}}sums right, 33 levels, collatz right{{$}}

// Rows of 1 to 32 elements: a warp goes on as long as its longest row, with 32,
// 31, ... lanes: 2 * 32 requests, 2 * (32 + 31 + ... + 1) lanes; every time but
// the last some lanes leave.
// CHECK: "kernel": "_Z4spmvPKiS0_PKfS2_Pf",
// CHECK: "timeInUs": {{[0-9]}}
// CHECK: "profile": {
// CHECK: "kind":"load","space":"global","base":"arg1","requests":64,"lanes":1056,
// CHECK: "branches": [
// CHECK: {"file":{{.*}},"warps":64,"divergent":62}

// A ring of 64 nodes: two nodes a level, 32 levels to the far side, and a last
// one that finds nothing new. Each has an argument of its own.
// CHECK-COUNT-33: "kernel": "_Z7advancePiiS_",

// The longest of a warp's sequences takes 111 steps (from 27, 31 takes 106).
// CHECK: "kernel": "_Z7collatzPi",
// CHECK: "branches": [
// CHECK: "warps":111,

#include <cstdio>

__global__ void spmv(const int *rows, const int *columns, const float *values,
                     const float *x, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = rows[row]; i < rows[row + 1]; ++i)
    sum += values[i] * x[columns[i]];
  y[row] = sum;
}

__global__ void advance(int *level, int current, int *isChanged) {
  constexpr int nodes = 64;
  int node = threadIdx.x;
  if (level[node] != current)
    return;
  for (int step = 1; step < nodes; step += nodes - 2) {
    int next = (node + step) % nodes;
    if (level[next] < 0) {
      level[next] = current + 1;
      *isChanged = 1;
    }
  }
}

__global__ void collatz(int *steps) {
  int value = threadIdx.x + 1, count = 0;
  while (value != 1) {
    value = value % 2 ? 3 * value + 1 : value / 2;
    ++count;
  }
  steps[threadIdx.x] = count;
}

template <class T> T *toDevice(const T *data, int count) {
  T *copy;
  cudaMalloc(&copy, count * sizeof(T));
  cudaMemcpy(copy, data, count * sizeof(T), cudaMemcpyHostToDevice);
  return copy;
}

bool multiply() {
  int rows[65] = {0}, columns[1056];
  float values[1056], x[64], y[64];
  for (int row = 0; row < 64; ++row)
    rows[row + 1] = rows[row] + row % 32 + 1;
  for (int i = 0; i < 1056; ++i) {
    columns[i] = i % 64;
    values[i] = 1;
  }
  for (float &element : x)
    element = 2;
  float *result = toDevice(y, 64);
  spmv<<<1, 64>>>(toDevice(rows, 65), toDevice(columns, 1056),
                  toDevice(values, 1056), toDevice(x, 64), result);
  cudaMemcpy(y, result, sizeof(y), cudaMemcpyDeviceToHost);
  for (int row = 0; row < 64; ++row)
    if (y[row] != 2 * (row % 32 + 1))
      return false;
  return true;
}

int search() {
  int level[64], levels = 0, isChanged = 1;
  for (int &node : level)
    node = -1;
  level[0] = 0;
  int *onDevice = toDevice(level, 64);
  while (isChanged) {
    isChanged = 0;
    int *changed = toDevice(&isChanged, 1);
    advance<<<1, 64>>>(onDevice, levels, changed);
    cudaMemcpy(&isChanged, changed, sizeof(int), cudaMemcpyDeviceToHost);
    ++levels;
  }
  return levels;
}

bool count() {
  int steps[32];
  int *onDevice = toDevice(steps, 32);
  collatz<<<1, 32>>>(onDevice);
  cudaMemcpy(steps, onDevice, sizeof(steps), cudaMemcpyDeviceToHost);
  return steps[0] == 0 && steps[26] == 111 && steps[30] == 106;
}

int main() {
  bool isRight = multiply();
  int levels = search();
  std::printf("sums %s, %d levels, collatz %s\n", isRight ? "right" : "wrong",
              levels, count() ? "right" : "wrong");
}
