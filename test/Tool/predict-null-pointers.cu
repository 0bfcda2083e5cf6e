// Pointers that the source or the user says are null decide what runs; others
// lead somewhere.
//
// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB --format=json | FileCheck %s
// RUN: auspex predict %s --gpu A100-40GB --kernel member --launch 'member=in.bias=0' \
// RUN:   --format=json | FileCheck %s --check-prefix=STATED
// RUN: %refused auspex predict %s --kernel whole --launch 'whole=bias=4096' | FileCheck %s --check-prefix=REFUSED
// REFUSED: whole: bias: it is a pointer, and can be 0, null; its integer argument is n (arg3)

__global__ void whole(const float *x, const float *bias, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = bias ? x[i] + bias[i] : x[i];
}
struct Inputs {
  const float *x, *bias;
};
__global__ void member(Inputs in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float value = in.x[i];
  if (in.bias != nullptr)
    value += in.bias[i];
  out[i] = value;
}

void run(const float *x, const float *bias, float *out) {
  // CHECK: "kernel": "_Z5wholePKfS0_Pfi"
  // CHECK: "argument":"bias"
  // CHECK: "kernel": "_Z5wholePKfS0_Pfi"
  // CHECK-NOT: "argument":"bias"
  // CHECK: "argument":"out"
  whole<<<4096, 256>>>(x, bias, out, 1 << 20);
  whole<<<4096, 256>>>(x, nullptr, out, 1 << 20);
  // CHECK: "kernel": "_Z6member6InputsPfi"
  // CHECK: "argument":"in.bias"
  // CHECK: "kernel": "_Z6member6InputsPfi"
  // CHECK-NOT: "argument":"in.bias"
  // CHECK: "argument":"out"
  // STATED-NOT: "argument":"in.bias"
  // STATED: "argument":"out"
  // STATED-NOT: "kernel":
  member<<<4096, 256>>>(Inputs{x, bias}, out, 1 << 20);
  const float *none = nullptr;
  member<<<4096, 256>>>(Inputs{x, none}, out, 1 << 20);
}
