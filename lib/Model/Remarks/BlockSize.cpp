// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

#include "llvm/ADT/STLExtras.h"

using namespace auspex;

namespace auspex::remarks {

void findBlockSize(const RemarkContext &context,
                   std::vector<Finding> &findings) {
  constexpr double Noteworthy = 0.05;
  auto fix = llvm::find_if(context.prediction.fixes, [](const Fix &candidate) {
    return candidate.id == "block-size";
  });
  if (fix == context.prediction.fixes.end())
    return;
  double now = fix->timeInUs + fix->gainInUs;
  Finding finding;
  finding.gainInUs = fix->gainInUs;
  if (finding.gainInUs < Noteworthy * now)
    return;
  const Dim3 &size = fix->launch->block->value;
  finding.message = "blocks of " + size.str() + " in a grid of " +
                    fix->launch->grid->value.str() + " would take " +
                    formatTimeInUs(finding.gainInUs) + " (" +
                    formatShare(finding.gainInUs / now) +
                    ") less than those of " +
                    context.kernel.launch.block->value.str();
  finding.args.add("BlockX", "threads", static_cast<double>(size.x));
  finding.args.add("BlockY", "threads", static_cast<double>(size.y));
  finding.args.add("BlockZ", "threads", static_cast<double>(size.z));
  finding.args.add("GainInUs", "us", finding.gainInUs);
  findings.push_back(std::move(finding));
}

} // namespace auspex::remarks
