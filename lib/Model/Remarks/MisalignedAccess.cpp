// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Coalescing.h"

namespace auspex::remarks {

void findMisalignedAccess(const RemarkContext &context,
                          std::vector<Finding> &findings) {
  // A few warps at the edge of a grid are no news.
  constexpr double Noteworthy = 1.05;
  findWastedSectors(context, Noteworthy, UncoalescedFactor,
                    "its warps do not start at a sector, or leave gaps",
                    findings);
}

} // namespace auspex::remarks
