// A table of many sizes shows those that take the longest.
// RUN: %auspex_clang %s -o %t
// RUN: auspex run --gpu A100 -o %t.json -- %t 2>&1 | FileCheck %s
// RUN: grep -c firstLaunch %t.json | FileCheck %s --check-prefix=ALL
__global__ void fill(int *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main() {
  int *data;
  cudaMalloc(&data, 1 << 22);
  for (int blocks = 1; blocks <= 33; ++blocks)
    fill<<<blocks * 100, 256>>>(data);
}
// CHECK: 33 launches
// CHECK: fill {{ *}}3300x1x1
// CHECK: fill {{ *}}400x1x1
// CHECK-NEXT: and {{[0-9.]+}} us ({{[0-9.]+}} %) in 3 more lines, which -o FILE
// writes CHECK-NOT: fill ALL: 33
