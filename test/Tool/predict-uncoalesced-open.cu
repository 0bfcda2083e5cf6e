// Who transposes a matrix of any size does so lane by lane, whatever the size
// is; where rows begin says nothing of their elements.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s

// CHECK-LABEL: transpose(
// CHECK-NOT: load {{.*}} touches
// CHECK: :[[#@LINE+7]]:{{.*}}store of 4 B a lane: its address depends on values that are not stated; 32 sectors a request [UnknownAccess]
// CHECK-NOT: load {{.*}} touches
// CHECK: :[[#@LINE+5]]:{{.*}}store of 4 B a lane touches 32 sectors a request where 4 would do, as expected without the values that are not stated: {{.*}} less [UncoalescedAccess]
#pragma auspex launch(grid:64x64, block:32x32)
__global__ void transpose(const float *in, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * n + y] = in[y * n + x];
}

// CHECK-LABEL: rows(
// CHECK: :[[#@LINE+5]]:{{.*}}store of 4 B a lane touches 16 sectors a request where 4 would do
#pragma auspex launch(grid:4096, block:256)
__global__ void rows(float *out, int pitch) {
  // The lanes are four words apart.
  for (int k = 0; k < 3; ++k)
    out[blockIdx.x * pitch + threadIdx.x * 4 + k] = k;
}
