// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Footprint/LaunchShape.h"

#include <algorithm>

using namespace auspex;

std::string Dim3::str() const {
  return std::to_string(x) + "x" + std::to_string(y) + "x" + std::to_string(z);
}

std::vector<LaunchShape::WarpIndices> LaunchShape::indicesOfWarps() const {
  std::vector<WarpIndices> warps(warpsPerBlock());
  int64_t x = 0, y = 0, z = 0;
  for (WarpIndices &indices : warps)
    for (int64_t lane = 0; lane < WarpSize; ++lane) {
      indices[0][lane] = x, indices[1][lane] = y, indices[2][lane] = z;
      if (++x == block.x)
        x = 0, ++y;
      if (y == block.y)
        y = 0, ++z;
    }
  return warps;
}

std::vector<uint32_t> LaunchShape::fullMasks() const {
  std::vector<uint32_t> masks(warpsPerBlock(), ~0u);
  int64_t rest = block.count() % WarpSize;
  if (rest)
    masks.back() = (1u << rest) - 1;
  return masks;
}
