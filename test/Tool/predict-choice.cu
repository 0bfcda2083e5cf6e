// Half of the threads read one array and half another, by a pointer that is to
// either: all blocks read the same, which comes from memory once.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100 | tr -s " " | FileCheck %s
// CHECK: {{^ *}}y|x loads 453 MB 453 MB 453 MB 1.05 MB{{$}}
// CHECK-NOT: unknown

__global__ void readBoth(const float *x, const float *y, float *out) {
  const float *from = threadIdx.x < 128 ? x : y;
  float sum = 0;
  for (int i = 0; i < 1024; ++i)
    sum += from[i * 128 + threadIdx.x % 128];
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}
void run(const float *x, const float *y, float *out) {
  readBoth<<<432, 256>>>(x, y, out);
}
