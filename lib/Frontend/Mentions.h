// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The mentions of variables in a function, and which of them only read.
#ifndef AUSPEX_LIB_FRONTEND_MENTIONS_H
#define AUSPEX_LIB_FRONTEND_MENTIONS_H

#include "AllCodeVisitor.h"
#include "WrittenVariables.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace auspex {

/// A write of a variable that is not on the stack.
struct StaticWrite {
  Definition what;
  /// An assignment or a call.
  Site site;
  /// Of a copy, how many bytes, and whether the value is a pointer to them.
  const clang::Expr *bytes = nullptr;
  bool isPointee = false;
};

/// All writes of variables, as far as all of a variable are known.
using StaticWrites =
    llvm::DenseMap<const clang::VarDecl *, std::vector<StaticWrite>>;

/// Who may write members of objects, by name.
struct MemberWriters {
  /// Those that something but a constructor of their class may write: the only
  /// method that may, of its own object; null if somebody else may.
  llvm::DenseMap<const clang::FieldDecl *, const clang::CXXMethodDecl *>
      methods;
  /// Those that the code of a constructor may write.
  llvm::DenseSet<const clang::FieldDecl *> madeByCode;
  /// The classes of objects that somebody may write as something else.
  llvm::DenseSet<const clang::CXXRecordDecl *> types;
};

/// Goes through what is evaluated; what a template does its instances do.
class MentionVisitor : public AllCodeVisitor {
public:
  /// The variables defined here.
  llvm::DenseSet<const clang::VarDecl *> definitions;

  llvm::ArrayRef<const clang::DeclRefExpr *> allMentions() const {
    return mentions;
  }
  /// The mentions of variables that are not known to read only.
  std::vector<const clang::DeclRefExpr *> otherMentions() const;
  /// The variables that they are mentions of.
  llvm::DenseSet<const clang::VarDecl *> otherVariables() const;

  /// Who may write members of objects, but for functions that get a reference
  /// and, as \p keepsItsValue says of their parameter, read only.
  MemberWriters memberWriters(
      llvm::function_ref<bool(const clang::ParmVarDecl *)> keepsItsValue) const;

  /// Known are assignments, and calls that copy, allocate or ask for a property
  /// of the GPU.
  StaticWrites staticWrites() const;

  /// Whether \p expr names something other than by the name of a variable:
  /// `*p`, `p[i]`, `p->member`, a static member `object.member`, a member that
  /// is a reference, a structured binding.
  static bool isPlace(const clang::Expr &expr);
  /// The places that are not known to be read only.
  std::vector<const clang::Expr *> otherPlaces() const;

  bool TraverseDecl(clang::Decl *declaration) override;
  bool TraverseLambdaCapture(clang::LambdaExpr *lambda,
                             const clang::LambdaCapture *capture,
                             clang::Expr *init) override;
  bool TraverseUnaryExprOrTypeTraitExpr(
      clang::UnaryExprOrTypeTraitExpr *expr) override;
  bool TraverseDecltypeTypeLoc(clang::DecltypeTypeLoc, bool) override;
  bool TraverseCXXForRangeStmt(clang::CXXForRangeStmt *loop) override;

  bool VisitVarDecl(clang::VarDecl *variable) override;
  bool VisitExpr(clang::Expr *expr) override;
  bool VisitBinaryOperator(clang::BinaryOperator *operation) override;
  bool VisitCallExpr(clang::CallExpr *call) override;
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr *cast) override;
  bool VisitExplicitCastExpr(clang::ExplicitCastExpr *cast) override;

private:
  using Exprs = llvm::DenseSet<const clang::Expr *>;

  std::vector<const clang::DeclRefExpr *> mentions;
  std::vector<const clang::Expr *> places;
  /// Members of objects, and the method that names one of its own.
  std::vector<
      std::pair<const clang::MemberExpr *, const clang::CXXMethodDecl *>>
      members;
  /// Addresses of members of classes.
  llvm::DenseSet<const clang::FieldDecl *> addressedMembers;
  llvm::DenseSet<const clang::CXXRecordDecl *> castTypes;
  /// Of mentions, members and places: what is loaded, what is bound to a
  /// reference to const or is const itself, and what then loses its const.
  Exprs loads, constBindings, castAway;
  /// Symbols that the runtime library writes to, or may.
  Exprs symbols;
  bool castsConstAway = false;
  /// By the mention of the variable: one in a template is of all instances.
  llvm::DenseMap<const clang::DeclRefExpr *, std::vector<StaticWrite>> writes;

  /// The parameters, references, that members are given for in calls.
  llvm::DenseMap<const clang::Expr *, const clang::ParmVarDecl *> givenFor;

  bool mayWrite(const clang::Expr *expr) const;
  void read(const clang::Expr *object, Exprs &kind);
  StaticWrite *noteWrite(const clang::Expr &object, Definition what,
                         const clang::Expr &at);
};

} // namespace auspex

#endif
