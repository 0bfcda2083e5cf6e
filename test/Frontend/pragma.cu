// A launch pragma belongs to the kernel it stands before; several state several
// launches. Values are expanded, names are not.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

#define N 1048576
#define n does not matter

// CHECK: launch _Z1kifPf: grid 4096x1x1, block 256x1x1, shared 0, arg0=1048576 (pragma) at {{.*}}pragma.cu:[[#@LINE+1]]:9
#pragma auspex launch(grid:4096, block:256, shared:0, n=N)
// CHECK: launch _Z1kifPf: grid 16x16x1, block unknown, shared unknown, arg0=-5 (pragma)
#pragma auspex launch(grid : 16x16, arg0 = -5)
#undef n
__global__ void k(int n, float a, float *x) {}

// Other code may stand between.
// CHECK: launch _Z5afteri: grid unknown, block 64x1x1, shared unknown (pragma)
#pragma auspex launch(block:64)
int between;
__global__ void after(int n) {}

#define OPERATOR _Pragma("auspex launch(block:96)")
// CHECK: launch _Z5macroi: grid unknown, block 96x1x1
OPERATOR
__global__ void macro(int n) {}
