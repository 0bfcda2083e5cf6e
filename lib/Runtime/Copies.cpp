// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Copies.h"

#include "Arrays.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstring>

using namespace auspex;
using namespace auspex::cuda;

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// Whether the box lies in one allocation. Arrays are none of the allocations:
/// who copies to them has checked.
static bool isOnDevice(Runtime &runtime, const Box &box, const BoxSize &size) {
  std::optional<Allocation> allocation = runtime.memory.find(box.begin);
  if (!allocation)
    return false;
  size_t extent = llvm::SaturatingAdd(
      llvm::SaturatingMultiply(size.depth - 1, box.slice),
      llvm::SaturatingMultiply(size.height - 1, box.pitch), size.widthInBytes);
  return extent <= static_cast<size_t>(allocation->end() - box.begin);
}

cuda::Error cuda::copyBox(Runtime &runtime, const Box &to, const Box &from,
                          const BoxSize &size, CopyKind kind) {
  if (kind < HostToHost || kind > DefaultKind)
    return InvalidMemcpyDirection;
  if (size.isEmpty())
    return Success;
  if (!to.begin || !from.begin)
    return InvalidValue;
  bool isToDevice = kind == HostToDevice || kind == DeviceToDevice;
  bool isFromDevice = kind == DeviceToHost || kind == DeviceToDevice;
  if ((isToDevice && !isOnDevice(runtime, to, size)) ||
      (isFromDevice && !isOnDevice(runtime, from, size)))
    return InvalidValue;
  if (isToDevice || isFromDevice || kind == DefaultKind)
    runtime.recorder.noteOtherWork();
  for (size_t z = 0; z < size.depth; ++z)
    for (size_t y = 0; y < size.height; ++y)
      std::memmove(to.begin + z * to.slice + y * to.pitch,
                   from.begin + z * from.slice + y * from.pitch,
                   size.widthInBytes);
  return Success;
}

cuda::Error cuda::fillBox(Runtime &runtime, const Box &to, unsigned value,
                          unsigned elementSize, const BoxSize &size) {
  if (size.isEmpty())
    return Success;
  if (!isOnDevice(runtime, to, size))
    return InvalidValue;
  runtime.recorder.noteOtherWork();
  for (size_t z = 0; z < size.depth; ++z)
    for (size_t y = 0; y < size.height; ++y) {
      char *row = to.begin + z * to.slice + y * to.pitch;
      if (elementSize == 1)
        std::memset(row, static_cast<int>(value), size.widthInBytes);
      else
        for (size_t x = 0; x < size.widthInBytes; x += elementSize)
          std::memcpy(row + x, &value, elementSize);
    }
  return Success;
}

