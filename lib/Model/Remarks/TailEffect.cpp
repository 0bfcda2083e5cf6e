// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

using namespace auspex;

static double gainOfFullWaves(const RemarkContext &context) {
  for (const Benefit &benefit : context.prediction.benefits)
    if (benefit.id == "tail")
      return benefit.gainInUs;
  return 0;
}

namespace auspex::remarks {

void findTailEffect(const RemarkContext &context,
                    std::vector<Finding> &findings) {
  const OperationalInput &input = context.input;
  double sms = context.gpu[Q::SMCount];
  double perWave = sms * input.activeBlocksPerSM;
  std::string blocks = formatCount(input.blocks, "block", 6);
  Finding finding;
  finding.gainInUs = gainOfFullWaves(context);
  if (input.blocks > perWave)
    finding.message = blocks + " are " +
                      formatNumber(input.blocks / perWave, 4) + " waves of " +
                      formatNumber(perWave, 6) +
                      ": the last one leaves SMs idle";
  else if (input.blocks < sms)
    finding.message =
        blocks + (input.blocks == 1 ? " leaves " : " leave ") +
        formatNumber(sms - input.blocks, 6) + " of " + formatNumber(sms, 6) +
        " SMs idle" +
        (input.activeBlocksPerSM > 1
             ? ", and the others room: " + formatNumber(perWave, 6) +
                   " fill the GPU"
             : "");
  else
    finding.message = blocks + " are " +
                      formatNumber(input.blocks / perWave, 4) + " waves of " +
                      formatNumber(perWave, 6) + ": the SMs are not filled";
  constexpr double Noteworthy = 0.05;
  if (finding.gainInUs < Noteworthy * context.timeInUs)
    return;
  finding.message += describeGain(context, finding.gainInUs);
  finding.args.add("Waves", "waves", input.blocks / perWave);
  finding.args.add("BlocksPerWave", "blocks", perWave);
  finding.args.add("GainInUs", "us", finding.gainInUs);
  findings.push_back(std::move(finding));
}

} // namespace auspex::remarks
