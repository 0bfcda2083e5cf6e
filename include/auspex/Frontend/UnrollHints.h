// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `#pragma unroll 0`: clang takes it for `#pragma unroll 1`, nvcc warns and
/// ignores it.
#ifndef AUSPEX_FRONTEND_UNROLLHINTS_H
#define AUSPEX_FRONTEND_UNROLLHINTS_H

#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>
#include <tuple>

namespace clang {
class ASTContext;
} // namespace clang

namespace auspex {

/// The loops of a source, its system headers aside, that are to be unrolled
/// zero times.
class UnrollHints {
public:
  UnrollHints() = default;
  /// Of template instances that differ in it, those that say zero do not count.
  explicit UnrollHints(clang::ASTContext &context);

  /// Whether the loop that begins there is one of them. \p file is an absolute
  /// path; lines and columns count from 1.
  bool areZero(llvm::StringRef file, unsigned line, unsigned column) const;

private:
  std::set<std::tuple<std::string, unsigned, unsigned>> zeros;
};

} // namespace auspex

#endif
