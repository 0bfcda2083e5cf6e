// More blocks help where blocks have parts of the work. Those of a kernel that
// does all of it whatever the block, or in the first one alone, would do the
// same once more.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s

// CHECK-LABEL: {{^}}serial(
// CHECK-NOT:   fills its last wave
// CHECK-NOT:   TailEffect
// CHECK-LABEL: {{^}}setUp(
// CHECK-NOT:   fills its last wave
// CHECK-NOT:   TailEffect
// CHECK-LABEL: {{^}}shared(
// CHECK:       with a grid that fills its last wave
// CHECK:       4 blocks leave 104 of 108 SMs idle{{.*}}[TailEffect]

__global__ void serial(const float *in, float *out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += in[i] * in[i];
  *out = sum;
}

__global__ void setUp(float *out, int n) {
  if (threadIdx.x == 0 && blockIdx.x == 0)
    for (int i = 0; i < n; ++i)
      out[i] = 0.5f * i;
}

__global__ void shared(float *data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    data[i] *= 2;
}

void run(float *data, float *out) {
  serial<<<1, 1>>>(data, out, 100000);
  setUp<<<1, 1>>>(out, 1000);
  shared<<<4, 256>>>(data, 1 << 24);
}
