// With -fgpu-rdc a static kernel has another name in the device code; it keeps
// its launches and its parameters' names.
//
// RUN: %read_launches -fgpu-rdc %s 2>&1 | FileCheck %s

static __global__ void internal(int n, float *data) { data[n] = 0; }

// CHECK: launch _ZL8internaliPf: grid 1x1x1, block 32x1x1, shared 0, arg0=3
void run(float *data) { internal<<<1, 32>>>(3, data); }
// CHECK: arguments _ZL8internaliPf__intern__{{.*}}: n data
