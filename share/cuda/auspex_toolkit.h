// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What sources get from nvcc and not from clang's wrapper of a toolkit: force
/// it in front of those that were written for nvcc.
#if defined(__CUDA__) && defined(__CLANG_CUDA_RUNTIME_WRAPPER_H__) &&          \
    !defined(AUSPEX_TOOLKIT_H)
#define AUSPEX_TOOLKIT_H
#pragma clang system_header

#include "auspex_device_functions.h"

// As cuda_runtime.h does for nvcc.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

#define AUSPEX_MIN_MAX(T, A, B)                                                \
  static inline __host__ T min(A a, B b) { return (T)a < (T)b ? (T)a : (T)b; } \
  static inline __host__ T max(A a, B b) { return (T)a < (T)b ? (T)b : (T)a; }
#define AUSPEX_MIN_MAX_MIXED(T, S)                                             \
  AUSPEX_MIN_MAX(T, T, T)                                                      \
  AUSPEX_MIN_MAX(T, T, S)                                                      \
  AUSPEX_MIN_MAX(T, S, T)
AUSPEX_MIN_MAX(int, int, int)
AUSPEX_MIN_MAX(long, long, long)
AUSPEX_MIN_MAX(long long, long long, long long)
AUSPEX_MIN_MAX_MIXED(unsigned, int)
AUSPEX_MIN_MAX_MIXED(unsigned long, long)
AUSPEX_MIN_MAX_MIXED(unsigned long long, long long)
AUSPEX_MIN_MAX(float, float, float)
AUSPEX_MIN_MAX_MIXED(double, float)
#undef AUSPEX_MIN_MAX_MIXED
#undef AUSPEX_MIN_MAX

// Cooperative groups ask for nvcc before they have clusters; clang has the
// functions that these need as well.
#define _CG_CLUSTER_INTRINSICS_AVAILABLE

// For the device's side one is like the other; the host's would have a variable
// of its own.
#undef __managed__
#ifdef __CUDA_ARCH__
#define __managed__ __device__
#endif

#if CUDART_VERSION >= 13000
// Forms that CUDA 13 has taken away, as far as functions go. Who has found out
// may have given the command line what stands for them.
#ifndef cudaThreadSynchronize
static inline __host__ cudaError_t cudaThreadSynchronize(void) {
  return cudaDeviceSynchronize();
}
#endif
#ifndef cudaThreadExit
static inline __host__ cudaError_t cudaThreadExit(void) {
  return cudaDeviceReset();
}
#endif
static inline __host__ cudaMemLocation auspexLocation(int device) {
  cudaMemLocation location = {};
  location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost
                                            : cudaMemLocationTypeDevice;
  location.id = device == cudaCpuDeviceId ? 0 : device;
  return location;
}
static inline __host__ cudaError_t cudaMemPrefetchAsync(
    const void *pointer, size_t size, int device, cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(pointer, size, auspexLocation(device), 0, stream);
}
static inline __host__ cudaError_t cudaMemAdvise(const void *pointer,
                                                 size_t size,
                                                 cudaMemoryAdvise advice,
                                                 int device) {
  return cudaMemAdvise(pointer, size, advice, auspexLocation(device));
}
#endif

// pow(x, 2): clang's headers multiply as often as the integer says; of nvcc's
// since C++11 it is pow of two doubles, whatever is given. The device library's
// functions of these names are not linked then.
extern "C" {
inline __device__ double __nv_powi(double a, int b) { return __nv_pow(a, b); }
inline __device__ float __nv_powif(float a, int b) { return __nv_pow(a, b); }
}

#ifdef __CLANG_GPU_APPROX_TRANSCENDENTALS__
// What --use_fast_math replaces, besides what clang's headers do. The device
// library's functions of these names are not linked then.
#define AUSPEX_FAST(NAME)                                                      \
  inline __device__ float __nv_##NAME(float a) { return __nv_fast_##NAME(a); }
extern "C" {
AUSPEX_FAST(expf)
AUSPEX_FAST(exp10f)
AUSPEX_FAST(log10f)
AUSPEX_FAST(tanf)
inline __device__ float __nv_powf(float a, float b) {
  return __nv_fast_powf(a, b);
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 750
inline __device__ float __nv_tanhf(float a) {
  float result;
  asm("tanh.approx.f32 %0, %1;" : "=f"(result) : "f"(a));
  return result;
}
#endif
}
#undef AUSPEX_FAST
#endif

#endif
