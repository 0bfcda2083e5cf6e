// Launches by calls of the runtime library, which get the addresses of the
// arguments: an argument is known if its variable is at the launch.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

__global__ void k(float *x, int n) {}
template <typename T> __global__ void t(T *x) {}

void oneByOne(float *x) {
  int n = 1000;
  void *arguments[2];
  arguments[0] = &x;
  arguments[1] = &n;
  // CHECK: launch _Z1kPfi: grid 3x1x1, block 32x1x1, shared 0, arg1=1000 (source)
  cudaLaunchKernel((void *)k, 3, 32, arguments, 0, 0);
  int m = 2000;
  arguments[1] = &m;
  // CHECK: launch _Z1kPfi: grid 3x1x1, block 32x1x1, shared 0, arg1=2000 (source)
  cudaLaunchKernel((void *)k, 3, 32, arguments, 0, 0);
}

// What is generic, with what it is given by references to const.
template <typename... Parameters, typename... Arguments>
void launch(void (*kernel)(Parameters...), const dim3 &grid, const dim3 &block,
            Arguments const &...arguments) {
  void *addresses[sizeof...(Arguments)]{(void *)&arguments...};
  auto untyped = reinterpret_cast<const void *>(kernel);
  // CHECK: launch _Z1kPfi: grid 5x1x1, block 32x1x1, shared 0, arg1=70 (source)
  cudaLaunchKernel(untyped, grid, block, addresses, 0, 0);
}
void runLaunch(float *x) { launch(k, 5, 32, x, 70); }

void run(float *x, const void *parameter) {
  int n = 1000;
  void *arguments[] = {&x, &n};
  dim3 grid(8, 2), block(64);
  // CHECK: launch _Z1kPfi: grid 8x2x1, block 64x1x1, shared 256, arg1=1000 (source)
  cudaLaunchKernel((void *)k, grid, block, arguments, 256, 0);
  // CHECK: launch _Z1tIdEvPT_: grid 4x1x1, block 32x1x1, shared 0 (source)
  cudaLaunchKernel((const void *)&t<double>, 4, 32, arguments, 0, 0);
  // CHECK: launch _Z1kPfi: grid 108x1x1, block 256x1x1, shared 0, arg1=1000 (source)
  cudaLaunchCooperativeKernel(reinterpret_cast<void *>(k), dim3(108), dim3(256),
                              arguments, 0, 0);
  auto pointer = &k;
  // CHECK: launch _Z1kPfi: grid 2x1x1, block 16x1x1, shared 0, arg1=1000 (source)
  cudaLaunchKernel((void *)pointer, 2, 16, arguments, 0, 0);
  const void *untyped = reinterpret_cast<const void *>(k);
  // CHECK: launch _Z1kPfi: grid 2x1x1, block 8x1x1, shared 0, arg1=1000 (source)
  cudaLaunchKernel(untyped, 2, 8, arguments, 0, 0);
  // CHECK: launch of an unknown kernel at {{.*}}:[[#@LINE+1]]:3
  cudaLaunchKernel(parameter, 2, 16, arguments, 0, 0);
}
