// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Coalescing.h"

namespace auspex::remarks {

void findMisalignedAccess(const RemarkContext &context,
                          std::vector<Finding> &findings) {
  findWastedSectors(
      context, RequestCounts::Noteworthy, RequestCounts::Uncoalesced,
      "its warps do not start at a sector, or leave gaps", findings);
}

} // namespace auspex::remarks
