// Members of structs have their names, and what the source does not say of a
// grid is named too.
//
// REQUIRES: plugins
//
// RUN: auspex predict %s --gpu H100-SXM | FileCheck %s
// RUN: auspex predict %s --gpu H100-SXM \
// RUN:   --launch 'sum=grid:64,p.size.y=10,p.size.x=16384' \
// RUN:   | FileCheck %s --check-prefix=STATED
// RUN: not auspex predict %s --gpu H100-SXM --launch 'sum=grid:64,p.y=10' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WRONG
//
// CHECK: time unknown for sum on H100-SXM, unless the launch states sum=p.size.y=...;
// CHECK-SAME: grid {{[0-9]+}}x1x1 assumed and block 256x1x1 from the source
// CHECK: p.data loads
// CHECK: open: the trip count of the loop at line {{[0-9]+}} depends on argument p.size.y
// CHECK: assumed: a grid that fills the GPU: that of the source hangs on number(argv[1]) at line [[#READ:]]
// STATED: predicted {{.*}} us for sum on H100-SXM
// WRONG: sum: p.y: the kernel has no such argument; its integer arguments are p.size.x and p.size.y
#include <cuda_runtime.h>

struct Size {
  int x, y;
};
struct Field {
  float *data;
  Size size;
  float factors[2];
};
__global__ void sum(Field p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float t = 0;
  for (int j = 0; j < p.size.y; ++j)
    t += p.data[i + j * p.size.x];
  p.data[i] = t * p.factors[1];
}
int number(const char *text);
int main(int, char **argv) {
  Field p;
  int n = number(argv[1]);
  p.size.x = n;
  int blocks = (n + 255) / 256;
  sum<<<blocks, 256>>>(p);
}
