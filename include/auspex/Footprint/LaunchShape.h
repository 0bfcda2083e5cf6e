// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Grids and blocks, and how threads form warps.
#ifndef AUSPEX_FOOTPRINT_LAUNCHSHAPE_H
#define AUSPEX_FOOTPRINT_LAUNCHSHAPE_H

#include "llvm/Support/MathExtras.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace auspex {

struct Dim3 {
  int64_t x = 1, y = 1, z = 1;

  int64_t operator[](unsigned i) const { return i == 0 ? x : i == 1 ? y : z; }
  /// At most INT64_MAX, whatever the sizes are.
  int64_t count() const {
    int64_t product = 0;
    return llvm::MulOverflow(x, y, product) ||
                   llvm::MulOverflow(product, z, product)
               ? INT64_MAX
               : product;
  }
  bool operator==(const Dim3 &) const = default;
  /// "80x2x1".
  std::string str() const;
};

/// What a grid and a block measure at most, on any GPU (CUDA C++ Programming
/// Guide, table "Technical Specifications per Compute Capability").
struct LaunchLimits {
  Dim3 grid{INT32_MAX, 65535, 65535};
  Dim3 block{1024, 1024, 64};
  int64_t threadsPerBlock = 1024;
};

/// One launch: blocks of threads. The threads of a block, x fastest, form warps
/// of 32; the last warp may be partial.
struct LaunchShape {
  static constexpr int64_t WarpSize = 32;

  Dim3 grid, block;

  int64_t warpsPerBlock() const {
    return (block.count() + WarpSize - 1) / WarpSize;
  }
  /// Of the launch; of the largest grids there are more than 2^63.
  double warps() const {
    return static_cast<double>(warpsPerBlock()) *
           static_cast<double>(grid.count());
  }
  /// The index of a thread from its position in the block.
  std::array<int64_t, 3> threadIndex(int64_t linear) const {
    return {linear % block.x, linear / block.x % block.y,
            linear / (block.x * block.y)};
  }
  /// The indices of a warp's threads, by axis and lane. Lanes beyond the last
  /// thread go on along z.
  using WarpIndices = std::array<std::array<int64_t, WarpSize>, 3>;
  /// Of every warp of a block.
  std::vector<WarpIndices> indicesOfWarps() const;
  /// For every warp of a block, the mask of lanes that exist.
  std::vector<uint32_t> fullMasks() const;
  bool operator==(const LaunchShape &) const = default;
};

} // namespace auspex

#endif
