// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What becomes of stores on their way to L2: a warp that stores a structure
/// field by field touches the same sectors again and again, and L1 puts
/// together what it can.
#ifndef AUSPEX_LIB_MODEL_STOREMERGING_H
#define AUSPEX_LIB_MODEL_STOREMERGING_H

#include "auspex/Kernel/BoundKernel.h"

namespace auspex {

/// What stores of \p access, whose requests are counted, send to L2 where they
/// fill a sector in part, over the launch: such a sector is a packet with its
/// bytes and which they are, and its line another with the address.
double partialPacketsAlone(const Access &access, const RequestCounts &counts,
                           double sectorInBytes);

/// Sectors that the stores of an access send to L2 over the launch, and the
/// packets of those that they fill in part. Of stores that are put together the
/// first has them all.
struct StoredSectors {
  double toL2 = 0, partialPackets = 0;
};

/// Of each access of the summary; nothing of what does not store to global
/// memory.
std::vector<StoredSectors> storedSectors(const BoundKernel &kernel,
                                         double sectorInBytes);

} // namespace auspex

#endif
