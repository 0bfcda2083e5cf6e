// A counter without a sign that goes on by a constant: nvcc does not unroll its
// loop, for it may wrap, but ptxas makes a version of four turns and one of two.
// It does not where warps may split and what an index is multiplied for is
// stored, nor by a step that is not known.
// (nvcc 11.8 for 8.0: 512, 905, 602 and 712 instructions a warp.)

// RUN: auspex predict %s --format=json -o %t.json --gpu A100-40GB
// RUN: %python %S/Inputs/classes.py %t.json all | FileCheck %s
// CHECK:      {{^}}sum {{49[0-9]|5[0-2][0-9]}}{{$}}
// CHECK-NEXT: {{^}}copy {{[89][0-9][0-9]}}{{$}}
// CHECK-NEXT: {{^}}copyFirst {{59[0-9]|60[0-9]}}{{$}}
// CHECK-NEXT: {{^}}byBlock {{7[01][0-9]}}{{$}}
__global__ void sum(const float *in, float *out, unsigned n) {
  float sum = 0;
  for (unsigned i = threadIdx.x; i < n; i += 256)
    sum += in[i];
  out[threadIdx.x] = sum;
}

__global__ void copy(const float *__restrict__ in, float *__restrict__ out,
                     unsigned n) {
  for (unsigned i = threadIdx.x; i < n; i += 256)
    out[i] = in[i];
}

__global__ void copyFirst(const float *__restrict__ in,
                          float *__restrict__ out, unsigned n, unsigned first) {
  for (unsigned i = first; i < n; i += 256)
    out[i] = in[i];
}

__global__ void byBlock(const float *in, float *out, unsigned n) {
  float sum = 0;
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
    sum += in[i];
  out[threadIdx.x] = sum;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 1 << 20);
  cudaMalloc(&out, 1 << 20);
  sum<<<1, 256>>>(in, out, 100 * 256);
  copy<<<1, 256>>>(in, out, 100 * 256);
  copyFirst<<<1, 256>>>(in, out, 100 * 256, 0);
  byBlock<<<1, 256>>>(in, out, 100 * 256);
}
