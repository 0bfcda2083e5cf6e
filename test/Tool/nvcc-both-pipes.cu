// ptxas has additions, shifts to the left and moves be multiply-adds, until
// both pipes have as many instructions: most of them in a generator of random
// numbers, none in a product. Of mix, what the pipe of multiply-adds does:
// RUN: auspex predict %s --format=json -o %t.json --gpu A100-40GB --gpu GTX-1080-Ti
// RUN: %python -c "import json; \
// RUN:   [print(p['gpu'], p['demangled'].split('(')[0], \
// RUN:    {c: round(n / p['inputs']['operational']['mix'][c], 2) for c, n in \
// RUN:     p['inputs']['operational']['as_multiply_adds'].items()}) \
// RUN:    for p in json.load(open(r'%t.json'))['predictions']]" \
// RUN:   | FileCheck %s
// CHECK-DAG: A100-40GB rounds {'int_add': {{0.9.|1.0}}{{.*}}}
// CHECK-DAG: A100-40GB polynomial {}
// CHECK-DAG: GTX-1080-Ti rounds {}

__global__ void rounds(const unsigned *in, unsigned *out, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = in[i], b = in[i + 1], c = in[i + 2], d = in[i + 3];
  for (int k = 0; k < n; ++k) {
    a += b, d ^= a, d = d << 16 | d >> 16;
    c += d, b ^= c, b = b << 12 | b >> 20;
    a += b, d ^= a, d = d << 8 | d >> 24;
    c += d, b ^= c, b = b << 7 | b >> 25;
  }
  out[i] = a + b + c + d;
}

__global__ void polynomial(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i], sum = x;
#pragma unroll
  for (int k = 0; k < 100; ++k)
    sum = sum * x + k;
  out[i] = sum;
}

int main() {
  int n = 1 << 20;
  void *in, *out;
  cudaMalloc(&in, n * 4 + 16);
  cudaMalloc(&out, n * 4);
  rounds<<<n / 256, 256>>>((unsigned *)in, (unsigned *)out, 1000);
  polynomial<<<n / 256, 256>>>((float *)in, (float *)out);
  cudaDeviceSynchronize();
}
