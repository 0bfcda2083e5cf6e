// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// CUDA arrays: images that textures and surfaces read. Where their elements
/// are is our business alone; here they lie row by row.
#ifndef AUSPEX_LIB_RUNTIME_ARRAYS_H
#define AUSPEX_LIB_RUNTIME_ARRAYS_H

#include "Copies.h"
#include "llvm/Support/MathExtras.h"

namespace auspex::cuda {

struct Array {
  ChannelFormat format;
  /// In elements; a height or depth of 0 is one dimension less.
  Extent extent;
  unsigned flags = 0;
  /// Textures may outlive the array.
  std::shared_ptr<char[]> data;

  size_t pitch() const { return extent.width * format.bytes(); }
  size_t rows() const { return std::max<size_t>(1, extent.height); }
  size_t slices() const { return std::max<size_t>(1, extent.depth); }

  /// From a place in it on; \p x in bytes.
  Box box(size_t x, size_t y, size_t z) {
    size_t slice = pitch() * rows();
    return {data.get() + x + y * pitch() + z * slice, pitch(), slice};
  }
  /// \p position in elements.
  bool contains(const Position &position, const BoxSize &size) const {
    size_t x = llvm::SaturatingMultiply<size_t>(position.x, format.bytes());
    return llvm::SaturatingAdd(x, size.widthInBytes) <= pitch() &&
           llvm::SaturatingAdd<size_t>(position.y, size.height) <= rows() &&
           llvm::SaturatingAdd<size_t>(position.z, size.depth) <= slices();
  }
};

/// Whether there is such an array; its memory may be that of another by now.
bool isArray(const Array *array);

struct MipmappedArray {
  std::vector<std::unique_ptr<Array>> levels;
};

} // namespace auspex::cuda

#endif
