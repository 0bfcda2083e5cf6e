// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

#include "llvm/ADT/STLExtras.h"

using namespace auspex;

namespace auspex::remarks {

void findUnknownLoop(const RemarkContext &context,
                     std::vector<Finding> &findings) {
  for (auto [loop, bound] :
       llvm::zip(context.kernel.summary->loops, context.kernel.loops)) {
    if (bound.openBecause.empty())
      continue;
    Finding finding;
    finding.location = loop.location;
    finding.message = "the trip count of this loop " + bound.openBecause +
                      ", so the time is unknown";
    findings.push_back(std::move(finding));
  }
}

} // namespace auspex::remarks
