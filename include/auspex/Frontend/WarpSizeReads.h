// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `warpSize`: clang's header has it as a constant, which is 32 from the start;
/// for nvcc it is WARP_SZ, a name that ptxas alone knows the value of.
#ifndef AUSPEX_FRONTEND_WARPSIZEREADS_H
#define AUSPEX_FRONTEND_WARPSIZEREADS_H

#include "clang/AST/DeclGroup.h"
#include "llvm/ADT/StringRef.h"

namespace auspex {

/// Has code read another variable in place of `warpSize`, one that is defined
/// nowhere. Constant expressions keep their value, and what refers to
/// `warpSize` without reading it stays as it is.
class WarpSizeReads {
public:
  explicit WarpSizeReads(llvm::StringRef name) : name(name) {}

  /// To be called with all declarations, each before code is generated of it.
  void replaceIn(clang::DeclGroupRef declarations);

private:
  llvm::StringRef name;
  /// Null before they are declared.
  clang::VarDecl *original = nullptr, *replacement = nullptr;
};

} // namespace auspex

#endif
