// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loads from shared memory that machine code has fewer of than the kernel has
/// accesses.
#ifndef AUSPEX_LIB_MODEL_MERGEDLOADS_H
#define AUSPEX_LIB_MODEL_MERGEDLOADS_H

#include "auspex/Kernel/BoundKernel.h"

namespace auspex {

/// What is left in machine code of the requests of an access, and of their
/// passes through the banks.
struct LoadShare {
  double requests = 1, passes = 1;
};

/// By access of the summary: all, but of loads from shared memory that the
/// turns of an unrolled loop do side by side, where code generation has joined
/// them to wider ones. Where it is not known otherwise, a joined load has as
/// many passes as each of its parts had.
///
/// Loads of the same words, which code generation finds too, are not meant:
/// nvcc does them again rather than keep all of them (KTT's convolution with
/// tiles of 24, where counters have between half and all of them).
std::vector<LoadShare> sharesLeftOfLoads(const BoundKernel &kernel);

} // namespace auspex

#endif
