// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loads from shared memory that machine code has fewer of than the kernel has
/// accesses.
#ifndef AUSPEX_LIB_MODEL_MERGEDLOADS_H
#define AUSPEX_LIB_MODEL_MERGEDLOADS_H

#include "auspex/Kernel/BoundKernel.h"

namespace auspex {

/// By access of the summary, the share of its requests that is left in machine
/// code: 1, but for loads from shared memory that the turns of an unrolled loop
/// do side by side, where code generation has joined them to wider ones.
///
/// A joined load has as many passes as each of its parts had. Lanes whose words
/// lie side by side are an even number of words apart, so that they meet in
/// banks, or want the same words.
///
/// Loads of the same words, which code generation finds too, are not meant:
/// nvcc does them again rather than keep all of them (KTT's convolution with
/// tiles of 24, where counters have between half and all of them).
std::vector<double> sharesLeftOfLoads(const BoundKernel &kernel);

} // namespace auspex

#endif
