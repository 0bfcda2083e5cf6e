// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The instructions in the text of an inline assembly in PTX, as LLVM has it:
/// operands are "$3" or "${3:b}".
#ifndef AUSPEX_SUPPORT_PTXTEXT_H
#define AUSPEX_SUPPORT_PTXTEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace auspex {

/// "@p mad.lo.cc.u32 $0, $1, $2, $3" is "mad", {"lo", "cc", "u32"}, {"$0",
/// "$1", "$2", "$3"} under the predicate "p"; or a declaration or a label.
struct PtxStatement {
  /// Else empty; a statement of its own.
  llvm::StringRef label;
  /// All but the predicate.
  llvm::StringRef text;
  llvm::StringRef predicate;
  llvm::StringRef name;
  llvm::SmallVector<llvm::StringRef, 8> words;
  /// Vectors and addresses are one operand each: "{$0, $1}", "[$2+8]"; of "a|p"
  /// each is one.
  llvm::SmallVector<llvm::StringRef, 8> operands;

  bool has(llvm::StringRef word) const {
    return llvm::is_contained(words, word);
  }
  /// No label, and no directive such as ".reg".
  bool isInstruction() const { return label.empty() && !text.starts_with("."); }
  /// The last word: the type.
  llvm::StringRef type() const { return words.empty() ? "" : words.back(); }
};

class PtxText {
public:
  explicit PtxText(llvm::StringRef assembly);
  PtxText(const PtxText &) = delete;
  PtxText &operator=(const PtxText &) = delete;

  llvm::ArrayRef<PtxStatement> statements() const { return all; }

private:
  std::string text;
  std::vector<PtxStatement> all;
};

/// Splits at commas that are in no braces or brackets.
llvm::SmallVector<llvm::StringRef, 8> ptxOperands(llvm::StringRef text);

/// Those of "{$0, $1}"; another operand is its own element.
llvm::SmallVector<llvm::StringRef, 4> ptxElements(llvm::StringRef operand);

/// "[$2+8]" is "$2" and 8.
struct PtxAddress {
  llvm::StringRef base;
  int64_t displacement = 0;
};
/// Nothing if the displacement is no number.
std::optional<PtxAddress> parsePtxAddress(llvm::StringRef operand);

} // namespace auspex

#endif
