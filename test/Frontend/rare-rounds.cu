// Of a loop of many steps those are read that lead to the launch: the first, the
// middle and the last step may not be among them.
//
// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB --format=table | FileCheck %s

__global__ void often(float *a) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
__global__ void rare(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 2; }
__global__ void skipped(float *a) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = 3;
}

int main() {
  float *a;
  cudaMalloc(&a, 1 << 20);
  for (int k = 0; k < 100; ++k) {
    often<<<32, 64>>>(a);
    if (k > 0 && k % 20 == 0)
      rare<<<k, 128>>>(a);
  }
  for (int k = 1; k <= 124; ++k) {
    if (k % 62)
      continue;
    skipped<<<k, 96>>>(a);
  }
}

// CHECK: often(float*) {{.*}} 32x1x1 64x1x1 source
// CHECK: rare(float*) {{.*}} 20x1x1 128x1x1 source
// CHECK: rare(float*) {{.*}} 40x1x1 128x1x1 source
// CHECK: rare(float*) {{.*}} 60x1x1 128x1x1 source
// CHECK: rare(float*) {{.*}} 80x1x1 128x1x1 source
// CHECK: skipped(float*) {{.*}} 62x1x1 96x1x1 source
// CHECK: skipped(float*) {{.*}} 124x1x1 96x1x1 source
