// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Footprint/LaunchShape.h"

#include <algorithm>

using namespace auspex;

std::string Dim3::str() const {
  return std::to_string(x) + "x" + std::to_string(y) + "x" + std::to_string(z);
}

std::vector<uint32_t> LaunchShape::fullMasks() const {
  std::vector<uint32_t> masks(warpsPerBlock(), ~0u);
  int64_t rest = block.count() % WarpSize;
  if (rest)
    masks.back() = (1u << rest) - 1;
  return masks;
}
