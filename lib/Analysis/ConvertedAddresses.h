// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Addresses that inline assembly converts.
#ifndef AUSPEX_LIB_ANALYSIS_CONVERTEDADDRESSES_H
#define AUSPEX_LIB_ANALYSIS_CONVERTEDADDRESSES_H

#include "llvm/IR/Function.h"

namespace auspex {

/// Makes casts of inline assembly that does nothing but make a generic address
/// one of shared memory, as CUTLASS does for ldmatrix and cp.async:
///
///   { .reg .u64 p; cvta.to.shared.u64 p, %1; cvt.u32.u64 %0, p; }
void castConvertedAddresses(llvm::Function &kernel);

} // namespace auspex

#endif
