// What a called function writes under a condition is what its arguments say.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100 --format=table --program-args='10000 100' \
// RUN:   | FileCheck %s
// CHECK-DAG: {{^}}stated(float*) A100-40GB 100x1x1 256x1x1 source
// CHECK-DAG: {{^}}chosen(float*) A100-40GB 7x1x1 256x1x1 source
// CHECK-DAG: {{^}}asked(float*) A100-40GB {{.*}} assumed
#include <cstdlib>

__global__ void stated(float *p) { p[blockIdx.x * 256 + threadIdx.x] += 1; }
__global__ void chosen(float *p) { p[blockIdx.x * 256 + threadIdx.x] += 1; }
__global__ void asked(float *p) { p[blockIdx.x * 256 + threadIdx.x] += 1; }

int columns = 500, blocks = 3, unknown = 5;
int ask();
void init(int argc, char **argv) {
  if (argc > 1)
    columns = atoi(argv[1]);
  if (ask())
    unknown = 6;
}
void choose(bool few) {
  if (few)
    blocks = 7;
  if (!few)
    blocks = 70;
}
int main(int argc, char **argv) {
  init(argc, argv);
  choose(true);
  float *p;
  cudaMalloc(&p, 1 << 22);
  stated<<<columns / 100, 256>>>(p);
  chosen<<<blocks, 256>>>(p);
  asked<<<unknown, 256>>>(p);
}
