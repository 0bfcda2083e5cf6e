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

/// Strided accesses of \p bytes that begin at \p offsets, which ascend and of
/// which there is one at least, and nowhere else: the
/// largest boxes along \p strides (positive) that a greedy choice finds; they
/// may overlap.
AddressSet coverOffsets(llvm::ArrayRef<int64_t> offsets, int64_t bytes,
                        llvm::ArrayRef<int64_t> strides);

class AccessFamily {
public:
  /// The accesses of \p shape at \p constants, one or more, which ascend.
  AccessFamily(const AccessShape &shape, llvm::ArrayRef<int64_t> constants);

  size_t size() const { return count; }

  /// Adds what the accesses touch where the one at 0 touches \p alone, in
  /// normal form for \p unit. False if addresses pass 2^60.
  bool append(llvm::ArrayRef<StridedAccess> alone, int64_t unit,
              AddressSet &set) const;

private:
  size_t count;
  /// The constants.
  llvm::SmallVector<StridedAccess, 1> joined;
};

} // namespace auspex

#endif
