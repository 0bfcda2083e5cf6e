// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What kernels and variables are called in the device code.
#ifndef AUSPEX_LIB_FRONTEND_MANGLEDNAMES_H
#define AUSPEX_LIB_FRONTEND_MANGLEDNAMES_H

#include "clang/AST/GlobalDecl.h"

#include <memory>
#include <string>

namespace clang {
class ASTContext;
class MangleContext;
} // namespace clang

namespace auspex {

class MangledNames {
public:
  explicit MangledNames(clang::ASTContext &context);
  ~MangledNames();

  std::string of(clang::GlobalDecl declaration) const;
  /// Of a constructor or destructor, that of whole objects.
  std::string of(const clang::FunctionDecl *function) const;

private:
  std::unique_ptr<clang::MangleContext> mangler;
};

} // namespace auspex

#endif
