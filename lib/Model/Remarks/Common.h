// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What several remark rules share.
#ifndef AUSPEX_LIB_MODEL_REMARKS_COMMON_H
#define AUSPEX_LIB_MODEL_REMARKS_COMMON_H

#include "auspex/Model/Remark.h"
#include "auspex/Support/Table.h"

namespace auspex::remarks {

/// Accesses that stand at one place of the source and do the same: what loop
/// unrolling made of one, or the parts of a structure. Without a place each
/// stands alone.
struct AccessPlace {
  const Access *access = nullptr;
  SourceLocation location;
  bool isKnown = false;
  /// Sums over the launch.
  RequestCounts counts;
};

/// The accesses to memory of \p space that run, in the order of the summary. A
/// space that is not known counts as global memory, which it mostly is.
std::vector<AccessPlace> accessPlaces(const RemarkContext &context,
                                      MemorySpace space);

/// "load of 4 B a lane", "atomic add of 8 B a lane".
std::string describe(const Access &access);

/// "; 12.3 us (45 %) less without it", or that nothing would be gained.
std::string describeGain(const RemarkContext &context, double gainInUs);

} // namespace auspex::remarks

#endif
