// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MangledNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Mangle.h"
#include "llvm/Support/raw_ostream.h"

using namespace auspex;

MangledNames::MangledNames(clang::ASTContext &context)
    : mangler(context.createMangleContext()) {}
MangledNames::~MangledNames() = default;

std::string MangledNames::of(const clang::FunctionDecl *function) const {
  if (auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function))
    return of(clang::GlobalDecl(constructor, clang::Ctor_Complete));
  if (auto *destructor = llvm::dyn_cast<clang::CXXDestructorDecl>(function))
    return of(clang::GlobalDecl(destructor, clang::Dtor_Complete));
  return of(clang::GlobalDecl(function));
}

std::string MangledNames::of(clang::GlobalDecl declaration) const {
  auto *named = llvm::cast<clang::NamedDecl>(declaration.getDecl());
  if (!mangler->shouldMangleDeclName(named))
    return named->getNameAsString();
  std::string name;
  llvm::raw_string_ostream os(name);
  mangler->mangleName(declaration, os);
  return name;
}
