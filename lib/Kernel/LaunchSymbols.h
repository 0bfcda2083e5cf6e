// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The symbols of a summary's expressions in one launch: which have a value,
/// what the others are called, and what is expected of them in addresses.
#ifndef AUSPEX_LIB_KERNEL_LAUNCHSYMBOLS_H
#define AUSPEX_LIB_KERNEL_LAUNCHSYMBOLS_H

#include "auspex/Footprint/LaunchShape.h"
#include "auspex/Kernel/LaunchValues.h"
#include "llvm/ADT/StringMap.h"

namespace auspex {

/// Whether a symbol is left that only the running kernel knows, or the
/// expression is invalid.
bool isOpen(const Expr &expr);

/// The summary and the shape outlive it.
class LaunchSymbols {
public:
  LaunchSymbols(const KernelSummary &summary, const LaunchConfig &launch,
                const LaunchShape &shape);

  void set(llvm::StringRef name, int64_t value) {
    values[name] = value;
    pitches.clear();
  }
  /// Puts in the values that there are.
  Expr substitute(const Expr &expr) const;
  /// What the launch says about symbols that stay.
  Interval range(llvm::StringRef name) const;

  /// An open symbol as people know it: arguments by name, data by its place.
  std::string describe(llvm::StringRef name) const;
  /// All of \p expr: "argument n and data read at line 9".
  std::string describeOpen(const Expr &expr) const;
  /// " at line 9" of the kernel's file, " at line 9 of util.h" elsewhere; what
  /// system headers do is the caller's doing.
  std::string atLine(const SourceLocation &location) const;

  /// What is calculated in floating point of what lanes share, a shift or a
  /// slope, is nearly the same for those beside them, unlike an index that is
  /// read.
  bool changesLittle(llvm::StringRef name) const;
  /// What argument \p name is that nobody stated, when it spaces the rows of an
  /// array: there is room for all threads along x of the launch, however far
  /// they are apart in any access, and in whatever the argument counts.
  int64_t expectedPitch(llvm::StringRef name) const;
  /// \p expr with the values that open arguments are expected to have, and
  /// without what changes little.
  Expr asExpected(const Expr &expr) const;

  /// Whether data move \p term by more than a little.
  bool isPicked(const Expr &term) const;
  /// The range of a symbol in the launch, or in a part of it.
  using Ranges = llvm::function_ref<Interval(llvm::StringRef)>;
  /// What moves an address: the indices beside open symbols, and data that
  /// change little.
  struct MoveKinds {
    bool indices = true, little = true;
  };
  /// Adds to \p apart what \p term, which is open, changes with, as far as it
  /// is of such \p kinds: expressions that stay within bounds.
  void findApart(const Expr &term, MoveKinds kinds, Ranges ranges,
                 std::vector<Expr> &apart) const;
  /// A number that differs where any of \p apart does, by \p step at least;
  /// invalid if it would be too large.
  static Expr numberApart(llvm::ArrayRef<Expr> apart, int64_t step,
                          Ranges ranges);

  /// Null if there is none of that name.
  const DataSymbol *findDataSymbol(llvm::StringRef name) const;

private:
  const KernelSummary &summary;
  const LaunchShape &shape;
  LaunchValues values;
  /// What was expected, by name.
  mutable llvm::StringMap<int64_t> pitches;

  int64_t findPitch(llvm::StringRef name) const;
};

} // namespace auspex

#endif
