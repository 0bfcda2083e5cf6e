// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

#include "llvm/ADT/STLExtras.h"

using namespace auspex;

static bool isOfSpace(const Access &access, MemorySpace space) {
  return access.space == space ||
         (space == MemorySpace::Global && access.space == MemorySpace::Unknown);
}

std::vector<AccessPlace> remarks::placesOf(const RemarkContext &context,
                                           MemorySpace space) {
  std::vector<AccessPlace> places;
  llvm::copy_if(context.places, std::back_inserter(places),
                [&](const AccessPlace &place) {
                  return isOfSpace(*place.access, space);
                });
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
  double time = context.timeInUs;
  // Below a thousandth it is noise of the model.
  if (gainInUs < time * 1e-3)
    return "; it does not limit this launch";
  return "; without it " + formatTimeInUs(gainInUs) + " (" +
         formatShare(gainInUs / time) + ") less";
}
