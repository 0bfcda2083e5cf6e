// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Offsets and guards of threads that take their index over the launch apart by
/// division and remainder, as in
///
///     i = ctaid.x*256 + tid.x;  x = i % W;  y = i / W % H;  z = i / (W*H)
///
/// x, y and z are the digits of i in a mixed radix, of the weights 1, W and
/// W*H. What is linear in the digits is, over a run of indices, a few boxes:
/// each digit runs through an interval, whatever the others are.
#ifndef AUSPEX_LIB_FOOTPRINT_INDEXDIGITS_H
#define AUSPEX_LIB_FOOTPRINT_INDEXDIGITS_H

#include "auspex/Expr/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <vector>

namespace auspex {

/// What is linear in the digits of an index and in symbols beside it.
struct DigitForm {
  int64_t constant = 0;
  /// Slopes, the lowest digit first; of symbols by number.
  llvm::SmallVector<int64_t, 4> digits;
  llvm::SmallVector<int64_t, 8> symbols;
};

/// Where an index and its digits run.
using DigitBox = llvm::SmallVector<Interval, 4>;

class IndexDigits {
public:
  /// The symbols by number, and what each stays in. The index is the one that
  /// \p exprs divide, the finest of several; of several that have no symbol in
  /// common, as tid.x / 16 and ctaid.x / 8, one that has them as its parts.
  IndexDigits(llvm::ArrayRef<std::string> names,
              llvm::ArrayRef<Interval> ranges, llvm::ArrayRef<Expr> exprs);

  /// Adds the weights of the digits that \p expr is linear in. False, without
  /// a change, if it is made of other things.
  bool admit(const Expr &expr);

  /// \p expr, which has been admitted.
  std::optional<DigitForm> formOf(const Expr &expr) const;

  /// Nothing is divided.
  bool isEmpty() const { return weights.empty(); }
  /// Of each digit; the next one is a multiple of it.
  llvm::ArrayRef<int64_t> digitWeights() const { return weights; }
  /// Whether the index goes by the symbol.
  bool goesBy(unsigned symbol) const {
    return !isEmpty() && index.slopes[symbol] != 0;
  }

  /// The values of an admitted form, whatever the symbols are in their ranges:
  /// none if they pass 2^62.
  std::optional<Interval> rangeOf(const DigitForm &form) const;

  /// The indices in a box of the symbols as runs, ends included. Nothing if
  /// some are met several times, are negative, or are in too many runs.
  std::optional<llvm::SmallVector<Interval, 4>>
  runsIn(llvm::ArrayRef<Interval> box) const;

  /// Boxes of the digits that are together what a run of indices has.
  llvm::SmallVector<DigitBox, 8> boxesOf(Interval run) const;

private:
  /// constant + sum of slope * symbol.
  struct Sum {
    int64_t constant = 0;
    llvm::SmallVector<int64_t, 8> slopes;
    bool operator==(const Sum &) const = default;
  };
  /// (index mod end) / weight; without an end index / weight.
  struct Part {
    int64_t weight = 1;
    std::optional<int64_t> end;
  };
  /// A sum of parts of the index and of other symbols.
  struct Reading {
    int64_t constant = 0;
    llvm::SmallVector<std::pair<int64_t, Part>, 4> parts;
    llvm::SmallVector<int64_t, 8> symbols;
  };

  llvm::ArrayRef<std::string> names;
  llvm::SmallVector<Interval, 8> ranges;
  Sum index;
  llvm::SmallVector<int64_t, 4> weights;

  std::optional<Sum> sumOf(const Expr &expr) const;
  static bool isFiner(const Sum &a, const Sum &b);
  void findDivided(const Expr &expr, std::vector<Sum> &divided) const;
  bool addAbove(const Sum &sum);
  std::optional<Reading> read(const Expr &expr);
  bool readSymbols(Sum sum, Reading &reading);
  std::optional<Part> partOf(const Expr &expr);
  std::optional<Part> partOf(const Sum &sum);
  std::optional<Part> partOf(const Atom &division);
  std::optional<Part> quotient(std::optional<Part> part, int64_t divisor);
  std::optional<Part> remainder(std::optional<Part> part, int64_t divisor);
  bool isCongruent(const Sum &sum, int64_t divisor) const;
  bool staysBelow(const Sum &sum, int64_t end) const;
  bool admitWeight(int64_t weight);
};

} // namespace auspex

#endif
