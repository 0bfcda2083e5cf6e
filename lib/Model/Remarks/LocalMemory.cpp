// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

using namespace auspex;

namespace auspex::remarks {

void findLocalMemory(const RemarkContext &context,
                     std::vector<Finding> &findings) {
  using enum InstructionClass;
  const BoundKernel &kernel = context.kernel;
  double loads = kernel.instructions[LoadLocal];
  double stores = kernel.instructions[StoreLocal];
  if (!kernel.summary->localInBytes || loads + stores == 0)
    return;
  OperationalInput ideal = context.input;
  removeLocalMemory(ideal, kernel, context.gpu);
  Finding finding;
  // At the first access, if the source is known.
  auto places = placesOf(context, MemorySpace::Local);
  auto first = llvm::find_if(places, [](const AccessPlace &place) {
    return place.location.isKnown();
  });
  if (first != places.end())
    finding.location = first->location;
  finding.gainInUs = context.gainInUs(ideal);
  finding.message = std::to_string(kernel.summary->localInBytes) +
                    " B of local memory a thread, " +
                    formatNumber(loads + stores) +
                    " accesses a warp: keep indices of private arrays "
                    "constant, or registers fewer" +
                    describeGain(context, finding.gainInUs);
  finding.args.add("LocalBytesPerThread", "B",
                   static_cast<double>(kernel.summary->localInBytes));
  finding.args.add("GainInUs", "us", finding.gainInUs);
  findings.push_back(std::move(finding));
}

} // namespace auspex::remarks
