// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The names that the source gives the parameters of a kernel.
#ifndef AUSPEX_LIB_ANALYSIS_ARGUMENTNAMES_H
#define AUSPEX_LIB_ANALYSIS_ARGUMENTNAMES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
} // namespace llvm

namespace auspex {

/// One name an argument: that of the value, else the one in the debug
/// information, else "". Debug information counts parameters of the source;
/// where they are not the arguments one by one, it tells nothing.
llvm::SmallVector<llvm::StringRef>
argumentNames(const llvm::Function &function);

} // namespace auspex

#endif
