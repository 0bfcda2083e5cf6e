// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SharedRequests.h"

using namespace auspex;

/// Requests of warps of which every lane is predicated off. On a GPU of 7.5 the
/// counters of KTT's convolution have none of them, those of reductions on an
/// H100 have a pass for each.
static double requestsOff(const BoundKernel &kernel, const Access &access,
                          const GPU &gpu) {
  constexpr unsigned CountedSince = 90;
  return gpu.arch >= CountedSince ? kernel.executionsOff(access.block) : 0;
}

SharedRequests auspex::sharedRequestsOf(const BoundKernel &kernel,
                                        const Access &access,
                                        const BoundAccess &bound,
                                        const LoadShare &left, const GPU &gpu) {
  const RequestCounts &counts = bound.inMachineCode();
  double off = requestsOff(kernel, access, gpu);
  return {left.requests * (counts.requests + off),
          left.passes * counts.bankPasses + left.requests * off,
          left.requests * (counts.fewestBankPasses + off)};
}
