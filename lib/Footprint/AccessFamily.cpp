// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Footprint/AccessFamily.h"

#include "LinearOffset.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace auspex;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

namespace {
/// Offsets, of which boxes cover more and more.
class Cover {
public:
  /// \p offsets ascend; some may be there twice.
  explicit Cover(llvm::ArrayRef<int64_t> offsets)
      : offsets(offsets), isCovered(offsets.size(), false) {}

  /// The largest box from \p offset on, along one stride after the other.
  StridedAccess growFrom(int64_t offset, int64_t bytes,
                         llvm::ArrayRef<int64_t> strides) {
    StridedAccess box{offset, bytes, {}};
    llvm::SmallVector<int64_t, 16> points{offset};
    for (int64_t stride : strides) {
      llvm::SmallVector<int64_t, 16> slice = points;
      auto addSlices = [&](int64_t step) {
        int64_t count = 0;
        for (int64_t by = step; hasAll(slice, by); by += step, ++count)
          for (int64_t point : slice)
            points.push_back(point + by);
        return count;
      };
      int64_t before = addSlices(-stride), after = addSlices(stride);
      if (before + after == 0)
        continue;
      box.first -= before * stride;
      box.dimensions.push_back({stride, before + 1 + after});
    }
    for (int64_t point : points)
      isCovered[find(point) - offsets.begin()] = true;
    return box;
  }

  AddressSet run(int64_t bytes, llvm::ArrayRef<int64_t> strides) {
    AddressSet boxes;
    for (auto [offset, covered] : llvm::zip(offsets, isCovered))
      if (!covered)
        boxes.push_back(growFrom(offset, bytes, strides));
    return boxes;
  }

private:
  llvm::ArrayRef<int64_t> offsets;
  llvm::SmallVector<bool, 32> isCovered;

  const int64_t *find(int64_t offset) const {
    return std::lower_bound(offsets.begin(), offsets.end(), offset);
  }
  bool hasAll(llvm::ArrayRef<int64_t> points, int64_t by) const {
    return llvm::all_of(points, [&](int64_t point) {
      const int64_t *found = find(point + by);
      return found != offsets.end() && *found == point + by;
    });
  }
};
} // namespace

/// Along which strides constants are worth joining: those by which the accesses
/// go themselves, and distances of constants that are small parts of them, as a
/// thread that updates several rows has them, or leave no gap.
static llvm::SmallVector<int64_t, 8>
stridesToJoin(const AccessShape &shape, llvm::ArrayRef<int64_t> sorted) {
  constexpr int64_t MostParts = 8;
  llvm::SmallVector<int64_t, 8> slopes;
  for (int64_t slope : shape.strides())
    if (slope != 0 && slope != INT64_MIN)
      slopes.push_back(std::abs(slope));
  llvm::SmallVector<int64_t, 8> strides = slopes;
  int64_t last = 0;
  for (size_t i = 1; i < sorted.size(); ++i) {
    int64_t distance = sorted[i] - sorted[i - 1];
    if (distance == 0 || distance == last)
      continue;
    last = distance;
    if (distance <= shape.bytesPerLane() ||
        llvm::any_of(slopes, [&](int64_t slope) {
          return slope % distance == 0 && slope / distance <= MostParts;
        }))
      strides.push_back(distance);
  }
  std::sort(strides.begin(), strides.end());
  strides.erase(std::unique(strides.begin(), strides.end()), strides.end());
  return strides;
}

AddressSet auspex::coverOffsets(llvm::ArrayRef<int64_t> offsets, int64_t bytes,
                                llvm::ArrayRef<int64_t> strides) {
  return Cover(offsets).run(bytes, strides);
}

//===----------------------------------------------------------------------===//
// The family
//===----------------------------------------------------------------------===//

AccessFamily::AccessFamily(const AccessShape &shape,
                           llvm::ArrayRef<int64_t> constants)
    : count(constants.size()) {
  if (count == 1)
    joined.push_back({constants.front(), shape.bytesPerLane(), {}});
  else
    joined = coverOffsets(constants, shape.bytesPerLane(),
                          stridesToJoin(shape, constants));
}

bool AccessFamily::append(llvm::ArrayRef<StridedAccess> alone, int64_t unit,
                          AddressSet &set) const {
  for (const StridedAccess &access : alone)
    for (const StridedAccess &constants : joined) {
      StridedAccess &moved = set.emplace_back(access);
      moved.first += constants.first;
      moved.dimensions.append(constants.dimensions.begin(),
                              constants.dimensions.end());
      bool isFine = constants.dimensions.empty()
                        ? isWithin(moved.first, MaxOffset)
                        : normalize(moved, unit);
      if (!isFine)
        return false;
    }
  return true;
}
