// Without optimisation nothing is analysed, and a remark says so: once.
//
// RUN: %read_launches -O0 -Rpass-analysis=auspex %s 2>&1 | FileCheck %s
// RUN: %read_launches -O0 %s 2>&1 | FileCheck %s --allow-empty --check-prefix=SILENT

// CHECK: :[[#@LINE+1]]:1: remark: nothing is predicted for code compiled with -O0; use -O1 or higher [-Rpass-analysis=auspex]
__global__ void k(int n) {}
__global__ void l(int n) {}
// CHECK-NOT: remark
// CHECK-NOT: kernel
// SILENT-NOT: {{.}}
