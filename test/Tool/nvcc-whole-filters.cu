// ptxas unrolls a filter in constant memory whole, whose taps are operands
// then, however many nvcc's optimiser makes copies of: 64 and 121 taps. A loop
// around leaves room for less, 1200 taps are too many, and so is a loop of
// divisions, which branch; two constants are one load. Loads from constant
// memory to registers of a lane and to uniform ones, multiply-adds:
// RUN: auspex predict %s --format=json -o %t.json --gpu A100-40GB
// RUN: %python -c "import json; \
// RUN:   [print(p['demangled'].split('(')[0], \
// RUN:    *[round(p['inputs']['operational']['mix'].get(c, 0)) \
// RUN:      for c in ('load_constant', 'fetch_constant', 'fp32')]) \
// RUN:    for p in json.load(open(r'%t.json'))['predictions']]" \
// RUN:   | FileCheck %s
// CHECK-DAG: filter 0 0 64
// CHECK-DAG: box 0 0 121
// CHECK-DAG: longer 0 3000 6000
// CHECK-DAG: strided 0 0 640
// CHECK-DAG: divided 0 32 {{[0-9]+}}

__constant__ float taps[6000];

__global__ void filter(const float *__restrict__ in, float *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 64; ++k)
    sum += taps[k] * in[i + k];
  out[i] = sum;
}

__global__ void box(const float *__restrict__ in, float *__restrict__ out,
                    int pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float sum = 0;
  for (int j = 0; j < 11; ++j)
    for (int i = 0; i < 11; ++i)
      sum += taps[j * 11 + i] * in[(y + j) * pitch + x + i];
  out[y * pitch + x] = sum;
}

__global__ void longer(const float *__restrict__ in, float *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 6000; ++k)
    sum += taps[k] * in[i + k];
  out[i] = sum;
}

__global__ void strided(const float *__restrict__ in, float *__restrict__ out,
                        int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    float sum = 0;
    for (int k = 0; k < 64; ++k)
      sum += taps[k] * in[i + k];
    out[i] = sum;
  }
}

__global__ void divided(const float *__restrict__ in, float *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 64; ++k)
    sum += in[i + k] / taps[k];
  out[i] = sum;
}

int main() {
  int n = 1 << 20;
  float *in, *out;
  cudaMalloc(&in, n * 8);
  cudaMalloc(&out, n * 4);
  filter<<<n / 256, 256>>>(in, out);
  box<<<dim3(4, 1024), 256>>>(in, out, 1024);
  longer<<<n / 256, 256>>>(in, out);
  strided<<<n / 2560, 256>>>(in, out, n / 2560 * 2560);
  divided<<<n / 256, 256>>>(in, out);
  cudaDeviceSynchronize();
}
