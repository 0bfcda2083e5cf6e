// Kernels without a launch have their signatures; what is in a system header is
// not read.
//
// RUN: %read_launches -isystem %S/Inputs %s 2>&1 | FileCheck %s

#include "header-with-launch.h"

__global__ void k(const float *__restrict__ x, unsigned long n, float2 pair) {}
__global__ void declared(int n);

// CHECK-NOT: {{^}}launch
// CHECK: signature _Z1kPKfm6float2: [const float *__restrict x] [unsigned long n] [float2 pair]
// CHECK-NOT: signature
// CHECK: arguments _Z1kPKfm6float2: x n pair
