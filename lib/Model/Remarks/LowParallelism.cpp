// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

#include "llvm/ADT/STLExtras.h"

using namespace auspex;

namespace auspex::remarks {

void findLowParallelism(const RemarkContext &context,
                        std::vector<Finding> &findings) {
  const Prediction &prediction = context.prediction;
  auto benefit = llvm::find_if(prediction.benefits, [](const Benefit &b) {
    return b.id == "occupancy";
  });
  constexpr double Noteworthy = 0.05;
  double time = context.timeInUs;
  if (benefit == prediction.benefits.end() ||
      benefit->gainInUs < Noteworthy * time)
    return;
  const Occupancy &occupancy = context.kernel.occupancy;
  Finding finding;
  finding.gainInUs = benefit->gainInUs;
  finding.message = std::to_string(occupancy.activeWarpsPerSM) + " of " +
                    std::to_string(context.input.maxWarpsPerSM) +
                    " warps an SM are too few to hide latencies; limited by " +
                    occupancy.limiterText() +
                    describeGain(context, finding.gainInUs);
  finding.args.add("ActiveWarpsPerSM", "warps", occupancy.activeWarpsPerSM);
  finding.args.add("GainInUs", "us", finding.gainInUs);
  findings.push_back(std::move(finding));
}

} // namespace auspex::remarks
