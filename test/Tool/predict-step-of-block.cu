// The warps behind the first go on by what is left of the block: 8 turns of 128.
// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s
// CHECK: predicted {{[0-9.]+}} us for behind
// CHECK: in loads {{ *}}81.8 MB

__global__ void behind(const float *in, float *out) {
  float sum = 0;
  for (int i = threadIdx.x; i < 1024; i += blockDim.x - 32)
    sum += in[blockIdx.x * 1024 + i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 1 << 26);
  cudaMalloc(&out, 1 << 26);
  behind<<<16384, 160>>>(in, out);
}
