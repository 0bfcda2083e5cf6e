// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What constructors and methods leave in the members of their object.
#ifndef AUSPEX_LIB_FRONTEND_MADEMEMBERS_H
#define AUSPEX_LIB_FRONTEND_MADEMEMBERS_H

#include "MemberWrites.h"
#include "WrittenVariables.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace auspex {

/// What a constructor, or a method, leaves in a member of its object.
struct MadeValue {
  /// Null if it is not known.
  const clang::Expr *value = nullptr;
  /// How many parts lead there.
  size_t parts = 0;
  /// The call of the CUDA library that writes the member: it allocates the
  /// object that this is a pointer to, or says something of the GPU.
  const clang::CallExpr *writer = nullptr;
  /// Of several, the last.
  unsigned writes = 0;
};

/// What \p method, a constructor or one that writes \p parts once it is called,
/// gives what they begin with. Statements that \p isIdle knows to do nothing
/// are left out.
MadeValue
valueMadeBy(const clang::CXXMethodDecl &method,
            llvm::ArrayRef<VariablePart> parts, MemberWrites &writes,
            llvm::function_ref<bool(const clang::Stmt &)> isIdle = nullptr);

} // namespace auspex

#endif
