// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the launch says of a thread and its block.
#ifndef AUSPEX_LIB_ANALYSIS_SPECIALREGISTERS_H
#define AUSPEX_LIB_ANALYSIS_SPECIALREGISTERS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Intrinsics.h"

namespace auspex {

/// The symbol of the special register that an intrinsic reads, "ctaid.x" say;
/// empty if it has none.
llvm::StringRef specialRegister(llvm::Intrinsic::ID id);

} // namespace auspex

#endif
