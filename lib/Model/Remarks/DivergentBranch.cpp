// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

#include "llvm/ADT/STLExtras.h"

using namespace auspex;

namespace auspex::remarks {

void findDivergentBranch(const RemarkContext &context,
                         std::vector<Finding> &findings) {
  const BoundKernel &kernel = context.kernel;
  // The one warp in a large grid that a bounds check splits is no news.
  constexpr double Noteworthy = 0.01;
  for (auto [branch, bound] :
       llvm::zip(kernel.summary->branches, kernel.branches)) {
    if (bound.executions == 0)
      continue;
    double share = bound.divergent / bound.executions;
    if (bound.isKnown && share < Noteworthy)
      continue;
    Finding finding;
    finding.location = branch.location;
    finding.message =
        bound.isKnown
            ? "the lanes of " + formatShare(share) + " of the warps part here"
            : std::string("whether the lanes of a warp part here depends on "
                          "data or on values that are not stated");
    finding.args.add("Executions", "warps", bound.executions);
    if (bound.isKnown)
      finding.args.add("DivergentShare", "1", share);
    findings.push_back(std::move(finding));
  }
}

} // namespace auspex::remarks
