// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The ways through a switch: what runs from a label to where it ends.
#ifndef AUSPEX_LIB_FRONTEND_SWITCHWAYS_H
#define AUSPEX_LIB_FRONTEND_SWITCHWAYS_H

#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <vector>

namespace auspex {

struct SwitchWay {
  /// Those that lead here.
  llvm::SmallVector<const clang::SwitchCase *, 2> labels;
  /// In order, without the break at the end; those of the next way too where
  /// there is none.
  llvm::SmallVector<const clang::Stmt *, 8> statements;
  /// Nobody comes from here to what follows the switch.
  bool leaves = false;

  bool isDefault() const;
};

/// None where labels or breaks stand inside of other statements, and where a
/// label stands for a range of values.
std::optional<std::vector<SwitchWay>> waysOf(const clang::SwitchStmt &choice);

} // namespace auspex

#endif
