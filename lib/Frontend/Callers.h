// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Who calls the functions of a translation unit.
#ifndef AUSPEX_LIB_FRONTEND_CALLERS_H
#define AUSPEX_LIB_FRONTEND_CALLERS_H

#include "AllCodeVisitor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

#include <map>
#include <vector>

namespace auspex {

/// A call, or the construction of an object, and the function that it is
/// written in; null outside of functions.
struct Call {
  /// A CallExpr or a CXXConstructExpr.
  const clang::Expr *expr;
  const clang::FunctionDecl *caller;
  /// What holds in the caller where it stands.
  std::vector<Condition> conditions;
  /// The innermost loop of the caller around it; null outside of loops.
  clang::Stmt *loop = nullptr;
  /// Whether it is what another file does if the program is run without
  /// arguments.
  bool isWithoutArguments = false;

  Site site() const { return {expr, caller, conditions}; }
};

/// How a place in the code is reached: the call that each function on the way
/// is entered by.
using CallPath =
    llvm::SmallMapVector<const clang::FunctionDecl *, const Call *, 4>;

/// The function, which may be a constructor, that \p expr calls by its name, or
/// has the library call with the same arguments; null if it is not known.
const clang::FunctionDecl *calledBy(const clang::Expr &expr);
/// What a call of the virtual \p method runs for an object of \p type, which is
/// of its class or of one that is derived from it; null if that is ambiguous.
const clang::CXXMethodDecl *methodRun(const clang::CXXMethodDecl &method,
                                      const clang::CXXRecordDecl &type);
/// Whether only the object knows which function \p expr calls.
bool isVirtualCall(const clang::Expr &expr);
/// What \p call gives to parameter number \p index of that; null if there is no
/// such argument.
const clang::Expr *argumentFor(const clang::Expr &call, unsigned index);

/// Whether other translation units can call \p function, which this one defines
/// or declares. An inline function or an instance of a template, which every
/// unit has its own of, is no such.
bool isShared(const clang::FunctionDecl &function);

class Callers : public AllCodeVisitor {
public:
  /// The calls of \p function in this unit, in their order, those by its name
  /// first.
  llvm::ArrayRef<Call> here(const clang::FunctionDecl &function) const;
  /// The calls of constructors of \p type, as far as they are written, but for
  /// copies.
  llvm::ArrayRef<Call> constructionsOf(const clang::CXXRecordDecl &type) const;
  /// Whether an object of \p type is assigned to another one.
  bool isAssigned(const clang::CXXRecordDecl &type) const {
    return assigned.contains(&type);
  }
  /// Whether \p method may be called otherwise than by its name.
  bool isMentioned(const clang::CXXMethodDecl &method) const;
  /// Puts calls through pointers to functions, and of virtual methods that
  /// others, perhaps in other files, may override, to all that they may call in
  /// this unit, each under the condition that it is the one.
  void distributeIndirectCalls();
  /// Whether these are all there are in the program (in the part of it that
  /// this unit makes, for an inline function or an instance of a template,
  /// which every unit has its own of).
  bool areAll(const clang::FunctionDecl &function) const;
  /// The ways in which \p function is reached from functions that this unit
  /// does not call; one way that says nothing if there are many, or recursion
  /// makes them endless, or the function is null. A lambda that is not called
  /// by its name is reached like the function that it is written in.
  const std::vector<CallPath> &pathsTo(const clang::FunctionDecl *function);

  /// Adds a call of \p function that stands in no code of this unit.
  void add(const clang::FunctionDecl &function, Call call);
  /// \p pointer, in such a call, is the begin of an object of \p bytes.
  void tellObject(const clang::Expr &pointer, uint64_t bytes) {
    objects[&pointer] = bytes;
  }
  std::optional<uint64_t> objectInBytes(const clang::Expr &pointer) const {
    auto found = objects.find(&pointer);
    return found == objects.end() ? std::nullopt : std::optional(found->second);
  }
  /// The functions that have a body here.
  llvm::ArrayRef<const clang::FunctionDecl *> definitions() const {
    return defined;
  }

  bool VisitFunctionDecl(clang::FunctionDecl *function) override;
  bool VisitDeclRefExpr(clang::DeclRefExpr *mention) override;
  bool VisitCallExpr(clang::CallExpr *call) override;
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *made) override;

private:
  struct Uses {
    std::vector<Call> calls;
    size_t mentions = 0, callsByName = 0;
  };
  llvm::DenseMap<const clang::FunctionDecl *, Uses> uses;
  llvm::MapVector<const clang::CXXRecordDecl *, std::vector<Call>>
      constructions;
  /// Calls of no function by its name, and those of virtual methods.
  std::vector<Call> callsOfPointers, callsOfVirtuals;
  llvm::DenseSet<const clang::CXXRecordDecl *> assigned;
  /// The methods that others override.
  llvm::DenseSet<const clang::FunctionDecl *> overridden;
  std::vector<const clang::FunctionDecl *> defined;
  llvm::DenseMap<const clang::Expr *, uint64_t> objects;
  /// What pathsTo() knows, and the functions whose callers it looks at.
  std::map<const clang::FunctionDecl *, std::vector<CallPath>> paths;
  llvm::DenseSet<const clang::FunctionDecl *> beingReached;

  std::vector<const clang::FunctionDecl *>
  candidatesOf(const clang::CallExpr &call) const;
  std::vector<const clang::FunctionDecl *>
  overridersOf(const clang::CXXMethodDecl &method) const;
};

} // namespace auspex

#endif
