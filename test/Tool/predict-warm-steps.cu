// Launches of a loop that differ in a number alone, such as the step of a
// solver, leave each other what L2 holds, unless addresses hang on it.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s
// CHECK-LABEL: predicted{{.*}} for step on A100-40GB,{{.*}}, L2 warm;
// CHECK-LABEL: predicted{{.*}} for scale on A100-40GB,{{.*}}, L2 warm;
// By way of a function that gets the step.
// CHECK-LABEL: predicted{{.*}} for stepOf on A100-40GB,{{.*}}, L2 warm;
// Row k is one of those that all are gone through anyway.
// CHECK-LABEL: predicted{{.*}} for eliminate on A100-40GB,{{.*}}, L2 warm;
// Another part of the array each time.
// CHECK-LABEL: predicted{{.*}} for slice on A100-40GB,
// CHECK-NOT: L2 warm
// CHECK-LABEL: predicted{{.*}} for part on A100-40GB,
// CHECK-NOT: L2 warm
// CHECK-LABEL: predicted{{.*}} for grows on A100-40GB,
// CHECK-NOT: L2 warm

__global__ void step(int *x, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = x[i] * 3 + k;
}
__global__ void scale(float *x, float rate) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = x[i] * rate;
}
__global__ void stepOf(int *x, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = x[i] * 5 + k;
}
__global__ void eliminate(float *x, int n, int k) {
  int i = blockIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  x[i * n + j] -= x[k * n + j] * 0.5f;
}
__global__ void slice(float *x, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[k * n + i] *= 2;
}
__global__ void part(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }
__global__ void grows(float *x, int k) {
  x[blockIdx.x * blockDim.x + threadIdx.x] *= k;
}

void launchStep(int *x, int k) { stepOf<<<16384, 256>>>(x, k); }

void run(int *x, float *y, float *z, float *parts, int n) {
  for (int k = 0; k < 1000; ++k)
    step<<<16384, 256>>>(x, k);
  float rate = 1;
  for (int k = 0; k < 1000; ++k) {
    scale<<<16384, 256>>>(z, rate);
    rate *= 0.99f;
  }
  for (int k = 0; k < 1000; ++k)
    launchStep(x, k);
  for (int k = 0; k < 2048; ++k)
    eliminate<<<dim3(8, 2048), 256>>>(y, 2048, k);
  for (int k = 0; k < 8; ++k)
    slice<<<16384, 256>>>(parts, 1 << 22, k);
  for (int k = 0; k < 8; ++k)
    part<<<16384, 256>>>(parts + k * n);
  for (int k = 1; k < 8; ++k)
    grows<<<k * 1024, 256>>>(parts, k);
}
