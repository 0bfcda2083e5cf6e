// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

using namespace auspex;

std::string remarks::describe(const Access &access) {
  std::string text = toString(access.kind).str();
  if (!access.operation.empty())
    text += " " + access.operation;
  text += " of " + std::to_string(access.bytesPerLane) + " B";
  return access.isBulk() ? "bulk " + text : text + " a lane";
}

llvm::StringRef remarks::reasonOfOpenAddress(const Access &access,
                                             const KernelSummary &summary) {
  if (!access.offset.isKnown())
    return access.offset.reason;
  for (const DataSymbol &symbol : summary.dataSymbols)
    if (access.offset.expr.uses(symbol.name))
      return symbol.reason;
  return "";
}

std::string remarks::describeGain(const RemarkContext &context, double gainInUs,
                                  llvm::StringRef what) {
  if (!context.prediction.timeInUs)
    return "; as the time is unknown, so is what it costs";
  if (isNoise(context, gainInUs))
    return "; it does not limit this launch";
  return "; without " + what.str() + " " + formatTimeInUs(gainInUs) + " (" +
         formatShare(gainInUs / context.timeInUs) + ") less";
}
