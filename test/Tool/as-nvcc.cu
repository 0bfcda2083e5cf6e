// What nvcc accepts and clang's headers alone do not: functions with cache
// hints and atomic functions with an order, host functions without an include,
// constants that lose something, what C++17 has dropped and old headers have,
// <omp.h>, and nvcc's version.

// REQUIRES: plugins
// RUN: env CUDA_PATH= auspex predict %s --gpu A100 | FileCheck %s

// CHECK-LABEL: {{^}}hinted(
// CHECK: predicted {{.*}} 100 % of accesses understood
// CHECK: as-nvcc.cu:[[#@LINE+11]]:{{[0-9]+}}: load of 16 B a lane: 16 sectors a request
// CHECK: as-nvcc.cu:[[#@LINE+10]]:{{[0-9]+}}: store of 16 B a lane: 16 sectors a request
// CHECK-LABEL: {{^}}ordered(
// CHECK: predicted {{.*}} 100 % of accesses understood
#include <omp.h>

struct Size {
  unsigned char x;
};
__global__ void hinted(float4 *x, const float4 *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __stcs(x + i, __ldlu(y + i));
}
__global__ void ordered(int *count) {
  __nv_atomic_fetch_add(count + threadIdx.x, 1, __NV_ATOMIC_RELAXED,
                        __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_add(count + threadIdx.x, 1, __NV_ATOMIC_RELAXED);
}

#if __CUDACC_VER_MAJOR__ < 9
#error that is from before shuffles with masks
#endif
#if !__CUDACC__
#error for the host alone
#endif
struct Stores {
  template <class T> static __device__ void to(T *p) { *p = 1; }
};
// CHECK-LABEL: {{^}}void old<Stores>(
// CHECK: predicted {{.*}} 100 % of accesses understood
template <class S> __global__ void old(int *x) {
  register int i = threadIdx.x;
  S::template to(x + i);
}
#define NUMBER "d"

template <class T> bool isNumber(T x) { return isfinite(x); }

int main() {
  int threads = 1000 * omp_get_thread_num() + 256;
  Size size = {threads};
  assert(isNumber(1.0f * max(size.x, 1u)));
  hinted<<<128, 256>>>(nullptr, nullptr);
  ordered<<<128, 256>>>(nullptr);
  old<Stores><<<128, 256>>>(nullptr);
  printf("%"NUMBER, threads);
}
