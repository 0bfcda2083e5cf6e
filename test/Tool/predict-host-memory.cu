// Of arrays in the memory of the host nobody counts the time of the link.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100 | FileCheck %s
// CHECK: copy(float const*, float*)
// CHECK-NOT: assumed: to lies
// CHECK: assumed: from lies in the host's memory and is timed as if in the GPU's own: the link between them is left out
// CHECK-NOT: assumed: to lies
// CHECK: fill(float*, int)
// CHECK: assumed: out lies in the host's memory

// RUN: auspex predict %s --gpu A100 --launch 'copy=block:128' | FileCheck %s --check-prefix=FILLED
// FILLED: copy(float const*, float*)
// FILLED: assumed: from lies in the host's memory

// RUN: echo '{launches: [{kernel: copy, inHostMemory: [to]}]}' > %t.yaml
// RUN: auspex predict %s --gpu A100 --launches %t.yaml | FileCheck %s --check-prefix=STATED
// STATED: assumed: to lies in the host's memory
// RUN: echo '{launches: [{kernel: fill, inHostMemory: [n]}]}' > %t.yaml
// RUN: not auspex predict %s --gpu A100 --launches %t.yaml 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: fill: n: it is no pointer

__global__ void copy(const float *from, float *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
}

__global__ void fill(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 1;
}

void run(int unknown) {
  float *from, *to, *kept, *named;
  cudaMallocHost(&from, 1 << 22);
  cudaMalloc(&to, 1 << 22);
  copy<<<4096, 256>>>(from, to);
  cudaHostAlloc((void **)&kept, unknown, cudaHostAllocMapped);
  cudaHostGetDevicePointer((void **)&named, kept, 0);
  fill<<<4096, 256>>>(named, 1 << 20);
}
