// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device: there is one, and its properties are those of a description in
// hwdesc. What no description says is what GPUs of the last ten years have in
// common.
#include "DeviceProperties.h"
#include "Runtime.h"
#include "auspex/HW/Occupancy.h"
#include "auspex/Kernel/LaunchLimits.h"

#include <cmath>
#include <cstring>

using namespace auspex;
using namespace auspex::cuda;

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

template <size_t N> static void set(int (&to)[N], const int (&from)[N]) {
  std::copy(from, from + N, to);
}

static void set(int (&to)[3], const auspex::Dim3 &from) {
  for (unsigned i = 0; i < 3; ++i)
    to[i] = static_cast<int>(from[i]);
}

/// What all GPUs that CUDA still compiles for have.
template <class T> static void fillCommon(T &properties) {
  properties.memPitch = 0x7fffffff;
  properties.totalConstMem = 65536;
  properties.textureAlignment = 512;
  properties.texturePitchAlignment = 32;
  properties.canMapHostMemory = 1;
  properties.maxTexture1D = 131072;
  set(properties.maxTexture2D, {131072, 65536});
  set(properties.maxTexture2DLinear, {131072, 65000, 2097120});
  set(properties.maxTexture3D, {16384, 16384, 16384});
  properties.maxSurface1D = 32768;
  set(properties.maxSurface2D, {131072, 65536});
  set(properties.maxSurface3D, {16384, 16384, 16384});
  properties.surfaceAlignment = 512;
  properties.concurrentKernels = 1;
  properties.pciBusID = 1;
  properties.asyncEngineCount = 2;
  properties.unifiedAddressing = 1;
  properties.streamPrioritiesSupported = 1;
  properties.globalL1CacheSupported = 1;
  properties.localL1CacheSupported = 1;
  properties.managedMemory = 1;
  properties.concurrentManagedAccess = 1;
  properties.computePreemptionSupported = 1;
  properties.canUseHostPointerForRegisteredMem = 1;
  properties.cooperativeLaunch = 1;
  properties.hostRegisterSupported = 1;
  properties.memoryPoolsSupported = 1;
}

template <class T> static void fillFrom(const GPU &gpu, T &properties) {
  auto number = [&](Q id, double factor = 1) {
    return static_cast<int>(factor * gpu.valueOr(id, 0));
  };
  std::strncpy(properties.name, gpu.name.c_str(), sizeof(properties.name) - 1);
  properties.totalGlobalMem =
      static_cast<size_t>(1e9 * gpu.valueOr(Q::DramSize, 16));
  properties.sharedMemPerBlock = number(Q::SharedPerBlock);
  properties.regsPerBlock = number(Q::MaxRegistersPerBlock);
  properties.warpSize = number(Q::WarpSize);
  properties.maxThreadsPerBlock = number(Q::MaxThreadsPerBlock);
  LaunchLimits limits = launchLimits(gpu);
  set(properties.maxThreadsDim, limits.block);
  set(properties.maxGridSize, limits.grid);
  properties.major = static_cast<int>(gpu.arch / 10);
  properties.minor = static_cast<int>(gpu.arch % 10);
  properties.multiProcessorCount = number(Q::SMCount);
  // A bus of N bits that moves two bits a line and cycle: the bandwidth decides
  // what N times the clock is; programs multiply them again.
  properties.memoryBusWidth = gpu.dramType.starts_with("HBM") ? 4096 : 256;
  properties.l2CacheSize = number(Q::L2Size, 1024);
  properties.maxThreadsPerMultiProcessor = number(Q::MaxThreadsPerSM);
  properties.sharedMemPerMultiprocessor = number(Q::SharedPerSM);
  properties.regsPerMultiprocessor = number(Q::RegistersPerSM);
  properties.sharedMemPerBlockOptin = number(Q::SharedPerBlockOptIn);
  properties.maxBlocksPerMultiProcessor = number(Q::MaxBlocksPerSM);
  properties.reservedSharedMemPerBlock = number(Q::SharedReservedPerBlock);
}

