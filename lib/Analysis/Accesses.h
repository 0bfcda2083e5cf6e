// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Memory accesses of a kernel: what they touch, and at which address.
#ifndef AUSPEX_LIB_ANALYSIS_ACCESSES_H
#define AUSPEX_LIB_ANALYSIS_ACCESSES_H

#include "ValueTranslator.h"

namespace auspex {

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

/// Appends the accesses that \p instruction makes: none, one, or one for each
/// piece of a small memcpy or memset. Reads of parameters are no accesses.
void collectAccesses(llvm::Instruction &instruction, unsigned block,
                     ValueTranslator &values, llvm::ScalarEvolution &evolution,
                     std::vector<Access> &accesses);

} // namespace auspex

#endif
