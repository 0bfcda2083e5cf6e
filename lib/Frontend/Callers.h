// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Who calls the functions of a translation unit.
#ifndef AUSPEX_LIB_FRONTEND_CALLERS_H
#define AUSPEX_LIB_FRONTEND_CALLERS_H

#include "AllCodeVisitor.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace auspex {

/// A call, and the function that it is written in; null outside of functions.
struct Call {
  const clang::CallExpr *expr;
  const clang::FunctionDecl *caller;
};

class Callers : public AllCodeVisitor {
public:
  /// The calls of \p function by its name in this unit, in their order.
  llvm::ArrayRef<Call> here(const clang::FunctionDecl &function) const;
  /// Whether these are all there are in the program (in the part of it that
  /// this unit makes, for an inline function or an instance of a template,
  /// which every unit has its own of).
  bool areAll(const clang::FunctionDecl &function) const;

  bool VisitDeclRefExpr(clang::DeclRefExpr *mention) override;
  bool VisitCallExpr(clang::CallExpr *call) override;

private:
  struct Uses {
    std::vector<Call> calls;
    size_t mentions = 0;
  };
  llvm::DenseMap<const clang::FunctionDecl *, Uses> uses;
};

} // namespace auspex

#endif
