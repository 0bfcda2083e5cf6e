// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where the value that a mention of a local variable finds is written.
///
/// The rule is turned around to be safe: every mention of a variable counts as
/// a write that nobody knows unless it is known to read only, or is one of the
/// writes below. Reading are loads of the value, binding to a reference to
/// const (unless the function casts const away somewhere), mentions that are
/// not evaluated, and giving the variable to a launch, by itself or by its
/// address. So increment, `&x`, a reference, an asm operand, a capture that is
/// written in its lambda and everything nobody thought of are unknown writes. A
/// reference that is given to a function of this file is what that function
/// does with it.
///
/// Known writes are the definition, for a parameter the call, the assignments
/// `x = value`, `x.member = value`, `x[0] = value` and `x.resize(value)`, what
/// cudaOccupancyMaxPotentialBlockSize gives, and calls of functions of this
/// file that get a reference to the variable, or its address, and do not give
/// it away, where
/// they are statements of their own in a block around the mention and no other
/// write can come between. Where
/// branches and loops write, before() and after() lead from place to place, and
/// steps (`x *= 2`, `++x`) are known too.
#ifndef AUSPEX_LIB_FRONTEND_WRITTENVARIABLES_H
#define AUSPEX_LIB_FRONTEND_WRITTENVARIABLES_H

#include "MemberWrites.h"
#include "SwitchWays.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>

namespace auspex {

/// A member of a structure, an element of an array, how many elements a
/// container of the library has, or all of a variable; or that of what a
/// pointer, which is a parameter, points to.
struct VariablePart {
  const clang::FieldDecl *member = nullptr;
  /// A member of that; null for all of it.
  const clang::FieldDecl *inner = nullptr;
  std::optional<uint64_t> element = std::nullopt;
  bool isSize = false;
  bool isPointee = false;

  static VariablePart ofElement(uint64_t number) {
    return {nullptr, nullptr, number};
  }
  static VariablePart size() { return {nullptr, nullptr, std::nullopt, true}; }
  /// What the first of \p parts, each in the one before, name; all of the
  /// variable if there are none.
  static VariablePart first(llvm::ArrayRef<VariablePart> parts);
  /// How many such parts lead there.
  size_t depth() const { return isWhole() ? 0 : inner ? 2 : 1; }
  bool isWhole() const { return !member && !element && !isSize; }
  bool overlaps(const VariablePart &other) const {
    return covers(other) || other.covers(*this);
  }
  /// Whether all of \p other is in it.
  bool covers(const VariablePart &other) const {
    return isPointee == other.isPointee &&
           (isWhole() ||
            (member == other.member && element == other.element &&
             isSize == other.isSize && (!inner || inner == other.inner)));
  }
  bool operator==(const VariablePart &) const = default;
};

/// The last write before a mention.
struct Definition {
  /// Null for a variable without initial value, for a parameter, and for a
  /// call's result.
  const clang::Expr *value = nullptr;
  /// What is written of the variable.
  VariablePart part = {};
  /// Whether it is what a caller gives for a parameter.
  bool isGiven = false;
  /// The call that writes through its argument, or what it gives for parameter,
  /// number \c output.
  const clang::CallExpr *call = nullptr;
  unsigned output = 0;
  /// The call is of a method, which writes its own object.
  bool isOfObject = false;
};

/// Parts of variables, in the order of the source.
using PartsWritten =
    llvm::SmallVector<std::pair<const clang::VarDecl *, VariablePart>, 4>;

/// Where what a variable holds at some place comes from, a step back.
struct Origin {
  enum Kind {
    Unknown,
    /// What the caller gives for the parameter.
    Given,
    /// \c write.
    Written,
    /// \c statement, an expression such as `x *= 2` or `++x`.
    Stepped,
    /// \c statement, an if of which a branch writes.
    Branch,
    /// \c statement, `a && b` or `a || b` of which b writes.
    Logical,
    /// \c statement, a switch of which a way writes.
    Switch,
    /// \c statement, a loop that comes before and writes.
    Loop,
    /// The rounds before of \c statement, a loop around the place.
    Rounds
  };
  Kind kind = Unknown;
  const clang::Stmt *statement = nullptr;
  Definition write = {};
};

/// What a mention of a variable, or of a member of it, finds: two mentions of
/// the same version in one run of the code around both find the same value,
/// unless somebody writes to it later to whom it was given away before.
struct VariableVersion {
  const clang::VarDecl *variable = nullptr;
  const clang::FieldDecl *member = nullptr;
  /// The writes in front of the mention, and the innermost loop or lambda
  /// around it that has writes.
  size_t writes = 0;
  const clang::Stmt *repeated = nullptr;

  bool operator==(const VariableVersion &) const = default;
};

class WrittenVariables {
public:
  WrittenVariables();
  ~WrittenVariables();

  /// Whether nothing can change \p variable, a local one or a parameter, once
  /// it is initialised.
  bool keepsItsValue(const clang::VarDecl *variable);
  /// Whether what gets \p parameter, a reference or a pointer, may write later
  /// to what that leads to.
  bool isGivenAway(const clang::ParmVarDecl *parameter);
  /// Whether nothing in its function can change what \p pointer points to.
  bool keepsPointee(const clang::ParmVarDecl *pointer);
  /// What methods do to their objects.
  MemberWrites &members() { return memberWrites; }

  /// The write of \p part that \p mention of a local variable or parameter
  /// finds.
  std::optional<Definition> definition(const clang::DeclRefExpr *mention,
                                       const VariablePart &part);

  /// Where \p part of a local variable or parameter comes from at \p place, a
  /// statement of its function, and after it. Unknown where somebody may write
  /// at a time that nobody knows.
  Origin before(const clang::Stmt *place, const clang::VarDecl *variable,
                const VariablePart &part);
  Origin after(const clang::Stmt *place, const clang::VarDecl *variable,
               const VariablePart &part);
  /// The same after \p way through \p choice.
  Origin afterWay(const clang::SwitchStmt &choice, const SwitchWay &way,
                  const clang::VarDecl *variable, const VariablePart &part);
  /// The `x[i] = value` that \p loop has in its body and by which alone it
  /// writes \p array, a local one; null if there is none.
  const clang::BinaryOperator *filling(const clang::Stmt *loop,
                                       const clang::VarDecl *array);
  /// The variables, by parts, that \p loop writes, which is in the function of
  /// \p variable.
  PartsWritten writtenIn(const clang::Stmt *loop,
                         const clang::VarDecl *variable);

  /// None where that is not known.
  std::optional<VariableVersion> version(const clang::DeclRefExpr *mention,
                                         const clang::FieldDecl *member);

  /// The loop around \p mention that starts and steps the variable, which
  /// nothing else in it writes to. Null if there is none.
  const clang::ForStmt *steppingLoop(const clang::DeclRefExpr *mention);
  /// The loop over a range that defines \p variable; null if there is none.
  const clang::CXXForRangeStmt *rangeLoop(const clang::VarDecl *variable);

private:
  class FunctionWrites;

  MemberWrites memberWrites;
  /// By outermost function.
  llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<FunctionWrites>>
      functions;

  /// Null if the function has no body to look at, or is being looked at.
  const FunctionWrites *writesAround(const clang::VarDecl *variable);
};

} // namespace auspex

#endif
