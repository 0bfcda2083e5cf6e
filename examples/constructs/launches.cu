// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ways to launch a kernel other than <<<4, 128>>> with constants: through a
// macro, a pointer, a template, the calls of the runtime library, with sizes of
// loops and lists, with sizes that are found step by step, with a block that
// the library chooses, with as many blocks as the GPU is good for; and what a
// launch and a kernel agree on, dynamic shared memory and __launch_bounds__.
// launches.yaml states some of them by hand.
#include "../check.h"

#define LAUNCH(kernel, count, ...)                                             \
  kernel<<<((count) + 127) / 128, 128>>>(__VA_ARGS__, count)

__global__ void scale(float *x, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= factor;
}

// As many threads as the program finds right go through all elements.
__global__ void offsetBy(float *x, float offset, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    x[i] += offset;
}

// As many registers as two blocks of 512 threads leave each thread, and never a
// larger block.
__global__ void __launch_bounds__(512, 2)
    reverseBlocks(const float *in, float *out) {
  extern __shared__ float values[];
  const float *first = in + blockIdx.x * blockDim.x;
  values[threadIdx.x] = first[threadIdx.x];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      values[blockDim.x - 1 - threadIdx.x];
}

// The shape of a field is in a struct that the host fills in.
struct Field {
  float *data;
  int width, stride;
};

__global__ void scaleField(Field field, float factor) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < field.width)
    field.data[blockIdx.y * field.stride + x] *= factor;
}

// Instances that differ in a type alone.
template <class T> __global__ void setToOne(T *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

// Every block waits until all have arrived: they have to be there together,
// which a cooperative launch makes sure of.
__device__ void waitForGrid(unsigned *arrived) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(arrived, 1u);
  while (*static_cast<volatile unsigned *>(arrived) < gridDim.x)
    ;
}

// Two steps of which the second needs what other blocks did in the first.
__global__ void differences(const float *in, float *once, float *twice, int n,
                            unsigned *arrived) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, next = (i + 1) % n;
  once[i] = in[next] - in[i];
  waitForGrid(arrived);
  twice[i] = once[next] - once[i];
}

using Scale = void (*)(float *, float, int);

// The kernel is an argument, and there is one that it can be.
static void runScale(Scale kernel, DeviceArray<float> &x, int blocks) {
  kernel<<<blocks, 64>>>(x.get(), 2, 1000);
  CHECK_KERNEL();
}

// Arguments are passed on by reference.
template <typename Kernel, typename... Arguments>
void launch(Kernel kernel, int blocks, int threads, Arguments &&...arguments) {
  kernel<<<blocks, threads>>>(static_cast<Arguments &&>(arguments)...);
}

// Doubled until it is large enough, if that is not too large.
static int blockFor(int n) {
  if (n < 64)
    return 32;
  int block = 64;
  while (block < n && block < 512)
    block *= 2;
  return block;
}

// Could be written, and is not.
static int untypedThreads = 40;

// Passes on pointers without their types.
template <typename... Parameters, typename... Arguments>
void launchUntyped(void (*kernel)(Parameters...), const dim3 &grid,
                   const dim3 &block, const Arguments &...arguments) {
  void *addresses[] = {(void *)&arguments...};
  auto pointer = reinterpret_cast<const void *>(kernel);
  CHECK(cudaLaunchKernel(pointer, grid, block, addresses, 0, nullptr));
}

// May write what it is given, as far as the launch is concerned.
static void halve(int &count) { count /= 2; }

static bool runSizes() {
  std::vector<float> x = fill<float>(2048), expected = x;
  DeviceArray<float> device(x);
  int launches[2048] = {};
  auto count = [&](int n) {
    for (int i = 0; i < n; ++i)
      ++launches[i];
  };
  // A size that doubles.
  for (int n = 512; n <= 2048; n *= 2) {
    scale<<<(n + 255) / 256, 256>>>(device.get(), 2, n);
    CHECK_KERNEL();
    count(n);
  }
  // Lists, each element of the one with each of the other.
  const int sizes[] = {700, 1400};
  for (int n : sizes)
    for (int block : {96, 192}) {
      scale<<<(n + block - 1) / block, block>>>(device.get(), 2, n);
      CHECK_KERNEL();
      count(n);
    }
  // What is known until it is written is not known behind.
  int n = 1800;
  launch(scale, 15, 120, device.get(), 2, n);
  CHECK_KERNEL();
  count(n);
  halve(n);
  scale<<<16, 120>>>(device.get(), 2, n);
  CHECK_KERNEL();
  count(n);
  for (int i = 0; i < 2048; ++i)
    for (int k = 0; k < launches[i]; ++k)
      expected[i] *= 2;
  return compare("sizes", device.copyBack(), expected);
}

