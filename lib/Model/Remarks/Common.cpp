// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

#include "llvm/ADT/STLExtras.h"

using namespace auspex;

void remarks::forEachAccess(
    const RemarkContext &context, MemorySpace space,
    llvm::function_ref<void(const Access &, const BoundAccess &)> visit) {
  for (auto [access, bound] :
       llvm::zip(context.kernel.summary->accesses, context.kernel.accesses))
    if (access.space == space && bound.counts.requests > 0)
      visit(access, bound);
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
