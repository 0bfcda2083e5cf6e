// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The inputs of the seed models, taken from a bound kernel.
#ifndef AUSPEX_MODEL_SEEDINPUTS_H
#define AUSPEX_MODEL_SEEDINPUTS_H

#include "auspex/Model/Gpuperf.h"
#include "auspex/Model/MemoryTraffic.h"
#include "auspex/Model/MwpCwp.h"

namespace auspex {

/// MWP-CWP counts per thread, which is per instruction of a warp. An access is
/// coalesced if its requests touch fewer than twice the fewest sectors; on
/// compute capability below 1.2 an uncoalesced one makes 32 transactions.
llvm::Expected<MwpCwpInput> mwpCwpInput(const BoundKernel &kernel,
                                        const GPU &gpu);

/// GPUPerf counts per warp. The miss ratio is the share of the requested bytes
/// that DRAM moves.
llvm::Expected<GpuperfInput> gpuperfInput(const BoundKernel &kernel,
                                          const MemoryTraffic &traffic,
                                          const GPU &gpu);

} // namespace auspex

#endif
