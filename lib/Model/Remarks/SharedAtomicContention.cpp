// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

#include <algorithm>

using namespace auspex;

namespace auspex::remarks {

void findSharedAtomicContention(const RemarkContext &context,
                                std::vector<Finding> &findings) {
  constexpr double Noteworthy = 2;
  forEachAccess(context, MemorySpace::Shared,
                [&](const Access &access, const BoundAccess &bound) {
                  const RequestCounts &counts = bound.counts;
                  double lanes = counts.sameAddress / counts.requests;
                  if (access.kind != AccessKind::Atomic || !bound.isKnown ||
                      lanes < Noteworthy)
                    return;
                  OperationalInput ideal = context.input;
                  ideal.sharedAtomicSteps =
                      std::min(ideal.sharedAtomicSteps, ideal.sharedAtomics);
                  Finding finding;
                  finding.location = access.location;
                  finding.gainInUs = context.gainInUs(ideal);
                  finding.message =
                      describe(access) + ": " + formatNumber(lanes) +
                      " lanes of a warp update the same word, one after "
                      "the other; spread them over copies" +
                      describeGain(context, finding.gainInUs);
                  finding.args.add("LanesOnOneAddress", "lanes", lanes);
                  finding.args.add("GainInUs", "us", finding.gainInUs);
                  findings.push_back(std::move(finding));
                });
}

} // namespace auspex::remarks
