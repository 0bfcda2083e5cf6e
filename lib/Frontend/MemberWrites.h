// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which members of their object methods may write.
#ifndef AUSPEX_LIB_FRONTEND_MEMBERWRITES_H
#define AUSPEX_LIB_FRONTEND_MEMBERWRITES_H

#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <optional>

namespace auspex {

/// As for variables, a mention of a member counts as a write unless it is known
/// to read only; an object that a method gives away is written as a whole.
class MemberWrites {
public:
  using Members = llvm::SmallPtrSet<const clang::FieldDecl *, 4>;

  /// What a call of \p method may write; none if that may be anything.
  const std::optional<Members> &of(const clang::CXXMethodDecl &method);
  /// What \p statement of a method or constructor may write.
  std::optional<Members> of(const clang::Stmt &statement);

private:
  /// A method that is being looked at has no members yet.
  llvm::DenseMap<const clang::CXXMethodDecl *, std::optional<Members>> methods;
};

/// Whether \p member is, or may be, one of \p members.
inline bool mayBeIn(const std::optional<MemberWrites::Members> &members,
                    const clang::FieldDecl *member) {
  return !members || members->contains(member);
}

} // namespace auspex

#endif
