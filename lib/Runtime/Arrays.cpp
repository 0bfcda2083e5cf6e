// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Arrays.h"

#include <algorithm>
#include <new>
#include <set>

using namespace auspex;
using namespace auspex::cuda;

//===----------------------------------------------------------------------===//
// Making them
//===----------------------------------------------------------------------===//

static std::set<Array *> &arrays() {
  static auto *all = new std::set<Array *>;
  return *all;
}

bool cuda::isArray(const Array *array) {
  return arrays().count(const_cast<Array *>(array)) != 0;
}

static bool isFormat(const ChannelFormat &format) {
  auto isBits = [](int bits) {
    return bits == 0 || bits == 8 || bits == 16 || bits == 32;
  };
  return format.x > 0 && isBits(format.x) && isBits(format.y) &&
         isBits(format.z) && isBits(format.w);
}

/// Null if there is no room for it.
static std::unique_ptr<Array> makeArray(const ChannelFormat &format,
                                        Extent extent, unsigned flags) {
  auto array = std::make_unique<Array>();
  array->format = format;
  array->extent = extent;
  array->flags = flags;
  using llvm::SaturatingMultiply;
  size_t row = SaturatingMultiply(extent.width, size_t(format.bytes()));
  size_t bytes = SaturatingMultiply(SaturatingMultiply(row, array->rows()),
                                    array->slices());
  if (bytes > PTRDIFF_MAX)
    return nullptr;
  array->data = std::shared_ptr<char[]>(new (std::nothrow) char[bytes]());
  return array->data ? std::move(array) : nullptr;
}

