// Where a binary search has come to, turn by turn, is told from other data; at
// its end it is as good as any.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary;json>' > %t.json
// RUN: FileCheck %s < %t.json

// CHECK: "name": "_Z6halvedPKfS0_Pfi"
// CHECK: "offset":{"unknown":"search"}
__global__ void halved(const float *x, const float *keys, float *y, int n) {
  float key = keys[threadIdx.x];
  int at = 0;
  for (int step = n / 2; step > 0; step >>= 1)
    if (key >= x[at + step])
      at += step;
  y[threadIdx.x] = at;
}

// CHECK: "name": "_Z7betweenPKiS0_Pii"
// CHECK: "offset":{"unknown":"search"}
// CHECK: "offset":{"unknown":"{{phi|indirect}}"}
__global__ void between(const int *x, const int *keys, int *y, int n) {
  int low = 0, high = n;
  while (high - low > 1) {
    int mid = (low + high) / 2;
    if (keys[threadIdx.x] < x[mid])
      high = mid;
    else
      low = mid;
  }
  y[threadIdx.x] = x[low];
}

// CHECK:     "name": "_Z6walkedPKiPii"
// CHECK:     "offset":{"unknown":"indirect"}
// CHECK-NOT: search
__global__ void walked(const int *next, int *y, int n) {
  int at = threadIdx.x;
  for (int i = 0; i < n; ++i)
    at = next[at];
  y[threadIdx.x] = at;
}
