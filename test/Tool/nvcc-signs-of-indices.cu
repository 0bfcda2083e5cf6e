// What nvcc knows of thread indices before 10.0: while it simplifies code, not
// that they have no sign; when it makes addresses, how large they are.

// i / 64 and i % 64 of an int round towards zero: a sign is spread, shifted and
// added. Of an unsigned they are a shift and a mask. (nvcc 11.8 for 8.0: 14 and
// 11 instructions.)
// RUN: auspex predict %s --format=json -o %t.json --gpu A100-40GB
// RUN: %python %S/Inputs/classes.py %t.json all shift logic | FileCheck %s
// CHECK-DAG: {{^}}withSign 14 2 1{{$}}
// CHECK-DAG: {{^}}withoutSign 11 1 1{{$}}
// A newer optimiser knows.
// RUN: auspex predict %s --format=json -o %t.json --gpu B200
// RUN: %python %S/Inputs/classes.py %t.json shift | FileCheck %s \
// RUN:   --check-prefix=NEWER
// NEWER-DAG: {{^}}withSign [[SHIFTS:[0-9]+]]{{$}}
// NEWER-DAG: {{^}}withoutSign [[SHIFTS]]{{$}}

__global__ void withSign(float *out, int pitch) {
  int i = threadIdx.x;
  out[(i / 64) * pitch + i % 64] = 1;
}

__global__ void withoutSign(float *out, int pitch) {
  unsigned i = threadIdx.x;
  out[(i / 64) * pitch + i % 64] = 1;
}

// The second address is the first and a constant, which it would not be if the
// sum might wrap: one wide multiply-add.
// RUN: auspex predict %s --format=json -o %t.json --gpu A100-40GB
// RUN: %python %S/Inputs/classes.py %t.json int_add int_mul load_global \
// RUN:   | FileCheck %s --check-prefix=SUM
// SUM: {{^}}apart 0 2 2{{$}}
__global__ void apart(const float *in, float *out) {
  out[threadIdx.x] = in[threadIdx.x] * in[threadIdx.x + 256];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 4096);
  withSign<<<1, 256>>>(out, 100);
  withoutSign<<<1, 256>>>(out, 100);
  apart<<<1, 256>>>(in, out);
}
