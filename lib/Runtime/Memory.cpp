// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocation, of the device's memory and of the host's that the device may use,
// and what is known of a pointer. All of it is memory of this process.
#include "Streams.h"

#include "llvm/Support/MathExtras.h"

#include <cstdlib>
#include <unistd.h>

using namespace auspex;
using namespace auspex::cuda;

/// Rows start where a request can; no less than the width even if that is more
/// than there can be.
static size_t pitchOf(size_t width) {
  constexpr size_t Alignment = 512;
  return llvm::SaturatingAdd(width, Alignment - 1) / Alignment * Alignment;
}

static cuda::Error allocate(Runtime &runtime, void **pointer, size_t size,
                            MemoryKind kind) {
  if (!pointer)
    return InvalidValue;
  *pointer = nullptr;
  if (size == 0)
    return Success;
  runtime.gpu(); // its size is the limit
  void *memory = runtime.memory.allocate(size);
  if (!memory)
    return MemoryAllocation;
  if (kind != MemoryKind::Device)
    runtime.kinds[static_cast<char *>(memory)] = kind;
  *pointer = memory;
  return Success;
}

/// Memory of the host has no limit here, and the device's amount none of it.
static cuda::Error allocateHost(Runtime &runtime, void **pointer, size_t size) {
  if (!pointer)
    return InvalidValue;
  *pointer = nullptr;
  if (size == 0)
    return Success;
  if (size > PTRDIFF_MAX)
    return MemoryAllocation;
  size_t page = getpagesize();
  void *memory = std::aligned_alloc(page, (size + page - 1) / page * page);
  if (!memory)
    return MemoryAllocation;
  auto *begin = static_cast<char *>(memory);
  runtime.memory.add({begin, size, "", true});
  runtime.kinds[begin] = MemoryKind::Host;
  *pointer = memory;
  return Success;
}

static cuda::Error release(Runtime &runtime, void *pointer) {
  if (!pointer)
    return Success;
  if (!runtime.memory.release(pointer))
    return InvalidValue;
  runtime.kinds.erase(static_cast<char *>(pointer));
  return Success;
}

//===----------------------------------------------------------------------===//
// The device's memory
//===----------------------------------------------------------------------===//

AUSPEX_CUDA cuda::Error cudaMalloc(void **pointer, size_t size) {
  return call([&](Runtime &runtime) {
    return allocate(runtime, pointer, size, MemoryKind::Device);
  });
}

AUSPEX_CUDA cuda::Error cudaMallocManaged(void **pointer, size_t size,
                                          unsigned) {
  return call([&](Runtime &runtime) {
    if (size == 0)
      return InvalidValue;
    return allocate(runtime, pointer, size, MemoryKind::Managed);
  });
}

AUSPEX_CUDA cuda::Error cudaFree(void *pointer) {
  return call([&](Runtime &runtime) { return release(runtime, pointer); });
}

AUSPEX_CUDA cuda::Error cudaMallocAsync(void **pointer, size_t size,
                                        Stream *stream) {
  return call([&](Runtime &runtime) {
    if (Error error = checkNotCaptured(stream); error != Success)
      return error;
    return allocate(runtime, pointer, size, MemoryKind::Device);
  });
}

AUSPEX_CUDA cuda::Error cudaFreeAsync(void *pointer, Stream *stream) {
  return call([&](Runtime &runtime) {
    return enqueue(stream,
                   [&runtime, pointer] { return release(runtime, pointer); });
  });
}

AUSPEX_CUDA cuda::Error cudaMallocPitch(void **pointer, size_t *pitch,
                                        size_t width, size_t height) {
  return call([&](Runtime &runtime) {
    if (!pitch)
      return InvalidValue;
    *pitch = pitchOf(width);
    return allocate(runtime, pointer, llvm::SaturatingMultiply(*pitch, height),
                    MemoryKind::Device);
  });
}

AUSPEX_CUDA cuda::Error cudaMalloc3D(PitchedPointer *result, Extent extent) {
  return call([&](Runtime &runtime) {
    if (!result)
      return InvalidValue;
    result->pitch = pitchOf(extent.width);
    result->xSize = extent.width;
    result->ySize = extent.height;
    return allocate(runtime, &result->pointer,
                    llvm::SaturatingMultiply(
                        llvm::SaturatingMultiply(result->pitch, extent.height),
                        extent.depth),
                    MemoryKind::Device);
  });
}

AUSPEX_CUDA cuda::Error cudaMemGetInfo(size_t *free, size_t *total) {
  return call([&](Runtime &runtime) {
    runtime.gpu();
    uint64_t limit = runtime.memory.limitInBytes;
    if (free)
      *free = limit - std::min(limit, runtime.memory.usedInBytes());
    if (total)
      *total = limit;
    return Success;
  });
}

//===----------------------------------------------------------------------===//
// The host's memory
//===----------------------------------------------------------------------===//

AUSPEX_CUDA cuda::Error cudaHostAlloc(void **pointer, size_t size, unsigned) {
  return call(
      [&](Runtime &runtime) { return allocateHost(runtime, pointer, size); });
}

AUSPEX_CUDA cuda::Error cudaMallocHost(void **pointer, size_t size) {
  return cudaHostAlloc(pointer, size, 0);
}

