// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

#include <algorithm>

using namespace auspex;

namespace auspex::remarks {

void findSharedAtomicContention(const RemarkContext &context,
                                std::vector<Finding> &findings) {
  constexpr double Noteworthy = 2;
  for (const AccessPlace &place : accessPlaces(context, MemorySpace::Shared)) {
    const RequestCounts &counts = place.counts;
    double lanes = counts.sameAddress / counts.requests;
    if (place.access->kind != AccessKind::Atomic || !place.isKnown ||
        lanes < Noteworthy)
      continue;
    OperationalInput ideal = context.input;
    ideal.sharedAtomicSteps -=
        (sharedAtomicSteps(*place.access, counts) - counts.requests) /
        std::max(1.0, context.kernel.warps());
    Finding finding;
    finding.location = place.location;
    finding.gainInUs = context.gainInUs(ideal);
    finding.message = describe(*place.access) + ": " + formatNumber(lanes) +
                      " lanes of a warp update the same word, one after "
                      "the other; spread them over copies" +
                      describeGain(context, finding.gainInUs);
    finding.args.add("LanesOnOneAddress", "lanes", lanes);
    finding.args.add("GainInUs", "us", finding.gainInUs);
    findings.push_back(std::move(finding));
  }
}

} // namespace auspex::remarks
