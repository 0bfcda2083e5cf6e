// A place that is calculated of floating-point numbers is unknown, but
// neighbours are beside each other there as a rule: a picture that is scaled is
// expected to be read once, where one that data pick from goes sector by sector.
//
// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB --launch scale=grid:4096,block:256 \
// RUN:   --launch pick=grid:4096,block:256 | FileCheck %s

// CHECK-LABEL: {{^}}scale(
// CHECK:       in loads {{ *}}4.19 MB {{ *}}4.19 MB {{ *}}4.19 MB {{ *}}4.19 MB
__global__ void scale(const float *in, float *out, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[int(i * factor)];
}

// CHECK-LABEL: {{^}}pick(
// CHECK:       in loads {{ *}}4.19 MB {{ *}}33.6 MB
__global__ void pick(const float *in, float *out, const int *index) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[index[i]];
}
