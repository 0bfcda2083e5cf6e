// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TrafficWindows.h"

#include "Caches.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>

using namespace auspex;

BlockBox auspex::activeBlocks(const BoundKernel &kernel) {
  llvm::SmallVector<const BoundAccess *, 32> inOrder;
  for (const BoundAccess &access : kernel.accesses)
    if (access.pattern && access.object >= 0)
      inOrder.push_back(&access);
  llvm::stable_sort(inOrder, [](const auto *a, const auto *b) {
    return a->counts.lanes > b->counts.lanes;
  });
  const Dim3 &grid = kernel.shape.grid;
  BlockBox common{{{0, grid.x - 1}, {0, grid.y - 1}, {0, grid.z - 1}}};
  for (const BoundAccess *access : inOrder)
    if (auto both = commonBlocks(access->pattern->blocks(), common))
      common = *both;
  return common;
}

std::vector<BlockBox> auspex::sampleBlocks(const BoundKernel &kernel,
                                           const BlockBox &active) {
  constexpr int64_t MostPerAxis = 4;
  std::array<int64_t, 3> count{1, 1, 1};
  for (unsigned axis = 0; axis < 3; ++axis)
    for (const BoundAccess &access : kernel.accesses) {
      if (!access.pattern)
        continue;
      int64_t stride = access.pattern->blockStride(axis).value_or(1);
      int64_t positions = LineInBytes / std::gcd(stride, LineInBytes);
      count[axis] = std::max(count[axis], std::min(positions, MostPerAxis));
    }
  std::vector<BlockBox> boxes;
  auto first = [&](unsigned axis) {
    int64_t extent = active[axis].high - active[axis].low + 1;
    count[axis] = std::min(count[axis], extent);
    return active[axis].low + std::min(extent / 2, extent - count[axis]);
  };
  int64_t x = first(0), y = first(1), z = first(2);
  for (int64_t i = 0; i < std::max({count[0], count[1], count[2]}); ++i) {
    int64_t atX = x + i % count[0], atY = y + i % count[1],
            atZ = z + i % count[2];
    boxes.push_back({Interval{atX, atX}, {atY, atY}, {atZ, atZ}});
  }
  return boxes;
}

Wave auspex::middleWave(const BoundKernel &kernel, const GPU &gpu,
                        const BlockBox &active) {
  const Dim3 &grid = kernel.shape.grid;
  auto resident = static_cast<int64_t>(gpu[Q::SMCount]) *
                  std::max(1u, kernel.occupancy.activeBlocksPerSM);
  auto number = [&](auto at) {
    return (at(active[2]) * grid.y + at(active[1])) * grid.x + at(active[0]);
  };
  int64_t begin = number([](Interval side) { return side.low; });
  int64_t end = number([](Interval side) { return side.high; }) + 1;
  int64_t middle = number(
      [](Interval side) { return side.low + (side.high - side.low + 1) / 2; });
  int64_t blocks = std::min(grid.count(), resident);
  int64_t first =
      std::min(std::max(middle - blocks / 2, begin + blocks), end - blocks);
  return {std::max<int64_t>(first, 0), blocks, end - begin};
}

static std::string count(int64_t number, llvm::StringRef one,
                         llvm::StringRef many) {
  return std::to_string(number) + " " + (number == 1 ? one : many).str();
}

std::vector<NamedWindow> auspex::windowsOf(llvm::StringRef whole,
                                           const WindowFootprints &footprints) {
  std::vector<NamedWindow> windows;
  std::vector<Iterations> parts = footprints.windowsOfIterations();
  for (unsigned n = 1; n < footprints.mostAccesses(); n *= 2)
    windows.push_back({count(n, "access", "accesses") + " of " + whole.str(),
                       parts.front(), n});
  for (const Iterations &part : parts)
    windows.push_back({part.cutLoops
                           ? count(part.count, "iteration", "iterations") +
                                 " of " + whole.str()
                           : whole.str(),
                       part, 0, part != parts.front()});
  return windows;
}
