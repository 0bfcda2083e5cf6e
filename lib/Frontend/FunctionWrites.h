// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Answers the questions of WrittenVariables about the variables of one
/// function: where a mention's value was written, in FunctionWrites.cpp, and
/// step by step from place to place, in VariableOrigins.cpp.
#ifndef AUSPEX_LIB_FRONTEND_FUNCTIONWRITES_H
#define AUSPEX_LIB_FRONTEND_FUNCTIONWRITES_H

#include "StatementOrder.h"
#include "VariableWrites.h"

namespace auspex {

class WrittenVariables::FunctionWrites {
public:
  FunctionWrites(clang::Stmt *body, WrittenVariables &all)
      : order(body), writes(readWrites(body, order, all)) {}

  // As in WrittenVariables.
  bool isUnwritten(const clang::VarDecl *variable) const;
  bool writesPointee(const clang::ParmVarDecl *pointer) const;
  bool isGivenAway(const clang::ParmVarDecl *parameter) const;
  std::optional<Definition> definition(const clang::DeclRefExpr *mention,
                                       const VariablePart &part) const;
  Origin before(const clang::Stmt *place, const clang::VarDecl *variable,
                const VariablePart &part) const;
  Origin after(const clang::Stmt *place, const clang::VarDecl *variable,
               const VariablePart &part) const;
  Origin afterWay(const clang::SwitchStmt &choice, const SwitchWay &way,
                  const clang::VarDecl *variable,
                  const VariablePart &part) const;
  PartsWritten writtenIn(const clang::Stmt *loop) const;
  std::optional<VariableVersion> version(const clang::DeclRefExpr *mention,
                                         const clang::FieldDecl *member) const;
  const clang::ForStmt *steppingLoop(const clang::DeclRefExpr *mention) const;
  const clang::CXXForRangeStmt *
  rangeLoop(const clang::VarDecl *variable) const {
    return order.rangeLoop(variable);
  }

private:
  using Write = VariableWrites::Write;
  using Place = VariableWrites::Place;
  struct Object {
    const clang::VarDecl *variable;
    VariablePart part;
  };

  StatementOrder order;
  VariableWrites writes;

  bool isGivenToCall(const clang::Stmt *mention) const;
  bool comesBetween(unsigned other, const Write &found,
                    const clang::Stmt *mention) const;

  bool isTraceable(const clang::Stmt *place, const Object &object) const;
  size_t countWrites(const clang::Stmt *statement, const Object &object) const;
  bool mayWrite(const clang::Stmt *statement, const Object &object) const {
    return statement && countWrites(statement, object) > 0;
  }
  bool isCarried(const clang::Stmt *loop, const Object &object) const;
  bool isWrittenByCall(const clang::Stmt *statement,
                       const Object &object) const;
  bool isAlways(const clang::CallExpr *call, const clang::Expr *expr) const;
  const clang::Stmt *lastWriter(const clang::CompoundStmt &block, unsigned end,
                                const Object &object) const;
  /// Where something writes, and ends.
  struct Span {
    unsigned begin, end;
  };
  llvm::SmallVector<Span> writesOf(const Object &object) const;
  Origin originBefore(const clang::Stmt *place, const Object &object) const;
  Origin originInSwitch(const clang::Stmt *place,
                        const clang::SwitchStmt &choice,
                        const Object &object) const;
  Origin originInLoop(const clang::Stmt *place, const clang::Stmt *loop,
                      const Object &object) const;
  Origin originAfter(const clang::Stmt *place, const Object &object) const;
  Origin originOfDefinition(const clang::DeclStmt &declaration,
                            const Object &object) const;
  Origin originOfExpression(const clang::Expr *expr,
                            const Object &object) const;
};

} // namespace auspex

#endif