/// The members that only CUDA 12 has.
static void fillDropped(const GPU &gpu, DeviceProperties12 &properties) {
  properties.clockRate = static_cast<int>(1e3 * gpu[Q::SMClock]);
  properties.deviceOverlap = 1;
  properties.maxTexture1DLinear = 268435456;
  double bytesPerClock = 2.0 * properties.memoryBusWidth / 8;
  properties.memoryClockRate = static_cast<int>(
      std::lround(gpu[Q::DramBandwidth] * 1e6 / bytesPerClock));
  double fp64 = gpu.valueOr(Q::ThroughputFp64, 0);
  properties.singleToDoublePrecisionPerfRatio =
      fp64 > 0 ? static_cast<int>(gpu[Q::ThroughputFp32] / fp64) : 32;
}

/// Where a device has its number, for programs that take times.
constexpr char Emulator[16] = "Auspex emulator";

template <class T> static void fill(const GPU &gpu, T &properties) {
  std::memset(&properties, 0, sizeof(properties));
  std::memcpy(&properties.uuid, Emulator, sizeof(Emulator));
  fillCommon(properties);
  fillFrom(gpu, properties);
}

static bool isDevice(int device) { return device == 0; }

/// CUDA 13 and later, by this name.
AUSPEX_CUDA cuda::Error cudaGetDeviceProperties(DeviceProperties13 *properties,
                                                int device) {
  return call([&](Runtime &runtime) {
    if (!properties)
      return InvalidValue;
    if (!isDevice(device))
      return InvalidDevice;
    fill(runtime.gpu(), *properties);
    return Success;
  });
}

