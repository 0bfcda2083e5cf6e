// A plugin of which nobody asks anything does nothing.
//
// RUN: %clang_cuda_device %clang_plugin -O1 -S %s -o /dev/null 2>&1 | FileCheck %s --allow-empty

#pragma auspex nonsense
__global__ void k(int n) {}
// CHECK-NOT: {{.}}
