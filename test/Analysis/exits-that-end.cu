// An assertion that fails, or a trap, ends the program, and no loop early.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary;json>' | FileCheck %s

extern "C" __device__ void __assertfail(const char *, const char *, unsigned,
                                        const char *, size_t)
    __attribute__((noreturn));

// CHECK-LABEL: "name": "_Z7checkedPfPKfPKii"
// CHECK: "tripCount":"arg3"
// CHECK: "kind":"store"
// CHECK-SAME: "offset":"4*tid.x"
__global__ void checked(float *out, const float *in, const int *row, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    if (row[i] < 0)
      __assertfail("row[i] >= 0", "k.cu", 1, "checked", 1);
    sum += in[row[i]];
  }
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: "name": "_Z7trappedPfPKfi"
// CHECK: "tripCount":"arg2"
__global__ void trapped(float *out, const float *in, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    if (!(in[i] >= 0))
      __builtin_trap();
    sum += in[i];
  }
  out[threadIdx.x] = sum;
}

// Any other way out may be the first.
// CHECK-LABEL: "name": "_Z8searchedPfPKfi"
// CHECK: "tripCount":"{{.*}}data
__global__ void searched(float *out, const float *in, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    if (in[i] < 0)
      break;
    sum += in[i];
  }
  out[threadIdx.x] = sum;
}
