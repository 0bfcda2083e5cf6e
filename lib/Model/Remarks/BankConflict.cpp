// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

#include <algorithm>

using namespace auspex;

namespace auspex::remarks {

void findBankConflict(const RemarkContext &context,
                      std::vector<Finding> &findings) {
  for (const AccessPlace &place : placesOf(context, MemorySpace::Shared)) {
    const RequestCounts &counts = place.counts;
    if (!place.isKnown || !counts.haveBankConflict())
      continue;
    OperationalInput ideal = context.input;
    ideal.sharedPasses = std::max(
        std::min(ideal.fewestSharedPasses, ideal.sharedPasses),
        ideal.sharedPasses - (counts.bankPasses - counts.fewestBankPasses) /
                                 std::max(1.0, context.kernel.warps()));
    Finding finding;
    finding.location = place.location;
    finding.gainInUs = context.gainInUs(ideal);
    double passes = counts.bankPasses / counts.requests;
    double ways = counts.bankPasses / counts.fewestBankPasses;
    finding.message = "shared " + describe(*place.access) + ": " +
                      formatNumber(ways) + "-way bank conflict, " +
                      formatCount(passes, "pass") +
                      " a request; pad or swizzle the array" +
                      describeGain(context, finding.gainInUs);
    finding.args.add("BankPassesPerRequest", "passes", passes);
    finding.args.add("Ways", "1", ways);
    finding.args.add("GainInUs", "us", finding.gainInUs);
    findings.push_back(std::move(finding));
  }
}

} // namespace auspex::remarks
