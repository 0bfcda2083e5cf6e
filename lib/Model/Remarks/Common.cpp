// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

#include "llvm/ADT/STLExtras.h"

using namespace auspex;

static bool isOfSpace(const Access &access, MemorySpace space) {
  return access.space == space ||
         (space == MemorySpace::Global && access.space == MemorySpace::Unknown);
}

std::vector<remarks::AccessPlace>
remarks::accessPlaces(const RemarkContext &context, MemorySpace space) {
  std::vector<AccessPlace> places;
  for (auto [access, bound] :
       llvm::zip(context.kernel.summary->accesses, context.kernel.accesses)) {
    if (!isOfSpace(access, space) || bound.counts.requests == 0)
      continue;
    SourceLocation location = access.location.outsideSystemHeaders();
    auto same = llvm::find_if(places, [&](const AccessPlace &place) {
      const Access &other = *place.access;
      return location.isKnown() && place.location == location &&
             place.isKnown == bound.isKnown && other.kind == access.kind &&
             other.space == access.space &&
             other.operation == access.operation &&
             other.bytesPerLane == access.bytesPerLane &&
             other.offset.reason == access.offset.reason;
    });
    if (same == places.end())
      places.push_back({&access, location, bound.isKnown, bound.counts});
    else
      same->counts.add(bound.counts, 1);
  }
  return places;
}

std::string remarks::describe(const Access &access) {
  std::string text = toString(access.kind).str();
  if (!access.operation.empty())
    text += " " + access.operation;
  return text + " of " + std::to_string(access.bytesPerLane) + " B a lane";
}

std::string remarks::describeGain(const RemarkContext &context,
                                  double gainInUs) {
  double time = evaluateOperational(context.input, context.gpu).timeInUs;
  // Below a thousandth it is noise of the model.
  if (gainInUs < time * 1e-3)
    return "; it does not limit this launch";
  return "; without it " + formatTimeInUs(gainInUs) + " (" +
         formatShare(gainInUs / time) + ") less";
}