static Box boxAt(const void *pointer, size_t pitch = 0, size_t slice = 0) {
  return {static_cast<char *>(const_cast<void *>(pointer)), pitch, slice};
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// A copy of linear memory in a stream.
static cuda::Error copy(Box to, Box from, BoxSize size, CopyKind kind,
                        Stream *stream) {
  return call([&](Runtime &runtime) {
    return enqueue(stream, [=, &runtime] {
      return copyBox(runtime, to, from, size, kind);
    });
  });
}

AUSPEX_CUDA cuda::Error cudaMemcpyAsync(void *to, const void *from, size_t size,
                                        CopyKind kind, Stream *stream) {
  return copy(boxAt(to), boxAt(from), {size, 1, 1}, kind, stream);
}

AUSPEX_CUDA cuda::Error cudaMemcpy(void *to, const void *from, size_t size,
                                   CopyKind kind) {
  return cudaMemcpyAsync(to, from, size, kind, nullptr);
}

AUSPEX_CUDA cuda::Error cudaMemcpyPeerAsync(void *to, int, const void *from,
                                            int, size_t size, Stream *stream) {
  return cudaMemcpyAsync(to, from, size, DeviceToDevice, stream);
}

AUSPEX_CUDA cuda::Error cudaMemcpyPeer(void *to, int, const void *from, int,
                                       size_t size) {
  return cudaMemcpyAsync(to, from, size, DeviceToDevice, nullptr);
}

AUSPEX_CUDA cuda::Error cudaMemcpy2DAsync(void *to, size_t toPitch,
                                          const void *from, size_t fromPitch,
                                          size_t width, size_t height,
                                          CopyKind kind, Stream *stream) {
  if (width > toPitch || width > fromPitch)
    return note(InvalidPitchValue);
  return copy(boxAt(to, toPitch), boxAt(from, fromPitch), {width, height, 1},
              kind, stream);
}

AUSPEX_CUDA cuda::Error cudaMemcpy2D(void *to, size_t toPitch, const void *from,
                                     size_t fromPitch, size_t width,
                                     size_t height, CopyKind kind) {
  return cudaMemcpy2DAsync(to, toPitch, from, fromPitch, width, height, kind,
                           nullptr);
}

/// One side of a copy in three dimensions.
static Box boxOf(Array *array, const Position &position,
                 const PitchedPointer &pointer, size_t elementSize) {
  if (array)
    return array->box(position.x * elementSize, position.y, position.z);
  size_t slice = pointer.pitch * pointer.ySize;
  return boxAt(static_cast<char *>(pointer.pointer) + position.x +
                   position.y * pointer.pitch + position.z * slice,
               pointer.pitch, slice);
}

cuda::Error cuda::copy3D(Runtime &runtime, const Copy3D &copy) {
  for (const Array *side : {copy.sourceArray, copy.targetArray})
    if (side && !isArray(side))
      return InvalidResourceHandle;
  Array *array = copy.targetArray ? copy.targetArray : copy.sourceArray;
  // Width is in elements where an array takes part.
  size_t elementSize = array ? array->format.bytes() : 1;
  BoxSize size{llvm::SaturatingMultiply(copy.extent.width, elementSize),
               copy.extent.height, copy.extent.depth};
  for (auto [side, position] :
       {std::pair(copy.sourceArray, copy.sourcePosition),
        std::pair(copy.targetArray, copy.targetPosition)})
    if (side && !side->contains(position, size))
      return InvalidValue;
  // What is in an array is on the device without being an allocation.
  CopyKind kind = array ? DefaultKind : copy.kind;
  return copyBox(
      runtime,
      boxOf(copy.targetArray, copy.targetPosition, copy.target, elementSize),
      boxOf(copy.sourceArray, copy.sourcePosition, copy.source, elementSize),
      size, kind);
}

AUSPEX_CUDA cuda::Error cudaMemcpy3DAsync(const Copy3D *copy, Stream *stream) {
  return call([&](Runtime &runtime) {
    if (!copy)
      return InvalidValue;
    return enqueue(stream,
                   [&runtime, copy = *copy] { return copy3D(runtime, copy); });
  });
}

AUSPEX_CUDA cuda::Error cudaMemcpy3D(const Copy3D *copy) {
  return cudaMemcpy3DAsync(copy, nullptr);
}

AUSPEX_CUDA cuda::Error cudaMemcpy3DPeerAsync(const Copy3DPeer *copy,
                                              Stream *stream) {
  if (!copy)
    return note(InvalidValue);
  Copy3D plain{copy->sourceArray, copy->sourcePosition, copy->source,
               copy->targetArray, copy->targetPosition, copy->target,
               copy->extent,      DeviceToDevice};
  return cudaMemcpy3DAsync(&plain, stream);
}

AUSPEX_CUDA cuda::Error cudaMemcpy3DPeer(const Copy3DPeer *copy) {
  return cudaMemcpy3DPeerAsync(copy, nullptr);
}

//===----------------------------------------------------------------------===//
// Fills
//===----------------------------------------------------------------------===//

static cuda::Error fill(Box to, int value, BoxSize size, Stream *stream) {
  return call([&](Runtime &runtime) {
    return enqueue(
        stream, [=, &runtime] { return fillBox(runtime, to, value, 1, size); });
  });
}

AUSPEX_CUDA cuda::Error cudaMemsetAsync(void *pointer, int value, size_t size,
                                        Stream *stream) {
  return fill(boxAt(pointer), value, {size, 1, 1}, stream);
}

AUSPEX_CUDA cuda::Error cudaMemset(void *pointer, int value, size_t size) {
  return cudaMemsetAsync(pointer, value, size, nullptr);
}

AUSPEX_CUDA cuda::Error cudaMemset2DAsync(void *pointer, size_t pitch,
                                          int value, size_t width,
                                          size_t height, Stream *stream) {
  return fill(boxAt(pointer, pitch), value, {width, height, 1}, stream);
}

AUSPEX_CUDA cuda::Error cudaMemset2D(void *pointer, size_t pitch, int value,
                                     size_t width, size_t height) {
  return cudaMemset2DAsync(pointer, pitch, value, width, height, nullptr);
}

AUSPEX_CUDA cuda::Error cudaMemset3DAsync(PitchedPointer pointer, int value,
                                          Extent extent, Stream *stream) {
  return fill(
      boxAt(pointer.pointer, pointer.pitch, pointer.pitch * pointer.ySize),
      value, {extent.width, extent.height, extent.depth}, stream);
}

AUSPEX_CUDA cuda::Error cudaMemset3D(PitchedPointer pointer, int value,
                                     Extent extent) {
  return cudaMemset3DAsync(pointer, value, extent, nullptr);
}