AUSPEX_CUDA cuda::Error cudaFreeHost(void *pointer) {
  return call([&](Runtime &runtime) {
    if (!pointer)
      return Success;
    auto *begin = static_cast<char *>(pointer);
    auto found = runtime.kinds.find(begin);
    if (found == runtime.kinds.end() || found->second != MemoryKind::Host)
      return InvalidValue;
    runtime.kinds.erase(found);
    runtime.memory.remove(begin);
    std::free(pointer);
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaHostRegister(void *pointer, size_t size, unsigned) {
  return call([&](Runtime &runtime) {
    if (!pointer || size == 0)
      return InvalidValue;
    if (runtime.memory.find(pointer))
      return HostMemoryAlreadyRegistered;
    auto *begin = static_cast<char *>(pointer);
    runtime.memory.add({begin, size, "", true});
    runtime.kinds[begin] = MemoryKind::Registered;
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaHostUnregister(void *pointer) {
  return call([&](Runtime &runtime) {
    auto *begin = static_cast<char *>(pointer);
    auto found = runtime.kinds.find(begin);
    if (found == runtime.kinds.end() || found->second != MemoryKind::Registered)
      return HostMemoryNotRegistered;
    runtime.kinds.erase(found);
    runtime.memory.remove(begin);
    return Success;
  });
}

static bool isHosts(MemoryKind kind) {
  return kind == MemoryKind::Host || kind == MemoryKind::Registered;
}

AUSPEX_CUDA cuda::Error cudaHostGetDevicePointer(void **result, void *pointer,
                                                 unsigned) {
  return call([&](Runtime &runtime) {
    std::optional<MemoryKind> kind = runtime.kindOf(pointer);
    if (!result || !kind || !isHosts(*kind))
      return InvalidValue;
    *result = pointer;
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaHostGetFlags(unsigned *flags, void *pointer) {
  return call([&](Runtime &runtime) {
    constexpr unsigned Mapped = 2;
    std::optional<MemoryKind> kind = runtime.kindOf(pointer);
    if (!flags || !kind || !isHosts(*kind))
      return InvalidValue;
    *flags = Mapped;
    return Success;
  });
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

AUSPEX_CUDA cuda::Error cudaPointerGetAttributes(PointerAttributes *attributes,
                                                 const void *pointer) {
  return call([&](Runtime &runtime) {
    if (!attributes)
      return InvalidValue;
    constexpr int Unregistered = 0, OfHost = 1, OfDevice = 2, IsManaged = 3,
                  NoDevice = -2;
    auto *both = const_cast<void *>(pointer);
    std::optional<MemoryKind> kind = runtime.kindOf(pointer);
    if (!kind)
      *attributes = {Unregistered, NoDevice, nullptr, both};
    else if (*kind == MemoryKind::Device)
      *attributes = {OfDevice, 0, both, nullptr};
    else
      *attributes = {isHosts(*kind) ? OfHost : IsManaged, 0, both, both};
    return Success;
  });
}

// Advice on where managed memory should be changes nothing: there is one
// memory. (The location of the last arguments has another form since CUDA 13.)
AUSPEX_CUDA cuda::Error cudaMemAdvise(const void *, size_t, int) {
  return call([](Runtime &) { return Success; });
}
AUSPEX_CUDA cuda::Error cudaMemAdvise_v2(const void *, size_t, int) {
  return call([](Runtime &) { return Success; });
}
AUSPEX_CUDA cuda::Error cudaMemPrefetchAsync(const void *, size_t) {
  return call([](Runtime &) { return Success; });
}
AUSPEX_CUDA cuda::Error cudaMemPrefetchAsync_v2(const void *, size_t) {
  return call([](Runtime &) { return Success; });
}

//===----------------------------------------------------------------------===//
// Pools of stream-ordered memory: there is one, and it keeps nothing
//===----------------------------------------------------------------------===//

static MemoryPool *thePool() {
  static char pool;
  return reinterpret_cast<MemoryPool *>(&pool);
}

static cuda::Error givePool(MemoryPool **pool) {
  return call([&](Runtime &) {
    if (!pool)
      return InvalidValue;
    *pool = thePool();
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaDeviceGetDefaultMemPool(MemoryPool **pool, int) {
  return givePool(pool);
}
AUSPEX_CUDA cuda::Error cudaDeviceGetMemPool(MemoryPool **pool, int) {
  return givePool(pool);
}
AUSPEX_CUDA cuda::Error cudaMemPoolCreate(MemoryPool **pool, const void *) {
  return givePool(pool);
}
AUSPEX_CUDA cuda::Error cudaDeviceSetMemPool(int, MemoryPool *) {
  return call([](Runtime &) { return Success; });
}
AUSPEX_CUDA cuda::Error cudaMemPoolDestroy(MemoryPool *) {
  return call([](Runtime &) { return Success; });
}
AUSPEX_CUDA cuda::Error cudaMemPoolTrimTo(MemoryPool *, size_t) {
  return call([](Runtime &) { return Success; });
}
AUSPEX_CUDA cuda::Error cudaMemPoolSetAttribute(MemoryPool *, int, void *) {
  return call([](Runtime &) { return Success; });
}
AUSPEX_CUDA cuda::Error cudaMemPoolSetAccess(MemoryPool *, const void *,
                                             size_t) {
  return call([](Runtime &) { return Success; });
}

AUSPEX_CUDA cuda::Error cudaMemPoolGetAttribute(MemoryPool *, int attribute,
                                                void *value) {
  return call([&](Runtime &runtime) {
    constexpr int LastBoolean = 3, ReleaseThreshold = 4, Highest = 8;
    if (!value || attribute < 1 || attribute > Highest)
      return InvalidValue;
    if (attribute <= LastBoolean)
      *static_cast<int *>(value) = 1;
    else
      *static_cast<uint64_t *>(value) =
          attribute == ReleaseThreshold ? 0 : runtime.memory.usedInBytes();
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaMallocFromPoolAsync(void **pointer, size_t size,
                                                MemoryPool *, Stream *stream) {
  return cudaMallocAsync(pointer, size, stream);
}
