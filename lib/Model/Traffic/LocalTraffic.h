// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What private arrays ask of L1 and L2 where data give the place in them.
#ifndef AUSPEX_LIB_MODEL_TRAFFIC_LOCALTRAFFIC_H
#define AUSPEX_LIB_MODEL_TRAFFIC_LOCALTRAFFIC_H

#include "StoreMerging.h"
#include "auspex/Kernel/BoundKernel.h"

namespace auspex {

/// Loads from private arrays in local memory, or stores to them, at places that
/// data give. The words of a warp's lanes lie side by side, a line for each
/// word of the array. Each word is taken to be as likely as another.
struct ScatteredLocal {
  /// Over the launch.
  double requests = 0;
  /// The least that a request takes L1, for the lines that it touches.
  double l1Cycles = 0;
  /// Of stores, over the launch: lanes fill parts of sectors in many lines.
  StoredSectors stored;
};

/// \p kind is Load or Store.
ScatteredLocal scatteredLocal(const BoundKernel &kernel, AccessKind kind,
                              const GPU &gpu);

} // namespace auspex

#endif
