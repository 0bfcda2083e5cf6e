// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What DRAM moves at least for a launch, in whatever blocks: each sector that
/// the launch touches, once, as far as the addresses are known.
#ifndef AUSPEX_LIB_MODEL_LEASTTRAFFIC_H
#define AUSPEX_LIB_MODEL_LEASTTRAFFIC_H

#include "auspex/Kernel/BoundKernel.h"

namespace auspex {

/// Over the launch.
struct LeastTraffic {
  double loadInBytes = 0, storeInBytes = 0;
};

LeastTraffic leastTraffic(const BoundKernel &kernel, const GPU &gpu);

} // namespace auspex

#endif
