// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arrays that change places from launch to launch, and stay the same arrays.
#ifndef AUSPEX_LIB_FRONTEND_EXCHANGEDARRAYS_H
#define AUSPEX_LIB_FRONTEND_EXCHANGEDARRAYS_H

#include "PlaceNames.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <array>
#include <optional>

namespace auspex {

/// Two pointers that are exchanged: where they are written, and what they are.
struct Exchanged {
  const clang::Expr *expr;
  Name name;
};
using Exchange = std::array<Exchanged, 2>;

/// By std::swap in a method of \p object, which may be null; none if \p call
/// is anything else.
std::optional<Exchange> exchangeBy(const clang::CallExpr &call,
                                   const clang::ValueDecl *object);
/// By `t = a; a = b; b = t;`, likewise.
std::optional<Exchange> exchangeBy(llvm::ArrayRef<const clang::Stmt *> three,
                                   const clang::ValueDecl *object);

/// What decides which one of the same pointers each of \p given is, or of what
/// they start with: `odd ? b : a` where another is `odd ? a : b`, the index of
/// an array that has no more pointers than arguments are elements of it.
llvm::SmallPtrSet<const clang::Expr *, 2>
findExchanging(llvm::ArrayRef<const clang::Expr *> given,
               const clang::ASTContext &context);

/// Whether \p one and \p other launch the same kernel with the same arguments,
/// in whichever order: `k(a, b)` and `k(b, a)`.
bool areAlike(const clang::CUDAKernelCallExpr &one,
              const clang::CUDAKernelCallExpr &other);

} // namespace auspex

#endif
