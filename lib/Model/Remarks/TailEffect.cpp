// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace auspex;

/// The same warps in blocks small enough for every SM to have one.
static OperationalInput inSmallerBlocks(const OperationalInput &input,
                                        double sms) {
  OperationalInput smaller = input;
  unsigned parts =
      std::min<unsigned>(input.warpsPerBlock, std::ceil(sms / input.blocks));
  smaller.warpsPerBlock = llvm::divideCeil(input.warpsPerBlock, parts);
  smaller.blocks *=
      static_cast<double>(input.warpsPerBlock) / smaller.warpsPerBlock;
  return smaller;
}

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
  if (input.blocks > perWave) {
    finding.gainInUs = gainOfFullWaves(context);
    finding.message = blocks + " are " +
                      formatNumber(input.blocks / perWave, 4) + " waves of " +
                      formatNumber(perWave, 6) +
                      ": the last one leaves SMs idle";
  } else if (input.blocks < sms) {
    finding.gainInUs = context.gainInUs(inSmallerBlocks(input, sms));
    finding.message = blocks + " leave " + formatNumber(sms - input.blocks, 6) +
                      " of " + formatNumber(sms, 6) +
                      " SMs idle: smaller blocks, or more work in a launch";
  }
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
