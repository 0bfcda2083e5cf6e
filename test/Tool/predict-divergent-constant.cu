// What lanes read at different places of constant memory is read word by word;
// where all read one place, there is nothing to say.

// RUN: auspex predict %s --gpu RTX-3080 | FileCheck %s

// CHECK-LABEL: look(
// CHECK:       constant load of 4 B a lane: 32 words a request, one after the other; {{.*}}; without it {{[0-9.]+}} ms (9{{.*}} %) less [DivergentConstant]
// CHECK-LABEL: filter(
// CHECK-NOT:   DivergentConstant
// CHECK-LABEL: ofData(
// CHECK:       constant load of 4 B a lane: 30.1 words a request, one after the other, as expected of any data; {{.*}} [DivergentConstant]
__constant__ float table[256];

__global__ void look(float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 64; ++k)
    sum += table[(threadIdx.x * 5 + k) % 256];
  out[i] = sum;
}

__global__ void filter(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 64; ++k)
    sum += table[k + blockIdx.x % 64] * in[i + k];
  out[i] = sum;
}

__global__ void ofData(const unsigned char *which, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = table[which[i]];
}

int main() {
  int n = 1 << 22;
  float *in, *out;
  unsigned char *which;
  cudaMalloc(&in, (n + 64) * 4);
  cudaMalloc(&out, n * 4);
  cudaMalloc(&which, n);
  look<<<n / 256, 256>>>(out);
  filter<<<n / 256, 256>>>(in, out);
  ofData<<<n / 256, 256>>>(which, out);
}
