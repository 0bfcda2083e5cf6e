// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

#include <algorithm>

using namespace auspex;

namespace auspex::remarks {

void findDivergentConstant(const RemarkContext &context,
                           std::vector<Finding> &findings) {
  constexpr double Noteworthy = 1.05;
  double warps = std::max(1.0, context.kernel.warps());
  double loads = context.input.instructions[InstructionClass::LoadConstant];
  for (const AccessPlace &place : placesOf(context, MemorySpace::Constant)) {
    const RequestCounts &counts = place.counts;
    double words =
        counts.sectors / MemoryGranularity::words(place.access->bytesPerLane);
    if (counts.requests <= 0 || words < Noteworthy * counts.requests)
      continue;
    OperationalInput ideal = context.input;
    ideal.constantWords =
        std::max(std::min(loads, ideal.constantWords),
                 ideal.constantWords - (words - counts.requests) / warps);
    Finding finding;
    finding.location = place.location;
    finding.gainInUs = context.gainInUs(ideal);
    double wordsOfRequest = words / counts.requests;
    finding.message = "constant " + describe(*place.access) + ": " +
                      formatCount(wordsOfRequest, "word") +
                      " a request, one after the other" +
                      (place.isKnown ? "" : ", as expected of any data") +
                      "; what lanes read at different places is faster in "
                      "global or shared memory" +
                      describeGain(context, finding.gainInUs);
    finding.args.add("WordsPerRequest", "words", wordsOfRequest);
    finding.args.add("GainInUs", "us", finding.gainInUs);
    findings.push_back(std::move(finding));
  }
}

} // namespace auspex::remarks
