// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Pointers that a private array keeps, such as those to the stages of a
/// pipeline in shared memory.
#ifndef AUSPEX_LIB_ANALYSIS_KEPTPOINTERS_H
#define AUSPEX_LIB_ANALYSIS_KEPTPOINTERS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace auspex {

struct KeptPointer {
  /// In the array, in bytes.
  int64_t place;
  llvm::StoreInst *store;
};

/// What is stored into the private array that \p load reads a pointer from, by
/// place; empty if it is none, if a place has several, or if something else
/// may be there.
llvm::SmallVector<KeptPointer, 4> keptPointers(llvm::LoadInst &load);

} // namespace auspex

#endif