AUSPEX_CUDA cuda::Error cudaMalloc3DArray(Array **handle,
                                          const ChannelFormat *format,
                                          Extent extent, unsigned flags) {
  return call([&](Runtime &) {
    if (!handle || !format || extent.width == 0)
      return InvalidValue;
    if (!isFormat(*format))
      return InvalidChannelDescriptor;
    std::unique_ptr<Array> array = makeArray(*format, extent, flags);
    if (!array)
      return MemoryAllocation;
    *handle = array.release();
    arrays().insert(*handle);
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaMallocArray(Array **handle,
                                        const ChannelFormat *format,
                                        size_t width, size_t height,
                                        unsigned flags) {
  return cudaMalloc3DArray(handle, format, {width, height, 0}, flags);
}

AUSPEX_CUDA cuda::Error cudaFreeArray(Array *array) {
  return call([&](Runtime &) {
    if (!array)
      return Success;
    if (!arrays().erase(array))
      return InvalidResourceHandle;
    delete array;
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaMallocMipmappedArray(MipmappedArray **handle,
                                                 const ChannelFormat *format,
                                                 Extent extent, unsigned levels,
                                                 unsigned flags) {
  return call([&](Runtime &) {
    if (!handle || !format || extent.width == 0 || levels == 0)
      return InvalidValue;
    if (!isFormat(*format))
      return InvalidChannelDescriptor;
    auto pyramid = std::make_unique<MipmappedArray>();
    auto half = [](size_t side) {
      return side ? std::max<size_t>(1, side / 2) : 0;
    };
    for (unsigned level = 0; level < levels; ++level) {
      std::unique_ptr<Array> array = makeArray(*format, extent, flags);
      if (!array)
        return MemoryAllocation;
      pyramid->levels.push_back(std::move(array));
      bool isLast =
          extent.width <= 1 && extent.height <= 1 && extent.depth <= 1;
      if (isLast)
        break;
      extent = {half(extent.width), half(extent.height), half(extent.depth)};
    }
    for (const std::unique_ptr<Array> &level : pyramid->levels)
      arrays().insert(level.get());
    *handle = pyramid.release();
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaFreeMipmappedArray(MipmappedArray *pyramid) {
  return call([&](Runtime &) {
    if (!pyramid)
      return Success;
    for (const std::unique_ptr<Array> &level : pyramid->levels)
      arrays().erase(level.get());
    delete pyramid;
    return Success;
  });
}

AUSPEX_CUDA cuda::Error
cudaGetMipmappedArrayLevel(Array **handle, const MipmappedArray *pyramid,
                           unsigned level) {
  return call([&](Runtime &) {
    if (!handle || !pyramid || level >= pyramid->levels.size())
      return InvalidValue;
    *handle = pyramid->levels[level].get();
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaArrayGetInfo(ChannelFormat *format, Extent *extent,
                                         unsigned *flags, Array *array) {
  return call([&](Runtime &) {
    if (!arrays().count(array))
      return InvalidResourceHandle;
    if (format)
      *format = array->format;
    if (extent)
      *extent = array->extent;
    if (flags)
      *flags = array->flags;
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaGetChannelDesc(ChannelFormat *format,
                                           const Array *array) {
  return cudaArrayGetInfo(format, nullptr, nullptr, const_cast<Array *>(array));
}

AUSPEX_CUDA ChannelFormat cudaCreateChannelDesc(int x, int y, int z, int w,
                                                ChannelKind kind) {
  return {x, y, z, w, kind};
}

//===----------------------------------------------------------------------===//
// Copies to and from them; offsets and widths are in bytes
//===----------------------------------------------------------------------===//

/// Checks one array's side of a copy.
static cuda::Error checkPart(Array *array, size_t x, size_t y,
                             const BoxSize &size) {
  if (!arrays().count(array))
    return InvalidResourceHandle;
  size_t element = array->format.bytes();
  if (x % element || !array->contains({x / element, y, 0}, size))
    return InvalidValue;
  return Success;
}

AUSPEX_CUDA cuda::Error cudaMemcpy2DToArrayAsync(Array *to, size_t x, size_t y,
                                                 const void *from, size_t pitch,
                                                 size_t width, size_t height,
                                                 CopyKind, Stream *stream) {
  return call([&](Runtime &runtime) {
    BoxSize size{width, height, 1};
    if (Error error = checkPart(to, x, y, size); error != Success)
      return error;
    Box source{static_cast<char *>(const_cast<void *>(from)), pitch, 0};
    return enqueue(stream, [=, &runtime] {
      return copyBox(runtime, to->box(x, y, 0), source, size, DefaultKind);
    });
  });
}

AUSPEX_CUDA cuda::Error cudaMemcpy2DToArray(Array *to, size_t x, size_t y,
                                            const void *from, size_t pitch,
                                            size_t width, size_t height,
                                            CopyKind kind) {
  return cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind,
                                  nullptr);
}

AUSPEX_CUDA cuda::Error cudaMemcpy2DFromArrayAsync(void *to, size_t pitch,
                                                   const Array *from, size_t x,
                                                   size_t y, size_t width,
                                                   size_t height, CopyKind,
                                                   Stream *stream) {
  return call([&](Runtime &runtime) {
    BoxSize size{width, height, 1};
    auto *source = const_cast<Array *>(from);
    if (Error error = checkPart(source, x, y, size); error != Success)
      return error;
    Box target{static_cast<char *>(to), pitch, 0};
    return enqueue(stream, [=, &runtime] {
      return copyBox(runtime, target, source->box(x, y, 0), size, DefaultKind);
    });
  });
}

AUSPEX_CUDA cuda::Error cudaMemcpy2DFromArray(void *to, size_t pitch,
                                              const Array *from, size_t x,
                                              size_t y, size_t width,
                                              size_t height, CopyKind kind) {
  return cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind,
                                    nullptr);
}

AUSPEX_CUDA cuda::Error cudaMemcpy2DArrayToArray(Array *to, size_t toX,
                                                 size_t toY, const Array *from,
                                                 size_t fromX, size_t fromY,
                                                 size_t width, size_t height,
                                                 CopyKind) {
  return call([&](Runtime &runtime) {
    BoxSize size{width, height, 1};
    auto *source = const_cast<Array *>(from);
    if (Error error = checkPart(to, toX, toY, size); error != Success)
      return error;
    if (Error error = checkPart(source, fromX, fromY, size); error != Success)
      return error;
    return copyBox(runtime, to->box(toX, toY, 0), source->box(fromX, fromY, 0),
                   size, DefaultKind);
  });
}

/// The older calls copy bytes through the rows, one after the other, as if
/// there were none.
static cuda::Error copyLinear(Runtime &runtime, Array *array, size_t x,
                              size_t y, void *memory, size_t size, bool isTo) {
  if (!arrays().count(array))
    return InvalidResourceHandle;
  size_t offset =
      llvm::SaturatingAdd(llvm::SaturatingMultiply(y, array->pitch()), x);
  if (llvm::SaturatingAdd(offset, size) > array->pitch() * array->rows())
    return InvalidValue;
  Box inArray{array->data.get() + offset, 0, 0};
  Box outside{static_cast<char *>(memory), 0, 0};
  return copyBox(runtime, isTo ? inArray : outside, isTo ? outside : inArray,
                 {size, 1, 1}, DefaultKind);
}

AUSPEX_CUDA cuda::Error cudaMemcpyToArray(Array *to, size_t x, size_t y,
                                          const void *from, size_t size,
                                          CopyKind) {
  return call([&](Runtime &runtime) {
    return copyLinear(runtime, to, x, y, const_cast<void *>(from), size, true);
  });
}

AUSPEX_CUDA cuda::Error cudaMemcpyFromArray(void *to, const Array *from,
                                            size_t x, size_t y, size_t size,
                                            CopyKind) {
  return call([&](Runtime &runtime) {
    return copyLinear(runtime, const_cast<Array *>(from), x, y, to, size,
                      false);
  });
}
