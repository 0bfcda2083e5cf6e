// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Copies and fills: boxes of bytes between places in linear memory.
#ifndef AUSPEX_LIB_RUNTIME_COPIES_H
#define AUSPEX_LIB_RUNTIME_COPIES_H

#include "Streams.h"

namespace auspex::cuda {

/// A box in linear memory: rows of a slice, slices of a box.
struct Box {
  char *begin = nullptr;
  size_t pitch = 0;
  /// Bytes from slice to slice.
  size_t slice = 0;
};

struct BoxSize {
  size_t widthInBytes = 0, height = 1, depth = 1;

  bool isEmpty() const { return !widthInBytes || !height || !depth; }
};

/// Checks that the sides that \p kind says are on the device are, and copies.
Error copyBox(Runtime &runtime, const Box &to, const Box &from,
              const BoxSize &size, CopyKind kind);
/// Elements of 1, 2 or 4 bytes.
Error fillBox(Runtime &runtime, const Box &to, unsigned value,
              unsigned elementSize, const BoxSize &size);
Error copy3D(Runtime &runtime, const Copy3D &copy);

} // namespace auspex::cuda

#endif
