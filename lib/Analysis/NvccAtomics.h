// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How nvcc compares and swaps: in no order, as all atomics of CUDA. Clang has
/// atomicCAS() in the order of all threads, with a fence before it.
#ifndef AUSPEX_LIB_ANALYSIS_NVCCATOMICS_H
#define AUSPEX_LIB_ANALYSIS_NVCCATOMICS_H

namespace llvm {
class Module;
}

namespace auspex {

void relaxCompareAndSwap(llvm::Module &module);

} // namespace auspex

#endif
