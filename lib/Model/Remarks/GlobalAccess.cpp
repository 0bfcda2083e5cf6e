// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

using namespace auspex;

namespace auspex::remarks {

void findGlobalAccess(const RemarkContext &context,
                      std::vector<Finding> &findings) {
  forEachAccess(context, MemorySpace::Global,
                [&](const Access &access, const BoundAccess &bound) {
                  if (!bound.isKnown)
                    return;
                  const RequestCounts &counts = bound.counts;
                  double sectors = counts.sectors / counts.requests;
                  double fewest = counts.fewestSectors / counts.requests;
                  Finding finding;
                  finding.location = access.location;
                  finding.message = describe(access) + ": " +
                                    formatCount(sectors, "sector") +
                                    " a request, " + formatNumber(fewest) +
                                    " if its bytes were side by side";
                  finding.args.add("SectorsPerRequest", "sectors", sectors);
                  finding.args.add("FewestSectorsPerRequest", "sectors",
                                   fewest);
                  finding.args.add("Requests", "requests", counts.requests);
                  finding.args.add("BytesPerLane", "B", access.bytesPerLane);
                  findings.push_back(std::move(finding));
                });
}

} // namespace auspex::remarks
