// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// out[i] = in[i * stride] for elements of 4, 8 and 16 bytes: what a stride
// costs.
#include "check.h"

namespace strided {

// A read of elements of s bytes touches stride * s sectors a request, until at
// 32 every lane has a sector of its own. The writes stay coalesced. clang
// copies a float4 as two halves, two requests of 8 bytes in steps of 16, where
// nvcc makes one of 16 bytes.
template <class T> __global__ void copy(const T *in, T *out, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * stride];
}

} // namespace strided

constexpr int size = 1 << 16;
constexpr int blockSize = 256;
constexpr int largestStride = 33;
static_assert(size % blockSize == 0, "the kernel has no guard");

static float makeElement(float, float value) { return value; }
static double makeElement(double, float value) { return value; }
static float4 makeElement(float4, float value) {
  return make_float4(value, value + 1, value + 2, value + 3);
}
static bool equal(float a, float b) { return a == b; }
static bool equal(double a, double b) { return a == b; }
static bool equal(float4 a, float4 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

template <class T>
static bool check(const char *type, const std::vector<T> &in,
                  DeviceArray<T> &out, int stride) {
  std::vector<T> actual = out.copyBack();
  out.clear();
  for (int i = 0; i < size; ++i)
    if (!equal(actual[i], in[i * stride])) {
      std::printf("FAILED: %s with stride %d: element %d is wrong\n", type,
                  stride, i);
      return false;
    }
  return true;
}

template <class T> static bool runWith(const char *type) {
  std::vector<T> in(size * largestStride);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = makeElement(T(), static_cast<float>(i));
  DeviceArray<T> deviceIn(in), deviceOut(size);
  std::printf("%s, %d bytes:\n", type, static_cast<int>(sizeof(T)));

  constexpr dim3 grid(size / blockSize), block(blockSize);
  Stopwatch unit;
  strided::copy<T><<<grid, block>>>(deviceIn.get(), deviceOut.get(), 1);
  unit.report("stride 1");
  bool passed = check(type, in, deviceOut, 1);

  Stopwatch two;
  strided::copy<T><<<grid, block>>>(deviceIn.get(), deviceOut.get(), 2);
  two.report("stride 2");
  passed &= check(type, in, deviceOut, 2);

  Stopwatch odd;
  strided::copy<T><<<grid, block>>>(deviceIn.get(), deviceOut.get(), 33);
  odd.report("stride 33");
  passed &= check(type, in, deviceOut, 33);

  // The same with a stride the compiler does not know.
  for (int stride = 1; stride <= largestStride; ++stride) {
    strided::copy<<<grid, block>>>(deviceIn.get(), deviceOut.get(), stride);
    CHECK_KERNEL();
    passed &= check(type, in, deviceOut, stride);
  }
  return passed;
}

int main() {
  requireDevice();
  bool passed = runWith<float>("float");
  passed &= runWith<double>("double");
  passed &= runWith<float4>("float4");
  return finish(passed);
}
