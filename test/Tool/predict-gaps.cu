// Two words of four with a gap between them are loaded apart, as nvcc does it;
// of three, and of parts of words, the gap is loaded too.

// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s
//
// CHECK-LABEL: {{^}}inShared(float const*, float*)
// CHECK-NOT:   shared load of 16 B
// CHECK-COUNT-2: shared load of 4 B a lane: 4-way bank conflict
__global__ void inShared(const float *in, float *out) {
  __shared__ float s[1024];
  int t = threadIdx.x;
  for (int k = 0; k < 1024; k += 256)
    s[t + k] = in[blockIdx.x * 1024 + t + k];
  __syncthreads();
  out[blockIdx.x * 256 + t] = s[4 * t] + s[4 * t + 2];
}

#define KERNEL(name, Type, value)                                              \
  __global__ void name(const Type *in, int *out) {                             \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                             \
    Type v = in[i];                                                            \
    out[i] = value;                                                            \
  }
// CHECK-LABEL: {{^}}threeOfFour(
// CHECK: load of 16 B a lane
// CHECK-LABEL: {{^}}twoBytes(
// CHECK: load of 4 B a lane: 4 sectors a request, the fewest
// CHECK-LABEL: {{^}}twoOfFour(
// CHECK: load of 4 B a lane: 16 sectors a request
// CHECK-NOT: load of 16 B a lane
KERNEL(threeOfFour, int4, v.x * v.y + v.w)
KERNEL(twoBytes, uchar4, v.x * v.z)
KERNEL(twoOfFour, int4, v.x * v.z)

int main() {
  float *in, *out;
  cudaMalloc(&in, 1 << 26);
  cudaMalloc(&out, 1 << 26);
  int *counts = reinterpret_cast<int *>(out);
  inShared<<<4096, 256>>>(in, out);
  threeOfFour<<<4096, 256>>>(reinterpret_cast<int4 *>(in), counts);
  twoBytes<<<4096, 256>>>(reinterpret_cast<uchar4 *>(in), counts);
  twoOfFour<<<4096, 256>>>(reinterpret_cast<int4 *>(in), counts);
}
