// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

using namespace auspex;

namespace auspex::remarks {

void findGlobalAccess(const RemarkContext &context,
                      std::vector<Finding> &findings) {
  for (const AccessPlace &place : accessPlaces(context, MemorySpace::Global)) {
    if (!place.isKnown)
      continue;
    const RequestCounts &counts = place.counts;
    double sectors = counts.sectors / counts.requests;
    double fewest = counts.fewestSectors / counts.requests;
    Finding finding;
    finding.location = place.location;
    finding.message = describe(*place.access) + ": " +
                      formatCount(sectors, "sector") + " a request, " +
                      formatNumber(fewest) + " if its bytes were side by side";
    finding.args.add("SectorsPerRequest", "sectors", sectors);
    finding.args.add("FewestSectorsPerRequest", "sectors", fewest);
    finding.args.add("Requests", "requests", counts.requests);
    finding.args.add("BytesPerLane", "B", place.access->bytesPerLane);
    findings.push_back(std::move(finding));
  }
}

} // namespace auspex::remarks
