// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

using namespace auspex;

static std::string compareToFewest(double sectors, double fewest) {
  constexpr double Rounding = 1e-6;
  if (sectors > fewest * (1 + Rounding))
    return ", " + formatNumber(fewest) + " if its lanes were side by side";
  return sectors < fewest * (1 - Rounding) ? "; lanes share addresses"
                                           : ", the fewest for its width";
}

namespace auspex::remarks {

void findGlobalAccess(const RemarkContext &context,
                      std::vector<Finding> &findings) {
  for (const AccessPlace &place : placesOf(context, MemorySpace::Global)) {
    if (!place.isKnown)
      continue;
    const RequestCounts &counts = place.counts;
    double sectors = counts.sectors / counts.requests;
    double fewest = counts.fewestSectors / counts.requests;
    Finding finding;
    finding.location = place.location;
    finding.message = describe(*place.access) + ": " +
                      formatCount(sectors, "sector") + " a request" +
                      compareToFewest(sectors, fewest);
    finding.args.add("SectorsPerRequest", "sectors", sectors);
    finding.args.add("FewestSectorsPerRequest", "sectors", fewest);
    finding.args.add("Requests", "requests", counts.requests);
    finding.args.add("BytesPerLane", "B", place.access->bytesPerLane);
    findings.push_back(std::move(finding));
  }
}

} // namespace auspex::remarks
