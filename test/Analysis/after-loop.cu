// What a loop leaves behind is the value of its last iteration, not of a counter
// that nobody counts any more.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | tee %t.ll | %opt_auspex -passes='print<auspex-access>' \
// RUN:   | FileCheck %s
// RUN: %opt_auspex -passes='print<auspex-summary>' %t.ll \
// RUN:   | FileCheck %s --check-prefix=GUARDS

// CHECK-LABEL: kernel _Z5after
// CHECK:       load 4 B global arg1 + 4*i0*ntid.x + 4*tid.x
// CHECK-NEXT:  store 4 B global arg0 + 4*ntid.x*max(0, floordiv(arg2 - tid.x - 1, ntid.x))*[tid.x < arg2] + 4*ntid.x*[tid.x < arg2] + 4*tid.x
__global__ void after(float *y, const float *x, int n) {
  int i = threadIdx.x;
  float sum = 0;
  for (; i < n; i += blockDim.x)
    sum += x[i];
  y[i] = sum;
}

// Where the loop stops is data.
// CHECK-LABEL: kernel _Z6search
// CHECK:       store 4 B global arg1 + unknown (indirect)
__global__ void search(const int *x, int *y, int n) {
  int k = 0;
  while (x[k * 32 + threadIdx.x] != 0)
    ++k;
  y[k] = n;
}

// What is left over by a loop of four at a time begins where that one ended.
// CHECK-LABEL: kernel _Z8leftOver
// CHECK-COUNT-4: load 4 B global arg0 + {{.*}}16*i{{[01]}}*ntid.x
// CHECK:         load 4 B global arg0 + {{.*}}floordiv(arg2 - 3*ntid.x - tid.x - 1, 4*ntid.x)
__global__ void leftOver(const float *x, float *y, int n) {
  float sum = 0;
  int i = threadIdx.x;
  for (; i + 3 * blockDim.x < n; i += 4 * blockDim.x)
    sum += x[i] + x[i + blockDim.x] * x[i + 2 * blockDim.x] +
           x[i + 3 * blockDim.x];
  for (; i < n; i += blockDim.x)
    sum += x[i];
  y[threadIdx.x] = sum;
}

// So is a condition: here that of the last iteration, arg2 - 1.
// GUARDS-LABEL: kernel _Z11inLastRound
// GUARDS:       block {{b[0-9]+}}, if {{.*}}[arg2 <= tid.x]
// GUARDS-NEXT:  int_{{.*}}store_global 1
__global__ void inLastRound(float *y, const float *x, int n) {
  __shared__ float kept[256];
  bool isLate;
  for (int i = 0; i < n; ++i) {
    isLate = threadIdx.x > i;
    if (isLate)
      kept[threadIdx.x] = x[i];
    __syncthreads();
    if (i == n - 1)
      break;
    __syncthreads();
  }
  if (isLate)
    y[threadIdx.x] = kept[threadIdx.x];
}
