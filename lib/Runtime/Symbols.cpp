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

AUSPEX_CUDA cuda::Error cudaMemcpyToSymbolAsync(const void *symbol,
                                                const void *from, size_t size,
                                                size_t offset, CopyKind kind,
                                                Stream *stream) {
  return call([&](Runtime &runtime) {
    Box part;
    if (Error error = findPart(runtime, symbol, size, offset, part);
        error != Success)
      return error;
    if (kind == HostToHost || kind == DeviceToHost)
      return InvalidMemcpyDirection;
    Box source{static_cast<char *>(const_cast<void *>(from)), 0, 0};
    return enqueue(stream, [=, &runtime] {
      return copyBox(runtime, part, source, {size, 1, 1}, kind);
    });
  });
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
  return call([&](Runtime &runtime) {
    Box part;
    if (Error error = findPart(runtime, symbol, size, offset, part);
        error != Success)
      return error;
    if (kind == HostToHost || kind == HostToDevice)
      return InvalidMemcpyDirection;
    Box target{static_cast<char *>(to), 0, 0};
    return enqueue(stream, [=, &runtime] {
      return copyBox(runtime, target, part, {size, 1, 1}, kind);
    });
  });
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
