// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Coalescing.h"

#include <limits>

namespace auspex::remarks {

void findUncoalescedAccess(const RemarkContext &context,
                           std::vector<Finding> &findings) {
  findWastedSectors(context, RequestCounts::Uncoalesced,
                    std::numeric_limits<double>::infinity(),
                    "neighbouring threads do not read or write neighbouring "
                    "addresses",
                    findings);
}

} // namespace auspex::remarks
