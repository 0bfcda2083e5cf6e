// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A visitor that goes wherever code is that can run: lambda bodies, instances
/// of templates, and instances of generic lambdas, which clang's own visitors
/// leave out.
#ifndef AUSPEX_LIB_FRONTEND_ALLCODEVISITOR_H
#define AUSPEX_LIB_FRONTEND_ALLCODEVISITOR_H

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

#include <utility>

namespace auspex {

class AllCodeVisitor : public clang::DynamicRecursiveASTVisitor {
public:
  AllCodeVisitor() {
    ShouldVisitTemplateInstantiations = true;
    ShouldWalkTypesOfTypeLocs = false;
  }

  bool TraverseDecl(clang::Decl *declaration) override {
    auto *entered = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
    const clang::FunctionDecl *outer =
        std::exchange(around, entered ? entered : around);
    bool goesOn = clang::DynamicRecursiveASTVisitor::TraverseDecl(declaration);
    around = outer;
    return goesOn;
  }

  bool TraverseLambdaExpr(clang::LambdaExpr *lambda) override {
    const clang::FunctionDecl *outer =
        std::exchange(around, lambda->getCallOperator());
    bool goesOn = clang::DynamicRecursiveASTVisitor::TraverseLambdaExpr(lambda);
    around = outer;
    return goesOn && traverseInstances(lambda);
  }

protected:
  /// The function whose code is visited, null outside of functions; in a lambda
  /// its call operator.
  const clang::FunctionDecl *around = nullptr;

  bool traverseInstances(clang::LambdaExpr *lambda) {
    clang::FunctionTemplateDecl *generic =
        lambda->getCallOperator()->getDescribedFunctionTemplate();
    if (generic)
      for (clang::FunctionDecl *instance : generic->specializations())
        if (!TraverseDecl(instance))
          return false;
    return true;
  }
};

} // namespace auspex

#endif
