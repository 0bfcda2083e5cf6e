// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which local variables of a function keep the value they are defined with.
///
/// The rule is turned around to be safe: every mention of a variable counts as
/// a write unless it is known to read only. Reading are loads of the value,
/// binding to a reference to const (unless the function casts const away
/// somewhere), and mentions that are not evaluated. So assignment, increment,
/// `&x`, a reference, a member `x.y = 3`, an asm operand, a capture that is
/// written in its lambda and everything nobody thought of are writes.
#ifndef AUSPEX_LIB_FRONTEND_WRITTENVARIABLES_H
#define AUSPEX_LIB_FRONTEND_WRITTENVARIABLES_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace auspex {

class WrittenVariables {
public:
  /// Whether nothing can change \p variable, a local one, once it is
  /// initialised.
  bool keepsItsValue(const clang::VarDecl *variable);

private:
  /// By outermost function, the variables in it that are never written. Those
  /// that were not met are not in it, so they count as written.
  llvm::DenseMap<const clang::FunctionDecl *,
                 llvm::DenseSet<const clang::VarDecl *>>
      constant;
};

} // namespace auspex

#endif