static bool runScales() {
  const int n = 1000;
  std::vector<float> x = fill<float>(n), expected = x;
  for (float &value : expected)
    value *= 32;
  DeviceArray<float> device(x);
  // By a macro.
  LAUNCH(scale, n, device.get(), 2);
  // By a pointer.
  runScale(scale, device, 16);

  // By a call with the addresses of the arguments.
  float *data = device.get(), factor = 2;
  int size = n;
  void *arguments[] = {&data, &factor, &size};
  CHECK(cudaLaunchKernel(scale, dim3(32), dim3(32), arguments, 0, nullptr));

  // By a call with a configuration.
  cudaLaunchConfig_t config = {};
  config.gridDim = 4;
  config.blockDim = 256;
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributePriority;
  attribute.val.priority = 0;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, scale, data, factor, n));

  // With the block that fills an SM best.
  int blocks = 0, block = 0;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&blocks, &block, scale));
  scale<<<(n + block - 1) / block, block>>>(data, factor, n);
  CHECK_KERNEL();
  return compare("scaled", device.copyBack(), expected);
}

static bool runSteps() {
  const int n = 1000;
  std::vector<float> x = fill<float>(n), expected = x;
  for (float &value : expected)
    value *= 4;
  DeviceArray<float> device(x);
  int block = blockFor(n), blocks = n / block;
  if (n % block != 0)
    ++blocks;
  scale<<<blocks, block>>>(device.get(), 2, n);
  launchUntyped(scale, 25, untypedThreads, device.get(), 2.0f, n);
  CHECK_KERNEL();
  return compare("scaled step by step", device.copyBack(), expected);
}

static bool runReverse() {
  const int blocks = 6, threads = 384;
  std::vector<float> values = fill<float>(blocks * threads);
  std::vector<float> expected(values.size());
  for (int i = 0; i < blocks * threads; ++i)
    expected[i] = values[i / threads * threads + threads - 1 - i % threads];
  DeviceArray<float> in(values), out(values.size());
  const size_t shared = threads * sizeof(float);
  reverseBlocks<<<blocks, threads, shared>>>(in.get(), out.get());
  CHECK_KERNEL();
  return compare("reversed", out.copyBack(), expected);
}

static bool runFields() {
  const int width = 100, height = 12, stride = 128;
  std::vector<float> values = fill<float>(height * stride), expected = values;
  for (int i = 0; i < height * stride; ++i)
    expected[i] *= i % stride < width ? 3 : 1;
  DeviceArray<float> data(values);
  Field field;
  field.data = data.get();
  field.width = width;
  field.stride = stride;
  scaleField<<<dim3(2, height), 64>>>(field, 3);
  CHECK_KERNEL();
  return compare("field", data.copyBack(), expected);
}

template <class T> static bool runInstance() {
  const int n = 512;
  DeviceArray<T> data(n);
  setToOne<<<n / 128, 128>>>(data.get());
  CHECK_KERNEL();
  return compare("ones", data.copyBack(), std::vector<T>(n, 1));
}

// By the size of the GPU.
static bool runOffset() {
  const int n = 5000, threads = 128;
  std::vector<float> values = fill<float>(n), expected = values;
  for (float &value : expected)
    value += 6;
  DeviceArray<float> device(values);
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  int blocks = properties.multiProcessorCount *
               (properties.maxThreadsPerMultiProcessor / threads);
  offsetBy<<<blocks, threads>>>(device.get(), 2, n);
  int multiprocessors;
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                               0));
  offsetBy<<<std::min((n + 255) / 256, 2 * multiprocessors), 256>>>(
      device.get(), 4, n);
  CHECK_KERNEL();
  return compare("offset", device.copyBack(), expected);
}

static bool runDifferences() {
  const int blocks = 8, threads = 128, n = blocks * threads;
  std::vector<float> values = fill<float>(n), expected(n);
  for (int i = 0; i < n; ++i)
    expected[i] = values[(i + 2) % n] - 2 * values[(i + 1) % n] + values[i];
  DeviceArray<float> in(values), once(n), twice(n);
  DeviceArray<unsigned> arrived(1);
  const float *inData = in.get();
  float *onceData = once.get(), *twiceData = twice.get();
  unsigned *arrivedData = arrived.get();
  int size = n;
  void *arguments[] = {&inData, &onceData, &twiceData, &size, &arrivedData};
  CHECK(cudaLaunchCooperativeKernel(differences, dim3(blocks), dim3(threads),
                                    arguments));
  CHECK_KERNEL();
  return compare("differences", twice.copyBack(), expected);
}

int main() {
  requireDevice();
  bool passed = runSizes();
  passed &= runScales();
  passed &= runSteps();
  passed &= runReverse();
  passed &= runFields();
  passed &= runInstance<float>();
  passed &= runInstance<int>();
  passed &= runOffset();
  passed &= runDifferences();
  return finish(passed);
}
