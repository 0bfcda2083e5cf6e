// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"
#include "auspex/Kernel/KernelNames.h"

using namespace auspex;

static std::string gpuText(const GPU &gpu) {
  return gpu.standsInFor.empty()
             ? gpu.name
             : gpu.name + " (standing in for " + gpu.standsInFor + ")";
}

/// The time and how close it is to its limit, where there is a time.
static std::string timeText(const Prediction &prediction, const GPU &gpu) {
  std::string what =
      " for " + qualifiedName(prediction.kernel) + " on " + gpuText(gpu);
  if (!prediction.timeInUs)
    return "time unknown" + what;
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
      timeText(prediction, context.gpu) + "; occupancy " +
      formatShare(occupancy.occupancy) + ", limited by " +
      occupancy.limiterText() + "; " + prediction.launch.originText() + "; " +
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
