// auspex run: what a program launches, predicted from what it did.
// RUN: %auspex_clang -g %s -o %t
// RUN: auspex run --gpu A100 --gpu V100-PCIe -o %t.json --record-launches %t.yaml -- %t 2> %t.table | FileCheck %s --check-prefix=PROGRAM
// RUN: FileCheck %s --input-file %t.table
// RUN: FileCheck %s --input-file %t.json --check-prefix=JSON
// RUN: FileCheck %s --input-file %t.yaml --check-prefix=LAUNCHES

// What the program prints is its own.
// PROGRAM-NOT: predicted
// PROGRAM: {{^}}sum 4194304{{$}}
// PROGRAM-NOT: predicted

// Launches of a kernel in the same grid and block share a line; what they did is
// told apart.
// CHECK: {{^}}{{.*}}run.cu.tmp on A100-40GB: 6 launches, predicted {{[0-9.]+}} us
// CHECK-NEXT: {{^ *}}share {{ *}}total  launches {{ *}}each  kernel {{ *}}grid {{ *}}block  limiter
// CHECK-DAG: 3 {{ *[0-9.]+}} us  fill {{ *}}64x1x1  256x1x1
// CHECK-DAG: 2 {{ *[0-9.]+}} us to {{[0-9.]+}} us  pick {{ *}}64x1x1  256x1x1
// CHECK: on V100-PCIe: 6 launches

// JSON: "runs": [
// JSON: "gpu": "A100-40GB",
// JSON: "gpu": "V100-PCIe",
// JSON: "kernel": "_Z4fillPii",
// JSON: "origin": "profile"
// JSON: "launches": 3,
// JSON-NEXT: "firstLaunch": 0,
// JSON: "sharesByActiveLanes": [
// JSON: "kind":"store","space":"global","base":"arg0","requests":1536,"lanes":49152,"sectors":6144,

// The table of launches serves the compiler.
// LAUNCHES: - kernel: _Z4fillPii  # fill, 3 times
// LAUNCHES-NEXT: grid: [64, 1, 1]
// LAUNCHES-NEXT: block: [256, 1, 1]
// LAUNCHES-NEXT: shared: 0
// LAUNCHES-NEXT: args: {value: 7}
// LAUNCHES: - kernel: _Z4fold5RangePi
// LAUNCHES: args: {arg0.0: 3, arg0.8: 11}
// RUN: auspex predict %s --gpu A100 --launches %t.yaml | FileCheck %s --check-prefix=PREDICT
// PREDICT: fill(int*, int)
// PREDICT: grid 64x1x1 and block 256x1x1 from a launches file

// Lines: the second of the picks reads its elements in one sector each.
// RUN: auspex run --gpu A100 --detail=lines -- %t 2>&1 >/dev/null | FileCheck %s --check-prefix=LINES
// LINES: pick(int const*, int const*, int*)
// LINES: run.cu:[[@LINE+10]]:{{[0-9]+}} {{ *}}512 {{ *}}32 {{ *}}32 {{ *}}4

#include <cstdio>

__global__ void fill(int *data, int value) {
  data[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void pick(const int *from, const int *index, int *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[index[i]];
}

struct Range {
  int begin;
  float unused;
  long end;
};
__global__ void fold(Range range, int *to) {
  for (long i = range.begin; i < range.end; ++i)
    to[i * 32 + threadIdx.x] += 1;
}

int main() {
  constexpr int n = 64 * 256;
  int *from, *index, *to, indices[n];
  cudaMalloc(&from, 16 * n * sizeof(int));
  cudaMalloc(&index, n * sizeof(int));
  cudaMalloc(&to, n * sizeof(int));
  for (int i = 0; i < 3; ++i)
    fill<<<64, 256>>>(to, 7);
  fold<<<1, 32>>>({3, 0, 11}, from);
  cudaMemset(from, 1, 16 * n * sizeof(int));
  for (int stride = 1; stride <= 16; stride *= 16) {
    for (int i = 0; i < n; ++i)
      indices[i] = i * stride;
    cudaMemcpy(index, indices, sizeof(indices), cudaMemcpyHostToDevice);
    pick<<<64, 256>>>(from, index, to);
  }
  cudaMemcpy(indices, to, sizeof(indices), cudaMemcpyDeviceToHost);
  long sum = 0;
  for (int value : indices)
    sum += value & 0xff00;
  std::printf("sum %ld\n", sum);
}
