// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"
#include "auspex/Kernel/KernelNames.h"
#include "llvm/ADT/StringExtras.h"

using namespace auspex;

static std::string gpuText(const GPU &gpu) {
  return gpu.standsInFor.empty()
             ? gpu.name
             : gpu.name + " (standing in for " + gpu.standsInFor + ")";
}

/// The arguments on which trip counts hang that leave the time unknown, as
/// launches call them; none where something else keeps one unknown.
static std::vector<std::string> argumentsToState(const BoundKernel &kernel) {
  std::vector<std::string> names;
  bool areEnough = true;
  auto add = [&](llvm::StringRef symbol) {
    areEnough &= !isData(symbol);
    if (!isSetByHost(symbol) ||
        kernel.launch.arguments.contains(symbol.str()) ||
        kernel.launch.floatArguments.contains(symbol.str()))
      return;
    std::string name = argumentName(*kernel.summary, symbol);
    bool isNamed = !name.empty() && !llvm::StringRef(name).contains('+');
    if (!isNamed)
      name = symbol.str();
    if (!llvm::is_contained(names, name))
      names.push_back(std::move(name));
  };
  for (auto [loop, bound] : llvm::zip(kernel.summary->loops, kernel.loops)) {
    if (bound.openBecause.empty())
      continue;
    areEnough &= loop.tripCount.isKnown();
    if (areEnough)
      loop.tripCount.expr.forEachSymbol(add);
  }
  return areEnough ? names : std::vector<std::string>();
}

/// The time and how close it is to its limit, where there is a time; else what
/// to state so that there is.
static std::string timeText(const RemarkContext &context) {
  const Prediction &prediction = context.prediction;
  std::string kernel = qualifiedName(prediction.kernel);
  std::string what = " for " + kernel + " on " + gpuText(context.gpu);
  if (!prediction.timeInUs) {
    std::vector<std::string> names = argumentsToState(context.kernel);
    return "time unknown" + what +
           (names.empty() ? ""
                          : ", unless the launch states " + kernel + "=" +
                                llvm::join(names, "=...,") + "=...");
  }
  return "predicted " +
         formatTimeInUs(prediction.timeInUs, prediction.timeRangeInUs) + what +
         ", " + formatShare(prediction.shareOfLimit) + " of its limit (" +
         prediction.limiter + ")";
}

namespace auspex::remarks {

void findPredictedTime(const RemarkContext &context,
                       std::vector<Finding> &findings) {
  const Prediction &prediction = context.prediction;
  const Occupancy &occupancy = prediction.occupancy;
  Finding finding;
  finding.message =
      timeText(context) + "; occupancy " + formatShare(occupancy.occupancy) +
      ", limited by " + occupancy.limiterText() + "; " +
      prediction.launch.originText() + "; " +
      formatShare(prediction.coverage.accesses) + " of accesses understood";
  NamedValues &args = finding.args;
  args.add("TimeInUs", "us", prediction.timeInUs);
  if (prediction.timeRangeInUs) {
    args.add("LowInUs", "us", prediction.timeRangeInUs->first);
    args.add("HighInUs", "us", prediction.timeRangeInUs->second);
  }
  args.add("ShareOfLimit", "1", prediction.shareOfLimit);
  args.add("Occupancy", "1", occupancy.occupancy);
  args.add("AccessCoverage", "1", prediction.coverage.accesses);
  args.add("LoopCoverage", "1", prediction.coverage.loops);
  findings.push_back(std::move(finding));
}

} // namespace auspex::remarks
