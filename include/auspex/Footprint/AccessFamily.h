// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Accesses that differ by constants, as those of a stencil do: what they touch
/// in a part of the launch is what one of them touches, moved by every
/// constant. The constants are joined once, to a few strided accesses, and each
/// part of the launch moves these; its size does not matter to what is joined.
#ifndef AUSPEX_FOOTPRINT_ACCESSFAMILY_H
#define AUSPEX_FOOTPRINT_ACCESSFAMILY_H

#include "auspex/Footprint/AccessPattern.h"

namespace auspex {

/// Strided accesses of \p bytes that begin at \p offsets and nowhere else: the
/// largest boxes along \p strides (positive) that a greedy choice finds; they
/// may overlap.
AddressSet coverOffsets(std::vector<int64_t> offsets, int64_t bytes,
                        llvm::ArrayRef<int64_t> strides);

class AccessFamily {
public:
  /// \p patterns, one or more, share their shape.
  explicit AccessFamily(std::vector<AccessPattern> patterns);

  /// Whether append() adds accesses in normal form, as one that is normalized
  /// for its unit.
  bool isNormalized() const { return shape().isOneAccess(); }

  /// As AccessPattern::append for all accesses; addresses beyond 2^60 give
  /// nothing too. \p unit is what will be counted, or divides it.
  std::optional<double> append(const BlockBox &blocks,
                               llvm::ArrayRef<Interval> iterations,
                               int64_t unit, AddressSet &set) const;

  llvm::ArrayRef<Interval> iterations() const {
    return patterns.front().iterations();
  }

private:
  std::vector<AccessPattern> patterns;
  /// Their constants.
  AddressSet joined;

  const AccessShape &shape() const { return patterns.front().sharedShape(); }
};

} // namespace auspex

#endif
