// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What accesses to shared memory ask of its banks, as machine code makes them.
#ifndef AUSPEX_LIB_MODEL_SHAREDREQUESTS_H
#define AUSPEX_LIB_MODEL_SHAREDREQUESTS_H

#include "MergedLoads.h"

namespace auspex {

/// Over the launch: requests, passes through the banks, and the fewest that the
/// words asked for would take.
struct SharedRequests {
  double requests = 0, passes = 0, fewestPasses = 0;
};

/// Those of \p access, of which \p left is in machine code.
SharedRequests sharedRequestsOf(const BoundKernel &kernel, const Access &access,
                                const BoundAccess &bound, const LoadShare &left,
                                const GPU &gpu);

} // namespace auspex

#endif
