// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The symbols that the expressions of one summary may use.
#ifndef AUSPEX_LIB_KERNEL_SUMMARYSYMBOLS_H
#define AUSPEX_LIB_KERNEL_SUMMARYSYMBOLS_H

#include "auspex/Kernel/KernelSummary.h"
#include "llvm/ADT/StringSet.h"

namespace auspex {

/// tid.x ... nctaid.z, argK and argK.B for the arguments there are, @name.B for
/// the variables there are, iN for the loops there are, and the data symbols.
class SummarySymbols {
public:
  void setArguments(size_t number) { arguments = number; }
  void addVariable(llvm::StringRef name) { variables.insert(name); }
  void setLoops(size_t number) { loops = number; }
  /// An error text for a name that is taken, or that cannot stand in an
  /// expression; else "".
  std::string addDataSymbol(llvm::StringRef name);

  /// An error text for the first symbol of \p expr that does not exist, or "".
  std::string check(const Expr &expr) const;
  /// An error text if \p base is not the name of an object: an argument or a
  /// member of one, @global, %local, or nothing; else "".
  std::string checkBase(llvm::StringRef base) const;

private:
  size_t arguments = 0, loops = 0;
  llvm::StringSet<> data, variables;

  bool isArgument(llvm::StringRef name) const;
  bool isInVariable(llvm::StringRef name) const;
  bool isKnown(llvm::StringRef name) const;
  std::vector<std::string> names() const;
};

} // namespace auspex

#endif
