// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Device functions of the CUDA C++ Programming Guide that nvcc declares and
/// neither clang's headers nor its wrapper of a toolkit do.
#ifndef AUSPEX_DEVICE_FUNCTIONS_H
#define AUSPEX_DEVICE_FUNCTIONS_H
#pragma clang system_header

// Sources ask for nvcc's version; the header with the runtime's comes later.
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ (CUDART_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDART_VERSION % 1000 / 10)
#define __CUDACC_VER_BUILD__ 0
#endif

//===--- Loads and stores with cache hints --------------------------------===//

// The hint is lost: the access is what an ordinary one of its width is.

template <class T> struct auspex_nondeduced {
  using type = T;
};

template <unsigned Size> struct auspex_word;
template <> struct auspex_word<1> {
  using type = unsigned char;
};
template <> struct auspex_word<2> {
  using type = unsigned short;
};
template <> struct auspex_word<4> {
  using type = unsigned;
};
template <> struct auspex_word<8> {
  using type = unsigned __attribute__((ext_vector_type(2)));
};
template <> struct auspex_word<16> {
  using type = unsigned __attribute__((ext_vector_type(4)));
};

/// As one access: members that are copied one by one would be several.
template <class T> static __device__ __forceinline__ T auspex_load(const T *p) {
  using Word = typename auspex_word<sizeof(T)>::type;
  typedef Word Alias __attribute__((may_alias));
  Word word = *(const Alias *)p;
  T value;
  __builtin_memcpy(&value, &word, sizeof(T));
  return value;
}

template <class T>
static __device__ __forceinline__ void auspex_store(T *p, const T &value) {
  using Word = typename auspex_word<sizeof(T)>::type;
  typedef Word Alias __attribute__((may_alias));
  Word word;
  __builtin_memcpy(&word, &value, sizeof(T));
  *(Alias *)p = word;
}

#define AUSPEX_LOAD(NAME)                                                      \
  template <class T> static __device__ __forceinline__ T NAME(const T *p) {    \
    return auspex_load(p);                                                     \
  }
#define AUSPEX_STORE(NAME)                                                     \
  template <class T>                                                           \
  static __device__ __forceinline__ void NAME(                                 \
      T *p, typename auspex_nondeduced<T>::type value) {                       \
    auspex_store(p, value);                                                    \
  }
AUSPEX_LOAD(__ldca)
AUSPEX_LOAD(__ldlu)
AUSPEX_STORE(__stwb)
AUSPEX_STORE(__stcg)
AUSPEX_STORE(__stcs)
#undef AUSPEX_STORE
#undef AUSPEX_LOAD

//===--- Atomic functions with order and scope ----------------------------===//

// Built into nvcc from 12.8 on; the scope is the system's where none is stated.

#ifndef __NV_ATOMIC_RELAXED
#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST
#define __NV_THREAD_SCOPE_THREAD __MEMORY_SCOPE_SINGLE
#define __NV_THREAD_SCOPE_BLOCK __MEMORY_SCOPE_WRKGRP
#define __NV_THREAD_SCOPE_CLUSTER __MEMORY_SCOPE_DEVICE
#define __NV_THREAD_SCOPE_DEVICE __MEMORY_SCOPE_DEVICE
#define __NV_THREAD_SCOPE_SYSTEM __MEMORY_SCOPE_SYSTEM

#define AUSPEX_FIRST(SCOPE, ...) SCOPE
#define AUSPEX_SCOPE(...)                                                      \
  AUSPEX_FIRST(__VA_ARGS__ __VA_OPT__(, ) __MEMORY_SCOPE_SYSTEM)
// NAME of so many operands and orders, and a scope.
#define AUSPEX_ATOMIC_2(NAME, A, B, ...)                                       \
  __scoped_atomic_##NAME(A, B, AUSPEX_SCOPE(__VA_ARGS__))
#define AUSPEX_ATOMIC_3(NAME, A, B, C, ...)                                    \
  __scoped_atomic_##NAME(A, B, C, AUSPEX_SCOPE(__VA_ARGS__))
#define AUSPEX_ATOMIC_4(NAME, A, B, C, D, ...)                                 \
  __scoped_atomic_##NAME(A, B, C, D, AUSPEX_SCOPE(__VA_ARGS__))
#define AUSPEX_ATOMIC_6(NAME, A, B, C, D, E, F, ...)                           \
  __scoped_atomic_##NAME(A, B, C, D, E, F, AUSPEX_SCOPE(__VA_ARGS__))
#define __nv_atomic_load_n(...) AUSPEX_ATOMIC_2(load_n, __VA_ARGS__)
#define __nv_atomic_load(...) AUSPEX_ATOMIC_3(load, __VA_ARGS__)
#define __nv_atomic_store_n(...) AUSPEX_ATOMIC_3(store_n, __VA_ARGS__)
#define __nv_atomic_store(...) AUSPEX_ATOMIC_3(store, __VA_ARGS__)
#define __nv_atomic_exchange_n(...) AUSPEX_ATOMIC_3(exchange_n, __VA_ARGS__)
#define __nv_atomic_exchange(...) AUSPEX_ATOMIC_4(exchange, __VA_ARGS__)
#define __nv_atomic_compare_exchange_n(...)                                    \
  AUSPEX_ATOMIC_6(compare_exchange_n, __VA_ARGS__)
#define __nv_atomic_compare_exchange(...)                                      \
  AUSPEX_ATOMIC_6(compare_exchange, __VA_ARGS__)
#define __nv_atomic_fetch_add(...) AUSPEX_ATOMIC_3(fetch_add, __VA_ARGS__)
#define __nv_atomic_fetch_sub(...) AUSPEX_ATOMIC_3(fetch_sub, __VA_ARGS__)
#define __nv_atomic_fetch_and(...) AUSPEX_ATOMIC_3(fetch_and, __VA_ARGS__)
#define __nv_atomic_fetch_or(...) AUSPEX_ATOMIC_3(fetch_or, __VA_ARGS__)
#define __nv_atomic_fetch_xor(...) AUSPEX_ATOMIC_3(fetch_xor, __VA_ARGS__)
#define __nv_atomic_fetch_min(...) AUSPEX_ATOMIC_3(fetch_min, __VA_ARGS__)
#define __nv_atomic_fetch_max(...) AUSPEX_ATOMIC_3(fetch_max, __VA_ARGS__)
// (Its results are discarded.)
#define __nv_atomic_add(...) ((void)__nv_atomic_fetch_add(__VA_ARGS__))
#define __nv_atomic_sub(...) ((void)__nv_atomic_fetch_sub(__VA_ARGS__))
#define __nv_atomic_and(...) ((void)__nv_atomic_fetch_and(__VA_ARGS__))
#define __nv_atomic_or(...) ((void)__nv_atomic_fetch_or(__VA_ARGS__))
#define __nv_atomic_xor(...) ((void)__nv_atomic_fetch_xor(__VA_ARGS__))
#define __nv_atomic_min(...) ((void)__nv_atomic_fetch_min(__VA_ARGS__))
#define __nv_atomic_max(...) ((void)__nv_atomic_fetch_max(__VA_ARGS__))
#endif

#endif
