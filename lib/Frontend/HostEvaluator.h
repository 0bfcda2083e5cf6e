// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The values of host expressions, as far as they are the same in every run.
///
/// Clang's own evaluator answers first: literals, constexpr, enumerators,
/// sizeof, template arguments. It does not look into ordinary variables, so the
/// rest is evaluated here: integers, floating point for the sake of
/// ceil(n / 256.0), dim3 and its members, variables that keep their value, and
/// calls of functions that consist of one return. What has no value in C++, or
/// takes too many steps to find, is unknown.
#ifndef AUSPEX_LIB_FRONTEND_HOSTEVALUATOR_H
#define AUSPEX_LIB_FRONTEND_HOSTEVALUATOR_H

#include "WrittenVariables.h"
#include "auspex/Footprint/LaunchShape.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"

#include <array>
#include <optional>
#include <variant>

namespace auspex {

class HostEvaluator {
public:
  explicit HostEvaluator(const clang::ASTContext &context) : context(context) {}

  std::optional<int64_t> integer(const clang::Expr *expr);
  std::optional<Dim3> dim3(const clang::Expr *expr);
  /// The function that a callee expression names, through pointers too.
  const clang::FunctionDecl *function(const clang::Expr *expr);

private:
  /// The sides of a dim3; each may be unknown by itself.
  using Sides = std::array<std::optional<llvm::APSInt>, 3>;
  /// The first alternative is a value that is unknown.
  using Value = std::variant<std::monostate, llvm::APSInt, llvm::APFloat, Sides,
                             const clang::FunctionDecl *>;
  using Parameters = llvm::SmallDenseMap<const clang::ParmVarDecl *, Value, 4>;

  const clang::ASTContext &context;
  WrittenVariables writes;
  llvm::DenseMap<const clang::VarDecl *, Value> variables;
  /// The parameters of the function that is being evaluated.
  Parameters *parameters = nullptr;
  /// What is left for one question: recursion may be deep or endless.
  unsigned steps = 0, depth = 0;

  Value ask(const clang::Expr *expr);
  Value evaluate(const clang::Expr *expr);
  std::optional<llvm::APSInt> number(const clang::Expr *expr);
  Value evaluateByClang(const clang::Expr *expr);
  Value evaluateNode(const clang::Expr *expr);
  Value cast(const clang::CastExpr *expr);
  Value castInteger(const llvm::APSInt &number, const clang::CastExpr *expr);
  Value castReal(llvm::APFloat real, const clang::CastExpr *expr);
  Value unary(const clang::UnaryOperator *expr);
  Value binary(const clang::BinaryOperator *expr);
  Value logical(const clang::BinaryOperator *expr);
  Value choose(const clang::ConditionalOperator *expr);
  Value mention(const clang::ValueDecl *declaration);
  Value variable(const clang::VarDecl *variable);
  Value member(const clang::MemberExpr *expr);
  Value construct(const clang::CXXConstructExpr *expr);
  Value initList(const clang::InitListExpr *expr);
  template <typename Range> Value sides(const Range &exprs);
  Value call(const clang::CallExpr *expr);
  Value inlined(const clang::CallExpr *expr, const clang::Expr *result,
                const clang::FunctionDecl *callee);
  Value boolean(std::optional<bool> value, clang::QualType type) const;
};

} // namespace auspex

#endif
