// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Variables of the GPU, which host code sets by cudaMemcpyToSymbol.
#ifndef AUSPEX_LIB_FRONTEND_DEVICEVARIABLES_H
#define AUSPEX_LIB_FRONTEND_DEVICEVARIABLES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace auspex {

/// Whether \p variable is a __constant__ or __device__ one.
bool isOnDevice(const clang::VarDecl &variable);
/// Whether \p function, which may be null, runs on the GPU.
bool isForDevice(const clang::FunctionDecl *function);

class DeviceVariables {
public:
  /// A mention of each variable that \p kernel mentions, or a function that it
  /// calls; not of constants of the source. The first ones of many.
  llvm::ArrayRef<const clang::DeclRefExpr *>
  mentionedBy(const clang::FunctionDecl &kernel);

private:
  llvm::DenseMap<const clang::FunctionDecl *,
                 std::vector<const clang::DeclRefExpr *>>
      known;
};

} // namespace auspex

#endif
