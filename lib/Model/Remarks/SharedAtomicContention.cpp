// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

#include <algorithm>

using namespace auspex;

/// What stands in the way of the lanes, and what would help.
static std::string collisionText(double lanes, double onBank) {
  constexpr double Noteworthy = 2;
  if (lanes >= Noteworthy)
    return formatNumber(lanes) +
           " lanes of a warp update the same word, one after the other; spread "
           "them over copies";
  return formatNumber(onBank) +
         " lanes of a warp update words of the same bank, one after the other; "
         "lay the words out otherwise";
}

namespace auspex::remarks {

void findSharedAtomicContention(const RemarkContext &context,
                                std::vector<Finding> &findings) {
  constexpr double Noteworthy = 2;
  double warps = std::max(1.0, context.kernel.warps());
  for (const AccessPlace &place : placesOf(context, MemorySpace::Shared)) {
    if (place.access->kind != AccessKind::Atomic)
      continue;
    RequestCounts counts =
        countsOfFirstRound(context.kernel, *place.access, place.counts);
    SharedAtomicDemand demand =
        sharedAtomicDemand(*place.access, counts, context.gpu);
    double passes = (demand.passes + demand.popcIncPasses) / demand.requests;
    if (demand.requests <= 0 || passes < Noteworthy)
      continue;
    OperationalInput ideal = context.input;
    ideal.sharedAtomics.add(demand, -1 / warps);
    ideal.sharedAtomics.add(demand.withoutCollisions(), 1 / warps);
    double lanes = counts.sameAddress / counts.requests;
    Finding finding;
    finding.location = place.location;
    finding.gainInUs = std::clamp(
        context.timeInUs - evaluateOperational(ideal, context.gpu).timeInUs,
        0.0, context.timeInUs);
    finding.message = describe(*place.access) + ": ";
    finding.message +=
        place.isKnown
            ? collisionText(lanes, demand.popcIncJobs > 0
                                       ? passes
                                       : counts.lanesOnBank / counts.requests)
            : "its address depends on data: " + formatNumber(passes) +
                  " passes a request if that spreads evenly over the words of "
                  "shared memory, 1 to 32 else";
    finding.message += describeGain(context, finding.gainInUs);
    finding.args.add("LanesOnOneAddress", "lanes", lanes);
    finding.args.add("PassesPerRequest", "passes", passes);
    if (const auto &atomics = context.prediction.sharedAtomics) {
      finding.message += "; the unit for atomics is busy " +
                         formatShare(atomics->utilization) + " of the time";
      finding.args.add("Utilization", "1", atomics->utilization);
    }
    finding.args.add("GainInUs", "us", finding.gainInUs);
    findings.push_back(std::move(finding));
  }
}

} // namespace auspex::remarks
