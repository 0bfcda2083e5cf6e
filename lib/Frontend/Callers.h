// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Who calls the functions of a translation unit.
#ifndef AUSPEX_LIB_FRONTEND_CALLERS_H
#define AUSPEX_LIB_FRONTEND_CALLERS_H

#include "AllCodeVisitor.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace auspex {

class Callers : public AllCodeVisitor {
public:
  /// The calls of \p function that there are in the program (in the part of it
  /// that this unit makes, for an inline function or an instance of a template,
  /// which every unit has its own of); null if it may be called from elsewhere.
  const std::vector<const clang::CallExpr *> *
  of(const clang::FunctionDecl &function) const;

  bool VisitDeclRefExpr(clang::DeclRefExpr *mention) override;
  bool VisitCallExpr(clang::CallExpr *call) override;

private:
  struct Uses {
    std::vector<const clang::CallExpr *> calls;
    size_t mentions = 0;
  };
  llvm::DenseMap<const clang::FunctionDecl *, Uses> uses;
};

} // namespace auspex

#endif
