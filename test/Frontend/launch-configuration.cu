// cudaLaunchKernelEx takes the sizes in a structure, as it is at the call.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(float *x, int n) {}

void run(float *x, int condition, cudaStream_t stream) {
  int n = 1000;
  cudaLaunchConfig_t config = {};
  config.gridDim = 8;
  config.blockDim = dim3(16, 4);
  config.stream = stream;
  // CHECK: launch _Z1kPfi: grid 8x1x1, block 16x4x1, shared 0, arg1=1000 (source)
  cudaLaunchKernelEx(&config, k, x, n);
  config.dynamicSmemBytes = 512;
  if (condition)
    config.gridDim = dim3(9);
  void *arguments[] = {&x, &n};
  // CHECK: launch _Z1kPfi: grid unknown, block 16x4x1, shared 512, arg1=1000 (source)
  cudaLaunchKernelExC(&config, (const void *)k, arguments);
}

void listed(float *x) {
  cudaLaunchConfig_t config = {dim3(2), dim3(32, 2), 128};
  // CHECK: launch _Z1kPfi: grid 2x1x1, block 32x2x1, shared 128, arg1=5 (source)
  cudaLaunchKernelEx(&config, k, x, 5);
}

// Of a member that is written in part nothing is known.
void inside(float *x) {
  cudaLaunchConfig_t config = {};
  config.blockDim = 32;
  config.gridDim.x = 4;
  // CHECK: launch _Z1kPfi: grid unknown, block 32x1x1, shared 0, arg1=7 (source)
  cudaLaunchKernelEx(&config, k, x, 7);
}

// What is configured in a constructor, from a structure.
struct Sizes {
  dim3 blocks, threads;
  Sizes(const dim3 &blocks, const dim3 &threads)
      : blocks(blocks), threads(threads) {}
};
struct Configuration {
  cudaLaunchConfig_t all;
  cudaLaunchAttribute attribute;
  Configuration(const Sizes &sizes, int shared) {
    attribute.id = cudaLaunchAttributePriority;
    attribute.val.priority = 1;
    all = {};
    all.gridDim = sizes.blocks;
    all.blockDim = sizes.threads;
    all.dynamicSmemBytes = shared;
    all.attrs = &attribute;
    all.numAttrs = 1;
  }
};
void constructed(float *x) {
  const Sizes sizes = Sizes{dim3(6, 2), dim3(96)};
  Configuration configuration(sizes, 64);
  // CHECK: launch _Z1kPfi: grid 6x2x1, block 96x1x1, shared 64, arg1=8 (source)
  cudaLaunchKernelEx(&configuration.all, k, x, 8);
}
void changed(float *x) {
  Configuration configuration(Sizes{dim3(6, 2), dim3(96)}, 64);
  configuration.all.gridDim = 3;
  // CHECK: launch _Z1kPfi: grid 3x1x1, block 96x1x1, shared 64, arg1=9 (source)
  cudaLaunchKernelEx(&configuration.all, k, x, 9);
}
