// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How nvcc computes addresses, where LLVM does otherwise. Found by trying
/// nvcc 13.
///
/// Of an element of a row it adds up both indices before it scales them and
/// adds the array, but where the element's index is counted on in a loop by a
/// constant. LLVM adds the row's address to the array first, which leaves one
/// instruction for each element where nvcc has four. Copies of a turn that goes
/// on by a variable reach theirs from one another, before 10.0.
///
/// From the counter of a loop around others it calculates indices anew, by
/// multiplications that are no work for the pipe of integers. LLVM goes on with
/// each by an addition, as both do in innermost loops.
#ifndef AUSPEX_LIB_ANALYSIS_NVCCADDRESSES_H
#define AUSPEX_LIB_ANALYSIS_NVCCADDRESSES_H

#include "llvm/IR/Function.h"

namespace auspex {

/// To be the last word on the addresses in \p kernel before code is generated.
void addIndicesFirst(llvm::Function &kernel, unsigned arch);

/// The same of what follows from counters of outer loops.
void calculateFromOuterCounters(llvm::Function &kernel);

} // namespace auspex

#endif
