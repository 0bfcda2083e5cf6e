// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ExchangedArrays.h"

#include "LibraryCalls.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

using namespace auspex;

/// What is exchanged are arrays, not sizes. \p name may be empty.
static bool isPointer(Name name) {
  return name &&
         name.declared->getType().getNonReferenceType()->isPointerType();
}

std::optional<Exchange> auspex::exchangeBy(const clang::CallExpr &call,
                                           const clang::ValueDecl *object) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (!callee || !isOfLibrary(callee) || !callee->getIdentifier() ||
      callee->getName() != "swap" || call.getNumArgs() != 2)
    return std::nullopt;
  const clang::Expr *one = call.getArg(0)->IgnoreParenImpCasts(),
                    *two = call.getArg(1)->IgnoreParenImpCasts();
  Exchange exchange{Exchanged{one, namedBy(one, object)},
                    Exchanged{two, namedBy(two, object)}};
  return isPointer(exchange[0].name) && isPointer(exchange[1].name)
             ? std::optional(exchange)
             : std::nullopt;
}

namespace {
/// What a statement copies: from one variable to another.
struct Copy {
  Name to, from;
  /// Of an assignment.
  const clang::Expr *written = nullptr;
};
} // namespace

static std::optional<Copy> copyBy(const clang::Stmt *statement,
                                  const clang::ValueDecl *object) {
  Copy copy;
  const clang::Expr *value = nullptr;
  if (auto *declaration = llvm::dyn_cast<clang::DeclStmt>(statement)) {
    auto *variable =
        declaration->isSingleDecl()
            ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
            : nullptr;
    copy.to = {nullptr, variable};
    if (variable)
      value = variable->getInit();
  } else if (auto *assignment =
                 llvm::dyn_cast<clang::BinaryOperator>(statement);
             assignment && assignment->getOpcode() == clang::BO_Assign) {
    copy.written = assignment->getLHS()->IgnoreParenImpCasts();
    copy.to = namedBy(copy.written, object);
    value = assignment->getRHS();
  }
  copy.from = namedBy(value, object);
  return isPointer(copy.to) && isPointer(copy.from) ? std::optional(copy)
                                                    : std::nullopt;
}

std::optional<Exchange>
auspex::exchangeBy(llvm::ArrayRef<const clang::Stmt *> three,
                   const clang::ValueDecl *object) {
  auto first = copyBy(three[0], object), second = copyBy(three[1], object),
       third = copyBy(three[2], object);
  bool isExchange = first && second && third && second->written &&
                    third->written && second->to == first->from &&
                    third->to == second->from && third->from == first->to &&
                    first->to != second->from;
  return isExchange
             ? std::optional(Exchange{Exchanged{second->written, second->to},
                                      Exchanged{third->written, third->to}})
             : std::nullopt;
}

static bool isSame(const clang::Expr *one, const clang::Expr *other,
                   const clang::ASTContext &context) {
  llvm::FoldingSetNodeID ofOne, ofOther;
  one->IgnoreParenImpCasts()->Profile(ofOne, context, /*Canonical=*/true);
  other->IgnoreParenImpCasts()->Profile(ofOther, context, /*Canonical=*/true);
  return ofOne == ofOther;
}

/// What a local variable starts with, if \p argument is one; else the argument.
static const clang::Expr *startOf(const clang::Expr *argument) {
  auto *variable =
      llvm::dyn_cast_or_null<clang::VarDecl>(mentionedBy(argument));
  const clang::Expr *start =
      variable && variable->hasLocalStorage() ? variable->getInit() : nullptr;
  return (start ? start : argument)->IgnoreParenImpCasts();
}

