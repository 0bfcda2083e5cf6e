// Arguments are known by the names of the source where the compiler dropped
// those of the values, if there is debug information of variables (which -g alone
// does not ask for in optimised device code).

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -Xclang -debug-info-kind=limited \
// RUN:   -fdiscard-value-names -emit-llvm -S %s -o %t.ll
// RUN: %opt_auspex -passes='print<auspex-summary;json>' %t.ll | FileCheck %s
// RUN: auspex predict %t.ll --gpu A100 --launch k=grid:64,block:256,n=3 --format=json \
// RUN:   | FileCheck %s --check-prefix=LAUNCH
// LAUNCH: "args": {
// LAUNCH-NEXT: "arg0": 3

// Inlined: its parameters are not the kernel's.
__device__ float scaled(float *from, int at) { return from[at] * 2; }

struct Pair {
  int first, second;
};

// CHECK: "name": "_Z1kifPfS_4Pair",
// CHECK: "kind":"integer",{{.*}}"name":"n"
// CHECK: "kind":"float",{{.*}}"name":"unused"
// CHECK: "kind":"pointer",{{.*}}"name":"in"
// CHECK: "kind":"pointer",{{.*}}"name":"out"
// CHECK: "kind":"struct",{{.*}}"name":"pair"
__global__ void k(int n, float unused, float *in, float *out, Pair pair) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i + pair.second] = scaled(in, i);
}
