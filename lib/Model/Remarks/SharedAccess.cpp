// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

using namespace auspex;

namespace auspex::remarks {

void findSharedAccess(const RemarkContext &context,
                      std::vector<Finding> &findings) {
  for (const AccessPlace &place : accessPlaces(context, MemorySpace::Shared)) {
    if (!place.isKnown)
      continue;
    const RequestCounts &counts = place.counts;
    double passes = counts.bankPasses / counts.requests;
    Finding finding;
    finding.location = place.location;
    finding.message = "shared " + describe(*place.access) + ": " +
                      formatCount(passes, "bank pass") + " a request";
    finding.args.add("BankPassesPerRequest", "passes", passes);
    finding.args.add("FewestBankPassesPerRequest", "passes",
                     counts.fewestBankPasses / counts.requests);
    finding.args.add("Requests", "requests", counts.requests);
    findings.push_back(std::move(finding));
  }
}

} // namespace auspex::remarks
