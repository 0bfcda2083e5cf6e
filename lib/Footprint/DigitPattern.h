// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// An access that goes by the digits of an index: what it touches in a part of
/// the launch as a few strided accesses.
#ifndef AUSPEX_LIB_FOOTPRINT_DIGITPATTERN_H
#define AUSPEX_LIB_FOOTPRINT_DIGITPATTERN_H

#include "IndexDigits.h"
#include "auspex/Footprint/AccessPattern.h"

namespace auspex {

class DigitPattern {
public:
  /// The access of \p bytes at \p offset in \p domain. A guard that is not on
  /// one digit, the index or one symbol is left out, so that the threads that
  /// do not pass it count too: none if less than \p leastShare of them pass
  /// those, or the offset is not linear in digits.
  static std::shared_ptr<const DigitPattern> create(const AccessDomain &domain,
                                                    const Expr &offset,
                                                    unsigned bytes,
                                                    double leastShare);

  /// Adds what it touches in \p window, intervals of the domain's symbols.
  /// Returns how often it is executed there; nothing if that takes too many
  /// strided accesses.
  std::optional<double> append(llvm::ArrayRef<Interval> window, int64_t moved,
                               AddressSet &set) const;

  int64_t constant() const { return form.constant; }
  /// By how much the address moves with a symbol; none with one of the index.
  std::optional<int64_t> slopeOf(unsigned symbol) const;

private:
  explicit DigitPattern(IndexDigits digits) : digits(std::move(digits)) {}

  IndexDigits digits;
  DigitForm form;
  unsigned bytes = 0;
  /// Where the guards hold, of those that are not left out.
  Interval index{0, Interval::Max};
  DigitBox digitBounds;
  llvm::SmallVector<Interval, 8> bounds;
  /// Of the points there, those at which all guards hold.
  double share = 1;

  bool bound(const Expr &condition);
};

} // namespace auspex

#endif
