// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What every example needs around its kernels: errors that end the program
/// with a message, device arrays, input values, comparison, a stopwatch.
#ifndef AUSPEX_EXAMPLES_CHECK_H
#define AUSPEX_EXAMPLES_CHECK_H

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

/// Ends the program with the runtime's message unless the call succeeded.
#define CHECK(call) checkCuda((call), #call, __FILE__, __LINE__)

/// Waits for the kernel just launched and checks launch and execution.
#define CHECK_KERNEL()                                                         \
  do {                                                                         \
    CHECK(cudaGetLastError());                                                 \
    CHECK(cudaDeviceSynchronize());                                            \
  } while (false)

inline void checkCuda(cudaError_t error, const char *call, const char *file,
                      int line) {
  if (error == cudaSuccess)
    return;
  std::printf("FAILED: %s:%d: %s: %s\n", file, line, call,
              cudaGetErrorString(error));
  std::exit(1);
}

/// Ends the program with a message where there is no device to run on.
inline void requireDevice() {
  int count = 0;
  cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0)
    return;
  std::printf("FAILED: no CUDA device (%s)\n", error == cudaSuccess
                                                   ? "the count is 0"
                                                   : cudaGetErrorString(error));
  std::exit(1);
}

/// An array in device memory, freed with its owner.
template <class T> class DeviceArray {
public:
  explicit DeviceArray(size_t size) : size(size) {
    CHECK(cudaMalloc(&data, size * sizeof(T)));
    CHECK(cudaMemset(data, 0, size * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T> &host) : size(host.size()) {
    CHECK(cudaMalloc(&data, size * sizeof(T)));
    CHECK(cudaMemcpy(data, host.data(), size * sizeof(T),
                     cudaMemcpyHostToDevice));
  }
  ~DeviceArray() { cudaFree(data); }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;

  T *get() const { return data; }

  void clear() { CHECK(cudaMemset(data, 0, size * sizeof(T))); }

  std::vector<T> copyBack() const {
    std::vector<T> host(size);
    CHECK(cudaMemcpy(host.data(), data, size * sizeof(T),
                     cudaMemcpyDeviceToHost));
    return host;
  }

private:
  T *data = nullptr;
  size_t size;
};

/// Pseudo-random numbers, the same on every machine.
class Random {
public:
  explicit Random(unsigned seed = 1) : state(seed) {}
  /// An integer in [0, limit), limit up to 65536.
  unsigned below(unsigned limit) {
    state = state * 1664525u + 1013904223u;
    return (state >> 16) % limit;
  }

private:
  unsigned state;
};

/// Multiples of 1/16 in [0, 1]: sums and products of a few thousand of them are
/// exact in float, whatever the order, so that results can be compared exactly.
template <class T> std::vector<T> fill(size_t size, unsigned seed = 1) {
  Random random(seed);
  std::vector<T> values(size);
  for (T &value : values)
    value = static_cast<T>(random.below(17)) / 16;
  return values;
}

/// True if the values agree within the relative tolerance (absolute below 1);
/// otherwise says where they first differ.
template <class T>
bool compare(const char *what, const std::vector<T> &actual,
             const std::vector<T> &expected, double tolerance = 0) {
  for (size_t i = 0; i < expected.size(); ++i) {
    double a = static_cast<double>(actual[i]);
    double e = static_cast<double>(expected[i]);
    if (std::fabs(a - e) <= tolerance * std::fmax(1.0, std::fabs(e)))
      continue;
    std::printf("FAILED: %s[%zu] is %.9g, not %.9g\n", what, i, a, e);
    return false;
  }
  return true;
}

/// Device time from construction to report().
class Stopwatch {
public:
  Stopwatch() {
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
  }
  ~Stopwatch() {
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
  }
  Stopwatch(const Stopwatch &) = delete;
  Stopwatch &operator=(const Stopwatch &) = delete;

  void report(const char *what) {
    float milliseconds = 0;
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    std::printf("%-28s %9.3f us\n", what, 1000.0 * milliseconds);
  }

private:
  cudaEvent_t start = nullptr;
  cudaEvent_t stop = nullptr;
};

/// Says PASSED if all is well (what failed has spoken) and gives main its exit
/// status.
inline int finish(bool passed) {
  if (passed)
    std::printf("PASSED\n");
  return passed ? 0 : 1;
}

#endif
