// What the header for compiling without a toolkit gives to device code: the
// instructions are those that a toolkit's headers and libdevice lead to.
//
// RUN: %clang_cuda_device -O2 -S %s -o - -Wall -Wextra -Werror | FileCheck %s
// RUN: %clang_cuda_device -O2 -S %s -o /dev/null -std=c++14 -Werror
// RUN: %clang_cuda_device -O2 -S %s -o /dev/null -std=c++20 -Werror
// RUN: %clang_cuda_host -c %s -o /dev/null -Wall -Wextra -Werror

#include <algorithm>
#include <cassert>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace std;

// CHECK: // {{.*}}calls
// CHECK-DAG: .extern .func {{.*}} __nv_sinf
// CHECK-DAG: .extern .func {{.*}} __nv_pow
extern "C" __global__ void calls(float *f, double *d) {
  *f = sinf(*f) + std::sin(*f);
  *d = pow(*d, 1.5);
}

// CHECK-LABEL: .entry instructions(
// CHECK-NOT: call
// CHECK: fma.rn.f32
// CHECK: sqrt.rn.f32
// CHECK: rsqrt.approx.f32
// CHECK: cvt.rmi.f32.f32
// CHECK: abs.f32
// CHECK: min.f32
// CHECK: ex2.approx.f32
// CHECK: sin.approx.f32
// CHECK: div.approx.f32
// CHECK: ret;
extern "C" __global__ void instructions(float *f) {
  f[0] = fmaf(f[1], f[2], f[3]);
  f[1] = sqrtf(f[4]);
  f[2] = rsqrtf(f[5]);
  f[3] = floorf(f[6]);
  f[4] = fabsf(f[7]);
  f[5] = fminf(f[8], f[9]);
  f[6] = __expf(f[10]);
  f[7] = __sinf(f[11]);
  f[8] = __fdividef(f[12], f[13]);
}

// CHECK-LABEL: .entry integers(
// CHECK-NOT: call
// CHECK: popc.b32
// CHECK: clz.b32
// CHECK: brev.b32
// CHECK: mul.hi.u32
// CHECK: max.s32
// CHECK: ld.global.nc.b32
// CHECK: ret;
extern "C" __global__ void integers(int *i, const int *j) {
  i[0] = __popc(i[1]);
  i[1] = __clz(i[2]) + __ffs(i[3]);
  i[2] = __brev(i[4]);
  i[3] = __umulhi(i[5], i[6]) + __mul24(i[7], i[8]);
  i[4] = max(i[9], std::max(i[10], 3));
  i[5] = __ldg(j);
}

// CHECK-LABEL: .entry warps(
// CHECK: shfl.sync.bfly.b32
// CHECK: shfl.sync.down.b32
// CHECK: vote.sync.ballot.b32
// CHECK: vote.sync.any.pred
// CHECK: activemask.b32
// CHECK: bar.warp.sync
// CHECK: bar.sync
// CHECK: redux.sync.add.s32
// CHECK: match.any.sync.b32
// CHECK: ret;
extern "C" __global__ void warps(float *f, int *i) {
  f[0] = __shfl_xor_sync(~0u, f[0], 1) + __shfl_down_sync(~0u, f[1], 16);
  i[0] = __ballot_sync(~0u, i[1] > 0) + __any_sync(~0u, i[2]) + __activemask();
  __syncwarp();
  __syncthreads();
  i[1] = __reduce_add_sync(~0u, i[3]);
  i[2] = __match_any_sync(~0u, f[2]);
}

// CHECK-LABEL: .entry atomics(
// CHECK: atom.global.add.u32
// CHECK: atom.global.add.u64
// CHECK: atom.global.add.f32
// CHECK: atom.global.add.f64
// CHECK: atom.global.max.s32
// CHECK: atom.global.inc.u32
// CHECK: atom{{.*}}.global.cas.b32
// CHECK: atom.shared.add.u32
// CHECK: ret;
extern "C" __global__ void atomics(int *i, unsigned *u, unsigned long long *l,
                                   float *f, double *d) {
  __shared__ int count;
  atomicAdd(i, 3);
  atomicAdd(l, 3ull);
  atomicAdd(f, 3.0f);
  atomicAdd(d, 3.0);
  atomicMax(i + 1, 3);
  atomicInc(u, 3u);
  i[2] = atomicCAS(i + 3, 1, 2);
  i[3] = atomicAdd(&count, 1);
}

// CHECK-LABEL: .entry vectors(
// CHECK: ld.global.v4.b32
// CHECK: st.global.v2.b32
extern "C" __global__ void vectors(const float4 *in, float2 *out) {
  float4 value = in[threadIdx.x];
  out[threadIdx.x] = make_float2(value.x + value.y, value.z + value.w);
}

__constant__ float table[16];
__host__ __device__ float both(float x) { return sqrtf(x) + min(x, 2.0f); }

// CHECK-LABEL: .entry rest(
// CHECK: .maxntid 128
extern "C" __global__ void __launch_bounds__(128, 2) rest(float *f, int n) {
  extern __shared__ float dynamic[];
  assert(n > 0);
  dynamic[threadIdx.x] = table[threadIdx.x % warpSize];
  __syncthreads();
  if (threadIdx.x == 0)
    printf("%f\n", dynamic[n]);
  float s, c;
  sincosf(f[0], &s, &c);
  dim3 where = threadIdx;
  uint3 block = blockIdx;
  f[where.x] = both(s * c) + block.y;
}

int main() {
  float *f;
  int *i;
  cudaEvent_t start;
  cudaStream_t stream;
  vector<float> host(16, 1.0f);
  unique_ptr<string> name(new string("name"));
  complex<double> z(1, 2);
  uniform_real_distribution<float> distribution;
  mt19937 generator(1);
  generate(host.begin(), host.end(), [&] { return distribution(generator); });
  sort(host.begin(), host.end());
  if (cudaMalloc(&f, 512) || cudaMalloc((void **)&i, 512) ||
      cudaMemcpyToSymbol(table, host.data(), sizeof(table)) ||
      cudaStreamCreate(&stream) || cudaEventCreate(&start) ||
      cudaFuncSetAttribute(rest, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           4096))
    return 1;
  const dim3 grid(2, 2), block{32, 4};
  rest<<<grid, block, 512, stream>>>(f, 3);
  warps<<<1, 32>>>(f, i);
  void *arguments[] = {&f, &i};
  cudaLaunchKernel((const void *)warps, grid, block, arguments, 0, stream);
  cudaEventRecord(start);
  cout << *name << both(2.0f) << abs(z) << max(1, 2) << std::sqrt(host[0])
       << min(1.0f, 2.0f) << cudaGetErrorString(cudaGetLastError()) << endl;
  return 0;
}
