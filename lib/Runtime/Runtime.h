// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The state of the CUDA runtime in one process, and what every call of the
/// interface has in common.
///
/// Everything happens at once: a launch or copy is over when its call returns,
/// in whatever stream. That is one of the orders CUDA allows, since whoever
/// wants an order has to ask for it by streams and events, and they are asked
/// in the order of the calls. Errors of a kernel therefore come from the
/// launch itself, as with CUDA_LAUNCH_BLOCKING=1.
#ifndef AUSPEX_LIB_RUNTIME_RUNTIME_H
#define AUSPEX_LIB_RUNTIME_RUNTIME_H

#include "CudaTypes.h"
#include "LaunchRecorder.h"
#include "auspex/Emulator/Emulator.h"
#include "auspex/HW/GPU.h"

#include <chrono>
#include <map>
#include <mutex>

/// What programs call.
#define AUSPEX_CUDA extern "C" __attribute__((visibility("default")))

namespace auspex::cuda {

/// What the environment asks for; docs/run.md lists the variables.
struct Settings {
  std::string gpu, runRecord;
  unsigned threads = 1;
  double timeLimitInSeconds = 0;
  uint64_t sampleBlocks = 0;

  /// A value that is none ends the program: it would run for something else.
  static Settings fromEnvironment();
};

/// What the program knows of memory beside where it is.
enum class MemoryKind { Device, Managed, Host, Registered };

class Runtime {
public:
  /// Lives until the process ends: destructors of the program's variables may
  /// call the runtime.
  static Runtime &get();

  /// Held during each call.
  std::recursive_mutex mutex;
  const Settings settings;
  DeviceMemory memory;
  LaunchRecorder recorder;
  /// Set to stop the launch that runs.
  std::atomic<bool> stop = false;

  /// The device: what AUSPEX_GPU names, else the one that stands for the
  /// architecture of the program's code.
  const GPU &gpu();
  /// Of the first module, 80 for sm_80: decides which GPU it is.
  unsigned codeArch = 0;

  /// The error after which nothing works any more.
  Error sticky = Success;
  void fail(Error error);

  /// By the first byte.
  std::map<char *, MemoryKind> kinds;
  std::optional<MemoryKind> kindOf(const void *pointer) const;

  /// Since the process started.
  double nowInSeconds() const;
  /// What emulation took so far, for the limit on time.
  double emulatedInSeconds = 0;

private:
  Runtime();

  std::optional<GPU> description;
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
};

/// Prints "auspex: ..." to stderr, after what the program has printed.
void complain(const llvm::Twine &message);

/// Keeps \p error for cudaGetLastError and returns it.
Error note(Error error);

/// The body of a call of the interface.
template <class Body> Error call(Body body) {
  Runtime &runtime = Runtime::get();
  std::lock_guard<std::recursive_mutex> lock(runtime.mutex);
  if (runtime.sticky != Success)
    return note(runtime.sticky);
  return note(body(runtime));
}

/// What is not there says so.
Error notThere(const char *function);

} // namespace auspex::cuda

#endif
