// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

#include "llvm/ADT/STLExtras.h"

using namespace auspex;

/// Of the ways that a switch may go, the one where most warps part; where data
/// decide, another tells more.
static bool tellsLess(const BoundBranch &way, const BoundBranch &other) {
  return way.isKnown == other.isKnown ? way.divergent < other.divergent
                                      : !way.isKnown;
}

namespace auspex::remarks {

void findDivergentBranch(const RemarkContext &context,
                         std::vector<Finding> &findings) {
  llvm::ArrayRef<Branch> branches = context.kernel.summary->branches;
  llvm::ArrayRef<BoundBranch> ways = context.kernel.branches;
  // The one warp in a large grid that a bounds check splits is no news.
  constexpr double Noteworthy = 0.01;
  for (size_t i = 0; i < branches.size();) {
    const Branch &branch = branches[i];
    size_t first = i++;
    while (i < branches.size() && branches[i].block == branch.block)
      ++i;
    const BoundBranch &bound =
        *llvm::max_element(ways.slice(first, i - first), tellsLess);
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
