// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the mentions of variables in one function write, give away, or may.
#ifndef AUSPEX_LIB_FRONTEND_VARIABLEWRITES_H
#define AUSPEX_LIB_FRONTEND_VARIABLEWRITES_H

#include "StatementOrder.h"
#include "WrittenVariables.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace auspex {

/// Numbers are those of a StatementOrder.
struct VariableWrites {
  struct Write {
    Definition what;
    /// The block around it; null unless it runs whenever the block does.
    const clang::Stmt *scope = nullptr;
    /// Of what writes, and of the last statement in that.
    unsigned begin = 0, end = 0;

    /// Whether it changes something of \p part.
    bool touches(const VariablePart &part) const {
      return what.part.overlaps(part);
    }
  };
  /// Where a variable is or may be written.
  struct Place {
    unsigned at;
    /// Whether somebody may get the variable there to write it later, and
    /// whether the place is in a lambda, of which nobody knows when it runs.
    bool isGiven = false, isLate = false;
    /// What may be written.
    VariablePart part = {};
  };

  /// The variables that are defined in the function, in lambdas too, and what
  /// its declarations define them with.
  llvm::DenseSet<const clang::VarDecl *> definitions;
  llvm::DenseMap<const clang::VarDecl *, Write> declarations;
  /// What is written elsewhere, by assignments and by calls of libraries.
  llvm::DenseMap<const clang::VarDecl *, std::vector<Write>> known;
  /// The mentions that write what nobody knows, or may, or lead to such writes.
  llvm::DenseMap<const clang::VarDecl *, std::vector<Place>> unknown;
  /// The same of members alone.
  llvm::DenseMap<const clang::VarDecl *,
                 llvm::SmallPtrSet<const clang::FieldDecl *, 4>>
      unknownMembers;

  llvm::ArrayRef<Write> knownOf(const clang::VarDecl *variable) const;
  llvm::ArrayRef<Place> unknownOf(const clang::VarDecl *variable) const;
  /// Whether something but its declaration may write \p variable.
  bool isWritten(const clang::VarDecl *variable) const;
  /// All writes of \p variable but its declaration, known or not.
  std::vector<Place> placesOf(const clang::VarDecl *variable) const;
  /// Whether unknown writes are to a member that belongs to \p part.
  bool hasUnknownMember(const clang::VarDecl *variable,
                        const VariablePart &part) const;
};

/// Reads the mentions in \p body, of which \p order holds the statements. \p
/// all says what the functions do that get references.
VariableWrites readWrites(clang::Stmt *body, const StatementOrder &order,
                          WrittenVariables &all);

/// The array, by name, of which \p statement, an assignment, writes an element;
/// null for any other.
const clang::DeclRefExpr *arrayAssignedIn(const clang::Stmt *statement);

} // namespace auspex

#endif
