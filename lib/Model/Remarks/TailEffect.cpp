// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

#include "llvm/ADT/STLExtras.h"

using namespace auspex;

namespace auspex::remarks {

void findTailEffect(const RemarkContext &context,
                    std::vector<Finding> &findings) {
  const Prediction &prediction = context.prediction;
  auto benefit = llvm::find_if(prediction.benefits,
                               [](const Benefit &b) { return b.id == "tail"; });
  constexpr double Noteworthy = 0.05;
  OperationalResult result = evaluateOperational(context.input, context.gpu);
  if (benefit == prediction.benefits.end() ||
      benefit->gainInUs < Noteworthy * result.timeInUs)
    return;
  double perWave = context.gpu[Q::SMCount] * context.input.activeBlocksPerSM;
  Finding finding;
  finding.gainInUs = benefit->gainInUs;
  finding.message = formatNumber(context.input.blocks, 6) + " blocks are " +
                    formatNumber(context.input.blocks / perWave) +
                    " waves of " + formatNumber(perWave, 6) +
                    ": the last one leaves SMs idle" +
                    describeGain(context, finding.gainInUs);
  finding.args.add("Waves", "waves", context.input.blocks / perWave);
  finding.args.add("BlocksPerWave", "blocks", perWave);
  finding.args.add("GainInUs", "us", finding.gainInUs);
  findings.push_back(std::move(finding));
}

} // namespace auspex::remarks
