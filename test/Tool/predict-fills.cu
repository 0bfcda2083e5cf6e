// Stores of zeros are as wide as other stores: LLVM makes fills of them, byte
// by byte where they are long, and nvcc does not.

// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s
// RUN: auspex predict %s --gpu A100-40GB | not grep '1 B'

// CHECK-LABEL: {{^}}inShared(float*)
// CHECK: :[[#@LINE+5]]:{{.*}} shared store of 16 B a lane
__global__ void inShared(float *out) {
  __shared__ float rows[32][68];
#pragma unroll
  for (int k = 0; k < 64; ++k)
    rows[threadIdx.x][k] = 0;
  __syncthreads();
  rows[threadIdx.x][3] += out[threadIdx.x];
  float sum = 0;
  for (int k = 0; k < 64; ++k)
    sum += rows[(threadIdx.x + 1) % 32][k];
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}

// CHECK-LABEL: {{^}}oneByOne(float*, int)
// CHECK: :[[#@LINE+4]]:{{.*}} store of 4 B a lane: 32 sectors a request
__global__ void oneByOne(float *out, int width) {
  float *row = out + (blockIdx.x * blockDim.x + threadIdx.x) * width;
  for (int k = 0; k < width; ++k)
    row[k] = 0;
}

// CHECK-LABEL: {{^}}unrolled(float*)
// CHECK: :[[#@LINE+5]]:{{.*}} store of 4 B a lane: 32 sectors a request
__global__ void unrolled(float *out) {
  float *row = out + (blockIdx.x * blockDim.x + threadIdx.x) * 64;
#pragma unroll
  for (int k = 0; k < 64; ++k)
    row[k] = 0;
}

// CHECK-LABEL: {{^}}vectors(float4*)
// CHECK: :[[#@LINE+4]]:{{.*}} store of 16 B a lane: 32 sectors a request
__global__ void vectors(float4 *out) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
  out[i] = float4{0, 0, 0, 0};
  out[i + 1] = float4{0, 0, 0, 0};
}

int main() {
  float *out;
  cudaMalloc(&out, 1 << 30);
  inShared<<<2048, 32>>>(out);
  oneByOne<<<16384, 256>>>(out, 64);
  unrolled<<<16384, 256>>>(out);
  vectors<<<16384, 256>>>(reinterpret_cast<float4 *>(out));
}
