// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The values of host expressions, as far as they are the same in every run.
///
/// Clang's own evaluator answers first: literals, constexpr, enumerators,
/// sizeof, template arguments. It does not look into ordinary variables, so the
/// rest is evaluated here: integers, floating point for the sake of
/// ceil(n / 256.0), dim3 and its members, variables of which the last write is
/// known, parameters of functions on a path of calls or of functions that
/// nobody else can call and that always get the same, and calls of functions
/// that consist of one return. What has no value in C++, or takes too many
/// steps to find, is unknown.
#ifndef AUSPEX_LIB_FRONTEND_HOSTEVALUATOR_H
#define AUSPEX_LIB_FRONTEND_HOSTEVALUATOR_H

#include "Callers.h"
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
  HostEvaluator(const clang::ASTContext &context, const Callers &callers)
      : context(context), callers(callers) {}

  /// Answers questions from now on for code that is reached by \p path.
  void follow(CallPath path);

  std::optional<int64_t> integer(const clang::Expr *expr);
  std::optional<Dim3> dim3(const clang::Expr *expr);
  /// The function that a callee expression names, through pointers too.
  const clang::FunctionDecl *function(const clang::Expr *expr);
  /// What \p member of \p object, a structure, is initialised or assigned
  /// with; null if it is not known.
  const clang::Expr *memberValue(const clang::Expr *object,
                                 const clang::FieldDecl *member);
  /// The same of element \p number of \p array, if that is a local array.
  const clang::Expr *elementValue(const clang::Expr *array, unsigned number);

  /// The call of cudaOccupancyMaxPotentialBlockSize on whose results a question
  /// hung that was asked since the last suppose(); null if none did.
  const clang::CallExpr *occupancyCall() const { return asked; }
  /// Answers questions from now on as if that call gave these results. What is
  /// not set is unknown.
  void suppose(std::optional<int64_t> blocks, std::optional<int64_t> threads);

  /// The integer variable that \p expr is, if that has one value for good; null
  /// if it is another expression.
  const clang::VarDecl *fixedVariable(const clang::Expr *expr);
  /// Answers questions from now on as if \p variable had this value; not set,
  /// its own.
  void pin(const clang::VarDecl *variable, std::optional<int64_t> value);

  /// The values of the array of which an element was asked for since the last
  /// suppose(), nobody knows which; null if none was.
  const clang::InitListExpr *list() const { return askedList; }
  /// Answers questions from now on as if it were element \p number. If not set
  /// it is unknown.
  void supposeElement(std::optional<unsigned> number);

private:
  /// The sides of a dim3; each may be unknown by itself.
  using Sides = std::array<std::optional<llvm::APSInt>, 3>;
  /// The first alternative is a value that is unknown.
  using Value = std::variant<std::monostate, llvm::APSInt, llvm::APFloat, Sides,
                             const clang::FunctionDecl *>;
  using Parameters = llvm::SmallDenseMap<const clang::ParmVarDecl *, Value, 4>;

  const clang::ASTContext &context;
  const Callers &callers;
  WrittenVariables writes;
  llvm::DenseMap<const clang::VarDecl *, Value> variables;
  CallPath path;
  const clang::CallExpr *asked = nullptr;
  /// Blocks and threads.
  std::optional<int64_t> supposed[2];
  const clang::InitListExpr *askedList = nullptr;
  std::optional<unsigned> supposedElement;
  llvm::SmallDenseMap<const clang::VarDecl *, int64_t, 4> pinned;
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
  Value mention(const clang::DeclRefExpr *mention);
  Value variable(const clang::VarDecl *variable);
  Value parameter(const clang::ParmVarDecl *parameter);
  Value given(const clang::CallExpr &call, const clang::ParmVarDecl *parameter);
  Value written(const clang::DeclRefExpr *mention,
                const clang::FieldDecl *member);
  Value valueOf(const Definition &definition, const clang::FieldDecl *member);
  Value member(const clang::MemberExpr *expr);
  Value element(const clang::ArraySubscriptExpr *expr);
  const clang::InitListExpr *unchangedValues(const clang::VarDecl *array);
  Value construct(const clang::CXXConstructExpr *expr);
  Value initList(const clang::InitListExpr *expr);
  template <typename Range> Value sides(const Range &exprs);
  Value call(const clang::CallExpr *expr);
  Value inlined(const clang::CallExpr *expr, const clang::Expr *result,
                const clang::FunctionDecl *callee);
  Value boolean(std::optional<bool> value, clang::QualType type) const;
  static bool isSame(const Value &a, const Value &b);
};

} // namespace auspex

#endif
