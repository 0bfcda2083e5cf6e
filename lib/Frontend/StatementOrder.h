// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The statements of one function in the order of the source.
#ifndef AUSPEX_LIB_FRONTEND_STATEMENTORDER_H
#define AUSPEX_LIB_FRONTEND_STATEMENTORDER_H

#include "clang/AST/Decl.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <climits>
#include <vector>

namespace auspex {

/// Numbers the statements and expressions of a function, those in its lambdas
/// too. Where a statement is asked for, it has to be one of them, unless null
/// or anything is allowed.
class StatementOrder {
public:
  explicit StatementOrder(const clang::Stmt *body);

  /// Whether some statement can be reached by a jump.
  bool hasLabels() const { return !labels.empty() || jumpsBack; }
  /// Whether a jump may have passed by what stands before \p statement, or have
  /// led back before it. A `goto Error` to the end of the function does neither
  /// to what stands before the label.
  bool mayFollowJump(const clang::Stmt *statement) const {
    return jumpsBack || begin(statement) >= firstLabel;
  }
  /// Whether \p statement, which may be any, is one of the function's.
  bool contains(const clang::Stmt *statement) const {
    return positions.contains(statement);
  }
  /// The number of \p statement, and that of the last one in it.
  unsigned begin(const clang::Stmt *statement) const {
    return positions.find(statement)->second.begin;
  }
  unsigned end(const clang::Stmt *statement) const {
    return positions.find(statement)->second.end;
  }
  /// Null for the function's body, and for what is not in it.
  const clang::Stmt *parentOf(const clang::Stmt *statement) const {
    return positions.lookup(statement).parent;
  }
  bool isIn(unsigned number, const clang::Stmt *scope) const {
    const Position &outer = positions.find(scope)->second;
    return outer.begin <= number && number <= outer.end;
  }
  bool isWithin(const clang::Stmt *statement, const clang::Stmt *scope) const {
    return isIn(begin(statement), scope);
  }
  /// \p statement may be null.
  bool isInLambda(const clang::Stmt *statement) const;

  /// What stands around \p expr and does not only cast it or pass it on.
  const clang::Stmt *around(const clang::Stmt *expr) const;
  /// The block in which \p expr is evaluated whenever the block runs; null if
  /// there is none.
  const clang::Stmt *scopeOf(const clang::Stmt *expr) const;

  static bool isLoop(const clang::Stmt *statement);
  /// Whether there is a `return`, or a jump away, in \p statement, which may be
  /// null.
  static bool returns(const clang::Stmt *statement);
  /// Whether \p statement, which may be null, is a loop whose body runs once,
  /// to its end.
  bool isOnce(const clang::Stmt *statement) const;

  /// The statements that declare local variables.
  const llvm::DenseMap<const clang::VarDecl *, const clang::DeclStmt *> &
  declarations() const {
    return declared;
  }
  /// The loops that step \p variable, the innermost last.
  llvm::ArrayRef<const clang::ForStmt *>
  loopsStepping(const clang::VarDecl *variable) const;
  /// The loop over a range that defines \p variable; null if there is none.
  const clang::CXXForRangeStmt *
  rangeLoop(const clang::VarDecl *variable) const {
    return ranges.lookup(variable);
  }

private:
  struct Position {
    const clang::Stmt *parent;
    unsigned begin, end;
  };
  llvm::DenseMap<const clang::Stmt *, Position> positions;
  unsigned count = 0;
  llvm::SmallPtrSet<const clang::LabelDecl *, 2> labels;
  unsigned firstLabel = UINT_MAX;
  bool jumpsBack = false;
  /// Where break and continue stand.
  std::vector<unsigned> exits;
  llvm::DenseMap<const clang::VarDecl *, const clang::DeclStmt *> declared;
  llvm::DenseMap<const clang::VarDecl *, std::vector<const clang::ForStmt *>>
      loops;
  llvm::DenseMap<const clang::VarDecl *, const clang::CXXForRangeStmt *> ranges;

  void number(const clang::Stmt *statement, const clang::Stmt *parent);
};

/// The variable that a for loop steps: `++i`, `i += 2`, `i = 2 * i`. Null if it
/// does something else.
const clang::VarDecl *steppedVariable(const clang::ForStmt &loop);

} // namespace auspex

#endif
