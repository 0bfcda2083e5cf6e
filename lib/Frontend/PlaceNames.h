// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What expressions of the host name: variables, and members of objects.
#ifndef AUSPEX_LIB_FRONTEND_PLACENAMES_H
#define AUSPEX_LIB_FRONTEND_PLACENAMES_H

#include "clang/AST/Expr.h"

namespace auspex {

/// Of two places of different types, one is not the other. Of an array what
/// counts is the type of its elements.
const clang::Type *typeOf(clang::QualType type);

/// The member of a record that \p place is; null if it is none, or may be
/// something outside of the record.
const clang::FieldDecl *memberNamedBy(const clang::Expr &place);
const clang::Type *recordOf(const clang::FieldDecl &member);

/// The variable that \p expr, which may be null, mentions; null if it is
/// something else.
const clang::ValueDecl *mentionedBy(const clang::Expr *expr);
/// The variable that \p expr is, and not another name of one; null if it is
/// none.
const clang::ValueDecl *objectNamedBy(const clang::Expr *expr);

/// A variable, or a member of one; or of the object whose method it is in, if
/// no variable is known to be that.
struct Name {
  const clang::ValueDecl *object = nullptr, *declared = nullptr;

  explicit operator bool() const { return declared; }
  bool operator==(const Name &) const = default;
  std::pair<const clang::ValueDecl *, const clang::ValueDecl *> key() const {
    return {object, declared};
  }
};

/// What \p expr is in a method of \p object, which may be null; nothing if it
/// has no name.
Name namedBy(const clang::Expr *expr, const clang::ValueDecl *object);

} // namespace auspex

#endif
