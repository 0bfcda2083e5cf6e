// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The objects in memory that pointers of a kernel point into.
#ifndef AUSPEX_LIB_ANALYSIS_BASEOBJECTS_H
#define AUSPEX_LIB_ANALYSIS_BASEOBJECTS_H

#include "auspex/Kernel/KernelSummary.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace auspex {

/// Whether \p value is an array of shared memory.
bool isSharedArray(const llvm::Value &value);

/// The object a pointer points into.
struct BaseObject {
  /// As in Access::base; empty if it is not known.
  std::string name;
  MemorySpace space = MemorySpace::Unknown;
  /// As in Access::objectInBytes.
  uint64_t sizeInBytes = 0;
  /// Why it is not known where the object lies, as in MaybeExpr; empty for
  /// those that have a place of their own.
  llvm::StringRef reason = "pointer";
  /// One of several objects, which one the offset says.
  bool isChoice = false;
};

/// What \p pointer points into: \p base, or what is found by following the
/// pointer if that is null.
BaseObject describeBase(llvm::Value *base, llvm::Value *pointer,
                        llvm::ScalarEvolution &evolution);

/// The pointer into shared memory whose like in another block of the cluster
/// \p pointer is (mapa, cluster.map_shared_rank()); null if it is none.
llvm::Value *ofOtherBlock(const llvm::Value *pointer);

/// "arg0|arg1" for a choice between \p objects in global memory; empty if one
/// of them has no name.
std::string nameOfChoice(llvm::ArrayRef<llvm::Value *> objects,
                         llvm::ScalarEvolution &evolution);

} // namespace auspex

#endif
