// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LeastTraffic.h"

#include "Traffic/WindowFootprints.h"

#include <numeric>

using namespace auspex;

LeastTraffic auspex::leastTraffic(const BoundKernel &kernel, const GPU &gpu) {
  auto sector = static_cast<int64_t>(gpu[Q::Sector]);
  const Dim3 &grid = kernel.shape.grid;
  WindowFootprints footprints(kernel, sector);
  WindowFootprints::View launch({Window{blocksInOrder(grid, 0, grid.count())}});
  auto sum = [&](Kinds kinds) {
    Footprint touched = footprints.of(launch, kinds, sector);
    Bytes bytes = footprints.scaled(touched, sector);
    return std::accumulate(bytes.begin(), bytes.end(), 0.0);
  };
  return {sum(Kinds::Reads), sum(Kinds::Writes)};
}
