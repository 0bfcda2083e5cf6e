// Where a shared array begins is a constant beside the register of an access:
// of a look-up nothing but its index is computed (nvcc 11.8).

// REQUIRES: plugins
// RUN: auspex predict %s --format=json --gpu A100-40GB -o %t.json
// RUN: FileCheck %s --input-file %t.json
// CHECK: "demangled": "lookUp
// The lower byte is scaled with its table's place, the upper one as it comes
// down.
// CHECK: "int_add": 1,
// CHECK: "logic": 3,
// CHECK: "shift": 2,

__global__ void lookUp(const unsigned *in, unsigned *out) {
  __shared__ unsigned lower[256], upper[256];
  lower[threadIdx.x] = in[threadIdx.x];
  upper[threadIdx.x] = in[threadIdx.x + 256];
  __syncthreads();
  unsigned x = out[threadIdx.x];
  out[threadIdx.x] = lower[x & 255] ^ upper[(x >> 8) & 255];
}

int main() {
  unsigned *in, *out;
  cudaMalloc(&in, 2048);
  cudaMalloc(&out, 2048);
  lookUp<<<1, 256>>>(in, out);
}