/// `t & 1`, `t % 2`, `!t`, and one less or with the bit turned.
static bool isZeroOrOne(const clang::Expr &expr) {
  const clang::Expr *index = expr.IgnoreParenImpCasts();
  if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(index))
    return unary->getOpcode() == clang::UO_LNot;
  auto *operation = llvm::dyn_cast<clang::BinaryOperator>(index);
  if (!operation)
    return false;
  auto isNumber = [](const clang::Expr *operand, uint64_t number) {
    auto *literal =
        llvm::dyn_cast<clang::IntegerLiteral>(operand->IgnoreParenImpCasts());
    return literal && literal->getValue() == number;
  };
  const clang::Expr *left = operation->getLHS(), *right = operation->getRHS();
  switch (operation->getOpcode()) {
  case clang::BO_And:
    return isNumber(right, 1);
  case clang::BO_Rem:
    return isNumber(right, 2);
  case clang::BO_Sub:
    return isNumber(left, 1) && isZeroOrOne(*right);
  case clang::BO_Xor:
    return isNumber(right, 1) && isZeroOrOne(*left);
  default:
    return false;
  }
}

llvm::SmallPtrSet<const clang::Expr *, 2>
auspex::findExchanging(llvm::ArrayRef<const clang::Expr *> given,
                       const clang::ASTContext &context) {
  llvm::SmallPtrSet<const clang::Expr *, 2> exchanging;
  auto arguments = llvm::to_vector(llvm::map_range(given, startOf));
  for (const clang::Expr *argument : arguments) {
    if (auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(argument)) {
      auto isOther = [&](const clang::Expr *other) {
        auto *mirrored = llvm::dyn_cast<clang::ConditionalOperator>(
            other->IgnoreParenImpCasts());
        const clang::ValueDecl *one = mentionedBy(choice->getTrueExpr()),
                               *two = mentionedBy(choice->getFalseExpr());
        return mirrored && one && two &&
               one == mentionedBy(mirrored->getFalseExpr()) &&
               two == mentionedBy(mirrored->getTrueExpr()) &&
               isSame(choice->getCond(), mirrored->getCond(), context);
      };
      if (llvm::any_of(arguments, isOther))
        exchanging.insert(choice->getCond());
    } else if (auto *element =
                   llvm::dyn_cast<clang::ArraySubscriptExpr>(argument)) {
      const clang::ValueDecl *array = mentionedBy(element->getBase());
      const clang::ConstantArrayType *type =
          array ? context.getAsConstantArrayType(array->getType()) : nullptr;
      auto elements = llvm::count_if(arguments, [&](const clang::Expr *other) {
        auto *same = llvm::dyn_cast<clang::ArraySubscriptExpr>(
            other->IgnoreParenImpCasts());
        return same && mentionedBy(same->getBase()) == array;
      });
      bool hasNoOthers =
          type ? type->getZExtSize() <= static_cast<uint64_t>(elements)
               : elements == 2 && isZeroOrOne(*element->getIdx());
      if (array && element->getType()->isPointerType() && hasNoOthers)
        exchanging.insert(element->getIdx());
    }
  }
  return exchanging;
}

bool auspex::areAlike(const clang::CUDAKernelCallExpr &one,
                      const clang::CUDAKernelCallExpr &other) {
  const clang::FunctionDecl *kernel = one.getDirectCallee();
  if (!kernel || !other.getDirectCallee() ||
      kernel->getCanonicalDecl() != other.getDirectCallee()->getCanonicalDecl())
    return false;
  auto same = [&](const clang::Expr *a, const clang::Expr *b) {
    return isSame(a, b, kernel->getASTContext());
  };
  std::vector<const clang::Expr *> pointers, otherPointers;
  for (auto [argument, there] :
       llvm::zip_equal(one.arguments(), other.arguments()))
    if (argument->getType()->isPointerType()) {
      pointers.push_back(argument);
      otherPointers.push_back(there);
    } else if (!same(argument, there)) {
      return false;
    }
  return llvm::equal(one.getConfig()->arguments(),
                     other.getConfig()->arguments(), same) &&
         std::is_permutation(pointers.begin(), pointers.end(),
                             otherPointers.begin(), same);
}
