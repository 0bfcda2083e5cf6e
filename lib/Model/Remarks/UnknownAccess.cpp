// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

using namespace auspex;

/// Why the address is not known, as people say it.
static std::string textOf(llvm::StringRef reason) {
  if (reason == "indirect")
    return "its address depends on data read from memory";
  if (reason == "float")
    return "its address depends on floating-point values";
  if (reason == "random")
    return "its address is made of pseudo-random numbers";
  if (reason == "rank")
    return "its address is the place of a lane among those that vote alike";
  if (reason == "search")
    return "its address is where a binary search has come to";
  if (reason == "pointer")
    return "the object it points into is not known";
  if (reason.empty())
    return "its address depends on values that are not stated";
  return "its address is unknown (" + reason.str() + ")";
}

namespace auspex::remarks {

void findUnknownAccess(const RemarkContext &context,
                       std::vector<Finding> &findings) {
  for (MemorySpace space : {MemorySpace::Global, MemorySpace::Shared})
    for (const AccessPlace &place : placesOf(context, space)) {
      if (place.isKnown)
        continue;
      const Access &access = *place.access;
      Finding finding;
      finding.location = place.location;
      finding.message =
          (access.space == space ? toString(space).str() + " " : "") +
          describe(access) + ": " +
          textOf(reasonOfOpenAddress(access, *context.kernel.summary));
      if (access.offset.isKnown() && space == MemorySpace::Global)
        finding.message +=
            "; " +
            formatCount(place.counts.sectors / place.counts.requests,
                        "sector") +
            " a request";
      finding.args.add("Requests", "requests", place.counts.requests);
      findings.push_back(std::move(finding));
    }
}

} // namespace auspex::remarks
