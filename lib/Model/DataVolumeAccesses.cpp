// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DataVolumeAccesses.h"

#include "llvm/ADT/STLExtras.h"

#include <tuple>

using namespace auspex;

/// The axis along which \p index moves; none if several coordinates move it.
static std::optional<FieldAxis> axisOf(const ThreadIndex &index) {
  FieldAxis axis;
  for (size_t i = 0; i < 3; ++i) {
    if (index.factor[i] == 0)
      continue;
    if (axis.coordinate != FieldAxis::None)
      return std::nullopt;
    axis = {i, index.factor[i] < 0, std::abs(index.factor[i])};
  }
  return axis;
}

static std::optional<std::array<FieldAxis, 3>>
axesOf(llvm::ArrayRef<FieldAccess> accesses) {
  std::array<FieldAxis, 3> axes;
  const FieldAccess &first = accesses.front();
  std::array<bool, 4> taken{};
  for (size_t i = 0; i < 3; ++i) {
    std::optional<FieldAxis> axis = axisOf(first[i]);
    if (!axis)
      return std::nullopt;
    if (axis->coordinate != FieldAxis::None && taken[axis->coordinate])
      return std::nullopt;
    taken[axis->coordinate] = true;
    axes[i] = *axis;
    for (const FieldAccess &access : accesses)
      if (access[i].factor != first[i].factor)
        return std::nullopt;
  }
  return axes;
}

namespace {
/// Joins boxes of offsets. The result holds the same offsets; boxes in it may
/// overlap.
class OffsetJoiner {
public:
  using Boxes = llvm::SmallVectorImpl<OffsetBox>;

  explicit OffsetJoiner(Boxes &boxes) : boxes(boxes) {}

  void run() {
    for (size_t axis = 0; axis < 3; ++axis)
      joinAlong(axis);
    // Few boxes are worth the pairs.
    constexpr size_t MostPairs = 24;
    if (boxes.size() > 1 && boxes.size() <= MostPairs) {
      while (growAll())
        ;
      dropContained();
    }
  }

private:
  Boxes &boxes;

  static bool touch(const Interval &a, const Interval &b) {
    return a.low <= b.high + 1 && b.low <= a.high + 1;
  }
  static bool contains(const Interval &a, const Interval &b) {
    return a.low <= b.low && b.high <= a.high;
  }
  static Interval hull(const Interval &a, const Interval &b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
  }

  /// Joins neighbours along \p axis that are equal in the others.
  void joinAlong(size_t axis) {
    size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    auto key = [&](const OffsetBox &box) {
      return std::tie(box.index[u].low, box.index[v].low, box.index[u].high,
                      box.index[v].high, box.residue, box.index[axis].low);
    };
    llvm::sort(boxes, [&](const OffsetBox &a, const OffsetBox &b) {
      return key(a) < key(b);
    });
    size_t kept = 0;
    for (const OffsetBox &box : llvm::drop_begin(boxes)) {
      OffsetBox &last = boxes[kept];
      if (box.index[u] == last.index[u] && box.index[v] == last.index[v] &&
          box.residue == last.residue &&
          box.index[axis].low <= last.index[axis].high + 1)
        last.index[axis] = hull(last.index[axis], box.index[axis]);
      else
        boxes[++kept] = box;
    }
    boxes.truncate(kept + 1);
  }

  /// Lets boxes reach into boxes beside them that are as wide or wider, so that
  /// the arms of a star join through its centre.
  bool growAll() {
    bool grown = false;
    for (OffsetBox &box : boxes)
      for (const OffsetBox &other : boxes)
        for (size_t axis = 0; axis < 3; ++axis)
          grown |= grow(box, other, axis);
    return grown;
  }

  static bool grow(OffsetBox &box, const OffsetBox &other, size_t axis) {
    size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    if (box.residue != other.residue ||
        !contains(other.index[u], box.index[u]) ||
        !contains(other.index[v], box.index[v]) ||
        !touch(box.index[axis], other.index[axis]) ||
        contains(box.index[axis], other.index[axis]))
      return false;
    box.index[axis] = hull(box.index[axis], other.index[axis]);
    return true;
  }

  void dropContained() {
    for (size_t i = boxes.size(); i-- > 0;)
      for (size_t j = 0; j < boxes.size(); ++j)
        if (i != j && isInside(boxes[i], boxes[j])) {
          boxes.erase(boxes.begin() + i);
          break;
        }
  }

  static bool isInside(const OffsetBox &inner, const OffsetBox &outer) {
    return inner.residue == outer.residue &&
           contains(outer.index[0], inner.index[0]) &&
           contains(outer.index[1], inner.index[1]) &&
           contains(outer.index[2], inner.index[2]);
  }
};
} // namespace

std::optional<UniformAccesses>
auspex::findUniform(llvm::ArrayRef<FieldAccess> accesses) {
  UniformAccesses result;
  if (accesses.empty())
    return result;
  std::optional<std::array<FieldAxis, 3>> axes = axesOf(accesses);
  if (!axes)
    return std::nullopt;
  result.axes = *axes;
  result.boxes.resize(accesses.size());
  for (auto [access, box] : llvm::zip(accesses, result.boxes))
    for (size_t i = 0; i < 3; ++i) {
      int64_t step = result.axes[i].step, offset = access[i].constant;
      box.residue[i] = floorMod(offset, step);
      int64_t at = floorDiv(offset, step);
      box.index[i] = {at, at};
    }
  OffsetJoiner(result.boxes).run();
  return result;
}
