// An instruction takes one constant as operand. Before a second one it is moved
// into a register: anew in every turn of a loop, unless the loop is short and
// loads nothing.

// Instructions and moves of 64 turns. (nvcc 11.8 for 8.0 has 712, 904, 276, 172
// and 11 instructions.)
// RUN: auspex predict %s --format=json -o %t.json --gpu A100-40GB
// RUN: %python %S/Inputs/classes.py %t.json all move | FileCheck %s
// CHECK-DAG: {{^}}grid 713 130{{$}}
// CHECK-DAG: {{^}}polynomial 905 258{{$}}
// CHECK-DAG: {{^}}sameParameter {{2[678][0-9]}} {{[0-9]+$}}
// CHECK-DAG: {{^}}noLoad {{17[0-9]}} {{([4-9]|1[01])$}}
// CHECK-DAG: {{^}}stored 11 5{{$}}

#define GRID(i, n)                                                             \
  int i = blockIdx.x * blockDim.x + threadIdx.x;                               \
  i < n;                                                                       \
  i += blockDim.x * gridDim.x

// The size of an element, and blockDim.x.
__global__ void grid(const float *in, float *out, float a, int n) {
  for (GRID(i, n))
    out[i] = a * in[i] + out[i];
}

// Of doubles two registers.
__global__ void polynomial(const double *in, double *out, int n) {
  for (GRID(i, n))
    out[i] = ((in[i] * 0.31 + 0.77) * in[i] + 0.123) * in[i] + 0.7;
}

// The parameter, which meets two numbers.
__global__ void sameParameter(const int *in, int *out, int a, int n) {
  for (int i = threadIdx.x; i < n; i += 256)
    out[i] = in[i] ^ (a & 3) ^ (a + 7);
}

__global__ void noLoad(float *out, int n) {
  float x = threadIdx.x;
  for (int i = 0; i < n; ++i)
    x = (x * 0.31f + 0.77f) * x;
  out[threadIdx.x] = x;
}

__global__ void stored(float *out, float a) {
  out[threadIdx.x] = a;
  out[threadIdx.x + 256] = 5;
  out[threadIdx.x + 512] = 0;
}

int main() {
  float *in, *out;
  double *doubles;
  int *ints;
  const int n = 64 * 256;
  cudaMalloc(&in, n * 4);
  cudaMalloc(&out, n * 4);
  cudaMalloc(&doubles, n * 8);
  cudaMalloc(&ints, n * 4);
  grid<<<1, 256>>>(in, out, 2, n);
  polynomial<<<1, 256>>>(doubles, doubles, n);
  sameParameter<<<1, 256>>>(ints, ints, 5, n);
  noLoad<<<1, 256>>>(out, 64);
  stored<<<1, 256>>>(out, 2);
}
