// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Frontend/WarpSizeReads.h"

#include "AllCodeVisitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace auspex;

namespace {
class ReadVisitor : public AllCodeVisitor {
public:
  ReadVisitor(const clang::VarDecl &original, clang::VarDecl &replacement)
      : original(original), replacement(replacement) {}

  bool VisitImplicitCastExpr(clang::ImplicitCastExpr *cast) override {
    auto *read =
        llvm::dyn_cast<clang::DeclRefExpr>(cast->getSubExpr()->IgnoreParens());
    if (cast->getCastKind() == clang::CK_LValueToRValue && read &&
        read->getDecl() == &original)
      cast->setSubExpr(clang::DeclRefExpr::Create(
          original.getASTContext(), {}, {}, &replacement,
          read->refersToEnclosingVariableOrCapture(), read->getLocation(),
          read->getType(), read->getValueKind()));
    return true;
  }
  bool TraverseConstantExpr(clang::ConstantExpr *) override { return true; }

private:
  const clang::VarDecl &original;
  clang::VarDecl &replacement;
};
} // namespace

/// The variable of clang's header, if it is \p declaration.
static clang::VarDecl *asWarpSize(clang::Decl *declaration) {
  auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration);
  bool isIt = variable && variable->getIdentifier() &&
              variable->getName() == "warpSize" &&
              variable->getDeclContext()->isTranslationUnit() &&
              variable->hasAttr<clang::CUDADeviceAttr>() &&
              variable->getType().isConstQualified();
  return isIt ? variable : nullptr;
}

/// A variable like \p original that is defined elsewhere.
static clang::VarDecl *declareLike(const clang::VarDecl &original,
                                   llvm::StringRef name) {
  clang::ASTContext &context = original.getASTContext();
  clang::VarDecl *variable = clang::VarDecl::Create(
      context, context.getTranslationUnitDecl(), original.getLocation(),
      original.getLocation(), &context.Idents.get(name), original.getType(),
      original.getTypeSourceInfo(), clang::SC_Extern);
  variable->addAttr(clang::CUDADeviceAttr::CreateImplicit(context));
  return variable;
}

void WarpSizeReads::replaceIn(clang::DeclGroupRef declarations) {
  for (clang::Decl *declaration : declarations) {
    if (clang::VarDecl *found = asWarpSize(declaration)) {
      original = found;
      replacement = declareLike(*original, name);
    } else if (original && original->isReferenced()) {
      ReadVisitor(*original, *replacement).TraverseDecl(declaration);
    }
  }
}