/// What a program that was compiled with CUDA 12 calls.
AUSPEX_CUDA cuda::Error
cudaGetDeviceProperties_v2(DeviceProperties12 *properties, int device) {
  return call([&](Runtime &runtime) {
    if (!properties)
      return InvalidValue;
    if (!isDevice(device))
      return InvalidDevice;
    fill(runtime.gpu(), *properties);
    fillDropped(runtime.gpu(), *properties);
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaDeviceGetAttribute(int *value, int attribute,
                                               int device) {
  return call([&](Runtime &runtime) {
    if (!value || attribute < 1)
      return InvalidValue;
    if (!isDevice(device))
      return InvalidDevice;
    // CUB asks for some at each call.
    static const DeviceProperties12 properties = [&] {
      DeviceProperties12 filled;
      fill(runtime.gpu(), filled);
      fillDropped(runtime.gpu(), filled);
      return filled;
    }();
    switch (attribute) {
#define AUSPEX_DEVICE_ATTRIBUTE(NUMBER, MEMBER)                                \
  case NUMBER:                                                                 \
    *value = static_cast<int>(properties.MEMBER);                              \
    return Success;
#include "DeviceAttributes.def"
    }
    *value = 0;
    constexpr int Last = 160;
    return attribute < Last ? Success : InvalidValue;
  });
}

//===----------------------------------------------------------------------===//
// Choosing and waiting
//===----------------------------------------------------------------------===//

AUSPEX_CUDA cuda::Error cudaGetDeviceCount(int *count) {
  return call([&](Runtime &) {
    if (!count)
      return InvalidValue;
    *count = 1;
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaGetDevice(int *device) {
  return call([&](Runtime &) {
    if (!device)
      return InvalidValue;
    *device = 0;
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaSetDevice(int device) {
  return call(
      [&](Runtime &) { return isDevice(device) ? Success : InvalidDevice; });
}

AUSPEX_CUDA cuda::Error cudaInitDevice(int device, unsigned, unsigned) {
  return cudaSetDevice(device);
}

AUSPEX_CUDA cuda::Error cudaSetValidDevices(int *, int) {
  return call([](Runtime &) { return Success; });
}

AUSPEX_CUDA cuda::Error cudaChooseDevice(int *device, const void *) {
  return cudaGetDevice(device);
}

AUSPEX_CUDA cuda::Error cudaDeviceSynchronize() {
  return call([](Runtime &) { return Success; });
}

AUSPEX_CUDA cuda::Error cudaThreadSynchronize() {
  return cudaDeviceSynchronize();
}

/// Frees what the program allocated on the device. As on a GPU, not even a
/// fault outlives it... except that CUDA keeps those until the process ends.
AUSPEX_CUDA cuda::Error cudaDeviceReset() {
  return call([](Runtime &runtime) {
    runtime.memory.releaseAll();
    std::erase_if(runtime.kinds, [&](const auto &entry) {
      return !runtime.memory.find(entry.first);
    });
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaThreadExit() { return cudaDeviceReset(); }

AUSPEX_CUDA cuda::Error cudaSetDeviceFlags(unsigned) {
  return call([](Runtime &) { return Success; });
}

AUSPEX_CUDA cuda::Error cudaGetDeviceFlags(unsigned *flags) {
  return call([&](Runtime &) {
    constexpr unsigned MapHost = 8;
    if (flags)
      *flags = MapHost;
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaRuntimeGetVersion(int *version) {
  return call([&](Runtime &) {
    constexpr int Version = 13000;
    if (!version)
      return InvalidValue;
    *version = Version;
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaDriverGetVersion(int *version) {
  return cudaRuntimeGetVersion(version);
}

//===----------------------------------------------------------------------===//
// Limits and preferences
//===----------------------------------------------------------------------===//

static size_t *findLimit(int limit) {
  // Stack, buffer of printf, heap, nesting, pending launches, fetch
  // granularity, persisting L2.
  static size_t limits[] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
  return limit >= 0 && limit < 7 ? &limits[limit] : nullptr;
}

AUSPEX_CUDA cuda::Error cudaDeviceSetLimit(int limit, size_t value) {
  return call([&](Runtime &) {
    size_t *found = findLimit(limit);
    if (!found)
      return UnsupportedLimit;
    *found = value;
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaDeviceGetLimit(size_t *value, int limit) {
  return call([&](Runtime &) {
    size_t *found = findLimit(limit);
    if (!found || !value)
      return found ? InvalidValue : UnsupportedLimit;
    *value = *found;
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaDeviceSetCacheConfig(int) {
  return call([](Runtime &) { return Success; });
}
AUSPEX_CUDA cuda::Error cudaDeviceGetCacheConfig(int *config) {
  *config = 0;
  return call([](Runtime &) { return Success; });
}
AUSPEX_CUDA cuda::Error cudaDeviceSetSharedMemConfig(int) {
  return call([](Runtime &) { return Success; });
}
AUSPEX_CUDA cuda::Error cudaDeviceGetSharedMemConfig(int *config) {
  constexpr int FourBytes = 1;
  *config = FourBytes;
  return call([](Runtime &) { return Success; });
}
AUSPEX_CUDA cuda::Error cudaCtxResetPersistingL2Cache() {
  return call([](Runtime &) { return Success; });
}
AUSPEX_CUDA cuda::Error cudaProfilerStart() {
  return call([](Runtime &) { return Success; });
}
AUSPEX_CUDA cuda::Error cudaProfilerStop() {
  return call([](Runtime &) { return Success; });
}

//===----------------------------------------------------------------------===//
// Other devices: there are none
//===----------------------------------------------------------------------===//

AUSPEX_CUDA cuda::Error cudaDeviceCanAccessPeer(int *result, int device,
                                                int peer) {
  return call([&](Runtime &) {
    *result = 0;
    return isDevice(device) && isDevice(peer) ? Success : InvalidDevice;
  });
}

AUSPEX_CUDA cuda::Error cudaDeviceEnablePeerAccess(int, unsigned) {
  return call([](Runtime &) { return InvalidDevice; });
}

AUSPEX_CUDA cuda::Error cudaDeviceDisablePeerAccess(int) {
  return call([](Runtime &) { return PeerAccessNotEnabled; });
}

static constexpr char BusId[] = "0000:01:00.0";

AUSPEX_CUDA cuda::Error cudaDeviceGetPCIBusId(char *text, int size,
                                              int device) {
  return call([&](Runtime &) {
    if (!text || size < static_cast<int>(sizeof(BusId)))
      return InvalidValue;
    if (!isDevice(device))
      return InvalidDevice;
    std::memcpy(text, BusId, sizeof(BusId));
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaDeviceGetByPCIBusId(int *device, const char *text) {
  return call([&](Runtime &) {
    *device = 0;
    return text && std::strcmp(text, BusId) == 0 ? Success : InvalidDevice;
  });
}
