// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a file of kernels says of the launches to measure:
///
///     #include "../measure.h"
///     __global__ void scale(float *x, int n) { ... }
///     MEASURE {
///       int n = 1 << 26;
///       measure::Array<float> x(session, n);
///       for (int block : {64, 256})
///         session.run(KERNEL(scale), measure::cover(n, block), x, ARG(n));
///     }
///
/// Each run() is one record. The files compile with nvcc, and with clang, with
/// or without a toolkit; `auspex validate` compiles the same ones.
#ifndef AUSPEX_MEASURE_H
#define AUSPEX_MEASURE_H

#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

namespace measure {

/// Why a set of launches goes no further: too little memory, a failed launch.
struct Failure {
  std::string message;
};

/// Throws a Failure unless the call succeeded.
void check(cudaError_t error, const char *call);

/// Sizes of a launch, and how many of it are timed as one.
struct Launch {
  dim3 grid, block;
  /// Dynamic shared memory in bytes.
  size_t shared = 0;
  /// 0: one launch between two events, with nothing of use in L2. Else so many
  /// right after each other, and the time is that of one.
  int inARow = 0;
};

inline unsigned ceilDiv(size_t a, size_t b) {
  return static_cast<unsigned>((a + b - 1) / b);
}

/// The blocks that have a thread for each of \p n.
inline Launch cover(size_t n, unsigned block) {
  return {dim3(ceilDiv(n, block)), dim3(block)};
}

/// What a launch says of itself in its record, and what it takes to do it.
struct Job {
  std::string kernel;
  const void *function = nullptr;
  Launch launch;
  std::vector<std::pair<std::string, long long>> integers;
  std::vector<void *> arguments;
  bool countsCycles = false;
};

/// An integer argument by the name of its parameter: ARG(n).
template <class T> struct Argument {
  const char *name;
  T value;
};

/// The argument `long long *cycles` of a kernel that reads the SM's clock; what
/// it leaves there is part of the record.
struct Cycles {};

class Session {
public:
  /// Measures the launch and writes its record.
  template <class... Parameters, class... Arguments>
  void run(const char *name, void (*kernel)(Parameters...),
           const Launch &launch, const Arguments &...arguments) {
    static_assert(sizeof...(Parameters) == sizeof...(Arguments),
                  "as many arguments as the kernel has parameters");
    Job job;
    job.kernel = name;
    job.function = reinterpret_cast<const void *>(kernel);
    job.launch = launch;
    (note(job, arguments), ...);
    std::tuple<Parameters...> values(
        static_cast<Parameters>(valueOf(arguments))...);
    std::apply(
        [&](auto &...value) {
          job.arguments = {
              const_cast<void *>(static_cast<const void *>(&value))...};
        },
        values);
    measure(job);
  }

  const cudaDeviceProp &device() const { return properties; }
  /// Whether kernels are launched, and arrays are there.
  bool launches() const { return mode != Mode::List; }

protected:
  enum class Mode { Measure, Once, List };
  Mode mode = Mode::Measure;
  cudaDeviceProp properties;
  long long *cycles = nullptr;

  virtual void measure(const Job &job) = 0;
  ~Session() = default;

private:
  template <class T> static void note(Job &, const T &) {}
  template <class T> static void note(Job &job, const Argument<T> &argument) {
    job.integers.emplace_back(argument.name,
                              static_cast<long long>(argument.value));
  }
  static void note(Job &job, const Cycles &) { job.countsCycles = true; }

  template <class T> auto valueOf(const T &value) const {
    if constexpr (std::is_same_v<T, Cycles>)
      return cycles;
    else
      return valueIn(value, 0);
  }
  template <class T>
  static auto valueIn(const T &array, int) -> decltype(array.get()) {
    return array.get();
  }
  template <class T> static T valueIn(const Argument<T> &argument, int) {
    return argument.value;
  }
  template <class T> static T valueIn(const T &value, long) { return value; }
};

/// An array in device memory, of zeros or of what the host has.
template <class T> class Array {
public:
  Array(const Session &session, size_t size) {
    if (!session.launches())
      return;
    check(cudaMalloc(reinterpret_cast<void **>(&data), size * sizeof(T)),
          "cudaMalloc");
    check(cudaMemset(data, 0, size * sizeof(T)), "cudaMemset");
  }
  Array(const Session &session, const std::vector<T> &host)
      : Array(session, host.size()) {
    if (data)
      check(cudaMemcpy(data, host.data(), host.size() * sizeof(T),
                       cudaMemcpyHostToDevice),
            "cudaMemcpy");
  }
  ~Array() { cudaFree(data); }
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;

  T *get() const { return data; }

private:
  T *data = nullptr;
};

/// The launches of a file, found under its name.
struct Set {
  Set(const char *file, void (*run)(Session &));
  std::string name, source;
  void (*run)(Session &);
};

} // namespace measure

/// The kernel by its name in the source and in the record.
#define KERNEL(...) #__VA_ARGS__, &__VA_ARGS__

#define ARG(variable)                                                          \
  measure::Argument<std::decay_t<decltype(variable)>> { #variable, variable }

#define MEASURE                                                                \
  static void measureLaunches(measure::Session &session);                      \
  static const measure::Set launchesOfThisFile(__FILE__, measureLaunches);     \
  static void measureLaunches(measure::Session &session)

#endif
