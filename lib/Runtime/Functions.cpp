// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be asked and said of a kernel, and how many of its blocks an SM
// holds. Registers are the summary's: an estimate, unless it was assembled.
#include "Launches.h"

#include <algorithm>
#include <cstring>

using namespace auspex;
using namespace auspex::cuda;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Threads of a block as far as registers and the source's bounds allow.
static int maxThreadsPerBlock(Runtime &runtime, const KernelSummary *summary) {
  const GPU &gpu = runtime.gpu();
  unsigned threads = static_cast<unsigned>(gpu[Q::MaxThreadsPerBlock]);
  if (!summary)
    return threads;
  if (summary->maxThreadsPerBlock)
    threads = std::min(threads, summary->maxThreadsPerBlock);
  if (summary->registers) {
    constexpr unsigned Warp = 32;
    auto fitting = static_cast<unsigned>(gpu[Q::MaxRegistersPerBlock]) /
                   summary->registers / Warp * Warp;
    threads = std::min(threads, std::max(Warp, fitting));
  }
  return threads;
}

AUSPEX_CUDA cuda::Error cudaFuncGetAttributes(FunctionAttributes *attributes,
                                              const void *shadow) {
  return call([&](Runtime &runtime) {
    Kernel *kernel = nullptr;
    if (Error error = findKernel(runtime, shadow, kernel); error != Success)
      return error;
    if (!attributes)
      return InvalidValue;
    const KernelSummary *summary = kernel->summary();
    std::memset(attributes, 0, sizeof(*attributes));
    attributes->sharedSizeInBytes = kernel->info->staticSharedInBytes;
    attributes->localSizeInBytes = kernel->info->localInBytes;
    attributes->maxThreadsPerBlock = maxThreadsPerBlock(runtime, summary);
    attributes->registers = summary ? summary->registers : 0;
    attributes->ptxVersion = attributes->binaryVersion =
        static_cast<int>(kernel->module->arch());
    attributes->maxDynamicSharedSizeInBytes =
        static_cast<int>(dynamicSharedLimit(runtime, *kernel));
    attributes->preferredCarveout = kernel->carveout;
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaFuncSetAttribute(const void *shadow, int attribute,
                                             int value) {
  return call([&](Runtime &runtime) {
    constexpr int MaxDynamicShared = 8, Carveout = 9, Last = 15;
    Kernel *kernel = nullptr;
    if (Error error = findKernel(runtime, shadow, kernel); error != Success)
      return error;
    if (attribute == MaxDynamicShared) {
      double most = runtime.gpu()[Q::SharedPerBlockOptIn];
      if (value < 0 ||
          value + static_cast<double>(kernel->info->staticSharedInBytes) > most)
        return InvalidValue;
      kernel->maxDynamicShared = value;
      return Success;
    }
    if (attribute == Carveout) {
      if (value < -1 || value > 100)
        return InvalidValue;
      kernel->carveout = value;
      return Success;
    }
    // Of clusters, which are not there.
    return attribute > Carveout && attribute <= Last ? Success : InvalidValue;
  });
}

AUSPEX_CUDA cuda::Error cudaFuncSetCacheConfig(const void *shadow, int) {
  return call([&](Runtime &runtime) {
    Kernel *kernel = nullptr;
    return findKernel(runtime, shadow, kernel);
  });
}

AUSPEX_CUDA cuda::Error cudaFuncSetSharedMemConfig(const void *shadow, int) {
  return cudaFuncSetCacheConfig(shadow, 0);
}

AUSPEX_CUDA cuda::Error cudaFuncGetName(const char **name, const void *shadow) {
  return call([&](Runtime &runtime) {
    Kernel *kernel = nullptr;
    if (Error error = findKernel(runtime, shadow, kernel); error != Success)
      return error;
    *name = kernel->name.c_str();
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaFuncGetParamInfo(const void *shadow, size_t index,
                                             size_t *offset, size_t *size) {
  return call([&](Runtime &runtime) {
    Kernel *kernel = nullptr;
    if (Error error = findKernel(runtime, shadow, kernel); error != Success)
      return error;
    if (index >= kernel->info->parameters.size())
      return InvalidValue;
    if (offset)
      *offset = kernel->info->parameters[index].offset;
    if (size)
      *size = kernel->info->parameters[index].sizeInBytes;
    return Success;
  });
}

/// A kernel's own handle is its shadow.
AUSPEX_CUDA cuda::Error cudaGetFuncBySymbol(const void **function,
                                            const void *shadow) {
  return call([&](Runtime &runtime) {
    Kernel *kernel = nullptr;
    *function = shadow;
    return findKernel(runtime, shadow, kernel);
  });
}

AUSPEX_CUDA cuda::Error cudaGetKernel(const void **function,
                                      const void *shadow) {
  return cudaGetFuncBySymbol(function, shadow);
}

AUSPEX_CUDA cuda::Error __cudaGetKernel(const void **function,
                                        const void *shadow) {
  *function = shadow;
  return Success;
}

//===----------------------------------------------------------------------===//
// Occupancy
//===----------------------------------------------------------------------===//

AUSPEX_CUDA cuda::Error cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *shadow, int threads, size_t dynamicShared,
    unsigned) {
  return call([&](Runtime &runtime) {
    Kernel *kernel = nullptr;
    if (Error error = findKernel(runtime, shadow, kernel); error != Success)
      return error;
    if (!blocks || threads <= 0)
      return InvalidValue;
    *blocks = static_cast<int>(
        computeOccupancy(runtime.gpu(), blockResources(runtime, *kernel,
                                                       threads, dynamicShared))
            .activeBlocksPerSM);
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, const void *shadow, int threads, size_t dynamicShared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, shadow, threads, dynamicShared, 0);
}

AUSPEX_CUDA cuda::Error
cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *shadow,
                                          int blocks, int threads) {
  return call([&](Runtime &runtime) {
    Kernel *kernel = nullptr;
    if (Error error = findKernel(runtime, shadow, kernel); error != Success)
      return error;
    if (!bytes || blocks <= 0 || threads <= 0)
      return InvalidValue;
    // The most that still lets so many blocks reside.
    uint64_t low = 0, high = dynamicSharedLimit(runtime, *kernel);
    while (low < high) {
      uint64_t middle = (low + high + 1) / 2;
      BlockResources block = blockResources(runtime, *kernel, threads, middle);
      bool fits = computeOccupancy(runtime.gpu(), block).activeBlocksPerSM >=
                  static_cast<unsigned>(blocks);
      (fits ? low : high) = fits ? middle : middle - 1;
    }
    *bytes = low;
    return Success;
  });
}
