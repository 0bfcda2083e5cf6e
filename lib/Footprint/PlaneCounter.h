// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Counts the units of accesses that are repeated, as by a batch: by the planes
/// that the widest dimension makes of them, of which there are few kinds.
#ifndef AUSPEX_LIB_FOOTPRINT_PLANECOUNTER_H
#define AUSPEX_LIB_FOOTPRINT_PLANECOUNTER_H

#include "RowCounter.h"

namespace auspex {

/// The byte that lies furthest back.
int64_t lastByte(const StridedAccess &access);

/// Accesses without their widest dimension.
class Planes {
public:
  /// \p sorted is so by its beginnings; none if nothing is repeated, or if
  /// there are many kinds of planes.
  static std::optional<Planes> of(AccessRefs sorted);

  /// Whether all planes lie alike to units, and none shares one with another.
  bool shareNoUnit(llvm::ArrayRef<Ruler> rulers) const;
  /// Adds the units of such planes, ruler by ruler; none where that would take
  /// too long.
  void addAlike(llvm::ArrayRef<Ruler> rulers,
                llvm::MutableArrayRef<std::optional<int64_t>> counts) const;

  /// The units of planes that share no byte, but maybe the unit where one ends
  /// and the next begins: they lie alike to units again and again. None if they
  /// do so seldom, or if few rows make it quicker to look at each.
  std::optional<int64_t> countInTurns(Ruler ruler) const;

private:
  /// Planes that are alike, one after the other: their numbers are [begin,
  /// end), and \c plane is what is in number 0 of them.
  struct Kind {
    int64_t begin, end;
    AddressSet plane;
  };

  int64_t pitch = 0, origin = 0, last = 0;
  llvm::SmallVector<Kind, 4> kinds;
  double rows = 0;
  size_t accesses = 0;

  std::optional<int64_t> countInTurns(const Kind &kind, Ruler ruler) const;
};

} // namespace auspex

#endif
