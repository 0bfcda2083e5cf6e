// What ends in a fatal error of LLVM's back end ends the analysis, and not the
// compilation, whose output may need no back end: sm_80 has no shuffles without
// a mask.
//
// DEFINE: %{compile} = %clang_cuda_device -O2 -S -emit-llvm %s \
// DEFINE:   -Rpass-analysis=auspex
// RUN: %{compile} -o %t.plain.ll
// RUN: %{compile} %clang_plugin -o %t.ll 2>&1 \
// RUN:   | FileCheck %s
// RUN: cmp %t.plain.ll %t.ll
// RUN: not %{compile} %clang_plugin -fplugin-arg-auspex-summary=%t.json \
// RUN:   -o %t.ll 2>&1 | FileCheck %s --check-prefix=ALONE
//
// CHECK: note: auspex predicts nothing: LLVM's back end says: Cannot select:
// ALONE: error: auspex predicts nothing: LLVM's back end says: Cannot select:

__global__ void rotate(int *x) {
  x[threadIdx.x] = __nvvm_shfl_idx_i32(x[threadIdx.x], 3, 31);
}
