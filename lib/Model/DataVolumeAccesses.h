// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The accesses of a field as the counting of the data-volume model needs them.
#ifndef AUSPEX_LIB_MODEL_DATAVOLUMEACCESSES_H
#define AUSPEX_LIB_MODEL_DATAVOLUMEACCESSES_H

#include "auspex/Expr/Expr.h"
#include "auspex/Model/DataVolume.h"
#include "llvm/ADT/SmallVector.h"

namespace auspex {

constexpr int64_t SectorBytes = 32, LineBytes = 128;

/// The byte address of an access.
inline ThreadIndex addressOf(const FieldAccess &access, const Field &field,
                             int64_t elementBytes) {
  int64_t plane = field.extents[0] * field.extents[1];
  std::array<int64_t, 3> pitch{1, field.extents[0], plane};
  ThreadIndex address{field.alignment * elementBytes, {}};
  for (size_t i = 0; i < 3; ++i) {
    address.constant += access[i].constant * pitch[i] * elementBytes;
    for (size_t j = 0; j < 3; ++j)
      address.factor[j] += access[i].factor[j] * pitch[i] * elementBytes;
  }
  return address;
}

/// How a subscript moves with the threads: step * t + offset, where t is one
/// thread coordinate (or minus it), and the offset differs from access to
/// access. A subscript that does not move has the step 1 and no coordinate.
struct FieldAxis {
  static constexpr size_t None = 3;
  size_t coordinate = None;
  bool mirrored = false;
  int64_t step = 1;

  /// The interval of t while the thread coordinates are in \p threads.
  Interval rangeOf(const std::array<Interval, 3> &threads) const {
    if (coordinate == None)
      return {0, 0};
    Interval range = threads[coordinate];
    return mirrored ? Interval{-range.high, -range.low} : range;
  }
};

/// Many accesses in one: the offsets step * i + residue for i in an interval,
/// along each axis.
struct OffsetBox {
  std::array<int64_t, 3> residue{};
  std::array<Interval, 3> index;
};

/// Accesses that move alike, each subscript with a thread coordinate of its
/// own; a stencil's do. They are joined to few boxes of offsets: a star of any
/// radius has three.
struct UniformAccesses {
  std::array<FieldAxis, 3> axes;
  llvm::SmallVector<OffsetBox, 32> boxes;
};

/// None if the accesses do not move so.
std::optional<UniformAccesses>
findUniform(llvm::ArrayRef<FieldAccess> accesses);

} // namespace auspex

#endif
