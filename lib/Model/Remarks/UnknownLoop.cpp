// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

using namespace auspex;

namespace auspex::remarks {

void findUnknownLoop(const RemarkContext &context,
                     std::vector<Finding> &findings) {
  for (const Loop &loop : context.kernel.summary->loops) {
    if (loop.tripCount.isKnown())
      continue;
    Finding finding;
    finding.location = loop.location;
    finding.message = "the trip count of this loop is unknown (" +
                      loop.tripCount.reason + "), so the time is too";
    findings.push_back(std::move(finding));
  }
}

} // namespace auspex::remarks
