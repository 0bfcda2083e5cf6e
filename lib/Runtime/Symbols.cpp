// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables of the device, by the addresses of their shadows on the host.
#include "Copies.h"
#include "Modules.h"

using namespace auspex;
using namespace auspex::cuda;

/// A part of a variable.
static cuda::Error findPart(Runtime &runtime, const void *shadow, size_t size,
                            size_t offset, Box &part) {
  Allocation variable;
  if (Error error = findVariable(runtime, shadow, variable); error != Success)
    return error;
  if (offset > variable.sizeInBytes || size > variable.sizeInBytes - offset)
    return InvalidValue;
  part = {variable.begin + offset, 0, 0};
  return Success;
}

/// Copies between a part of a variable and \p memory, which lies where \p kind
/// says: into the variable, or out of it.
static cuda::Error copyPart(const void *symbol, void *memory, size_t size,
                            size_t offset, CopyKind kind, bool isInto,
                            Stream *stream) {
  return call([&](Runtime &runtime) {
    Box part, other{static_cast<char *>(memory), 0, 0};
    if (Error error = findPart(runtime, symbol, size, offset, part);
        error != Success)
      return error;
    if (kind == HostToHost || kind == (isInto ? DeviceToHost : HostToDevice))
      return InvalidMemcpyDirection;
    return enqueue(stream, [=, &runtime] {
      return copyBox(runtime, isInto ? part : other, isInto ? other : part,
                     {size, 1, 1}, kind);
    });
  });
}

AUSPEX_CUDA cuda::Error cudaMemcpyToSymbolAsync(const void *symbol,
                                                const void *from, size_t size,
                                                size_t offset, CopyKind kind,
                                                Stream *stream) {
  return copyPart(symbol, const_cast<void *>(from), size, offset, kind,
                  /*isInto=*/true, stream);
}

AUSPEX_CUDA cuda::Error cudaMemcpyToSymbol(const void *symbol, const void *from,
                                           size_t size, size_t offset,
                                           CopyKind kind) {
  return cudaMemcpyToSymbolAsync(symbol, from, size, offset, kind, nullptr);
}

AUSPEX_CUDA cuda::Error cudaMemcpyFromSymbolAsync(void *to, const void *symbol,
                                                  size_t size, size_t offset,
                                                  CopyKind kind,
                                                  Stream *stream) {
  return copyPart(symbol, to, size, offset, kind, /*isInto=*/false, stream);
}

AUSPEX_CUDA cuda::Error cudaMemcpyFromSymbol(void *to, const void *symbol,
                                             size_t size, size_t offset,
                                             CopyKind kind) {
  return cudaMemcpyFromSymbolAsync(to, symbol, size, offset, kind, nullptr);
}

AUSPEX_CUDA cuda::Error cudaGetSymbolAddress(void **pointer,
                                             const void *symbol) {
  return call([&](Runtime &runtime) {
    Box part;
    if (Error error = findPart(runtime, symbol, 0, 0, part); error != Success)
      return error;
    *pointer = part.begin;
    return Success;
  });
}

AUSPEX_CUDA cuda::Error cudaGetSymbolSize(size_t *size, const void *symbol) {
  return call([&](Runtime &runtime) {
    Allocation variable;
    if (Error error = findVariable(runtime, symbol, variable); error != Success)
      return error;
    *size = variable.sizeInBytes;
    return Success;
  });
}
