// The host compilation skips launch pragmas in silence, whatever they say.
//
// RUN: %clang_cuda_host %clang_plugin -Wall -c %s -o /dev/null 2>&1 | FileCheck %s --allow-empty

#pragma auspex launch(grid:8)
#pragma auspex nonsense
__global__ void k(int n) {}
// CHECK-NOT: warning
