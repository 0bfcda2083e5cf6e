// What a grid hangs on is named as the source writes it: the list that a loop
// goes through, and of a long call the function.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100 --kernel inLoop | FileCheck %s
// CHECK: assumed: a grid that fills the GPU: that of the source hangs on sizes at line [[#@LINE+15]]
// RUN: auspex predict %s --gpu A100 --kernel ofCall | FileCheck %s --check-prefix=CALL
// CALL: assumed: a grid that fills the GPU: that of the source hangs on blocksOfArguments(...) at line [[#@LINE+15]]

#include <vector>

__global__ void inLoop(float *x) { x[blockIdx.x] = 1; }
__global__ void ofCall(float *x) { x[blockIdx.x] = 1; }

int blocksOfArguments(const char *program, const char *option, int otherwise);
void fill(std::vector<int> &sizes);

void run(float *x, const char *program) {
  std::vector<int> sizes{1, 2};
  fill(sizes);
  for (int size : sizes)
    inLoop<<<size, 256>>>(x);
  int blocks = blocksOfArguments(program, "--blocks", 16384 * 1024);
  ofCall<<<blocks, 256>>>(x);
}
