// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What requests are expected to cost whose addresses are not known, or not to
/// the byte.
#ifndef AUSPEX_LIB_KERNEL_OPENADDRESSES_H
#define AUSPEX_LIB_KERNEL_OPENADDRESSES_H

#include "SharedBinding.h"

namespace auspex {

/// What requests cost where their addresses are not known: at best one address
/// for all lanes, at worst each lane on its own. Memory that is not shared, nor
/// of a known size, is too large for lanes to meet by chance. Of \p bound the
/// extent, if there is one, and the halvings are read: those of a search meet
/// where it begins.
RequestCounts standIn(const Access &access, const BoundAccess &bound,
                      const IterationDomain &domain,
                      const SharedBinding &shared, Scenario scenario);

/// Counts of an access to shared memory where open terms move each lane by
/// whole rows of the banks: the bank is known, the word in it is not. At best
/// all lanes are in one row, otherwise each is in its own; \p isExact says that
/// it comes to the same. Nothing if they move lanes otherwise.
std::optional<RequestCounts> countOpenRows(const Access &access,
                                           const Expr &offset,
                                           const IterationDomain &domain,
                                           const SharedBinding &shared,
                                           Scenario scenario, bool &isExact);

/// Counts where open symbols shift lanes that agree on something alike: their
/// pattern is known, its position within a line is not. Lanes that differ in it
/// are far from each other, or in the best case side by side.
/// Nothing if symbols are open of which even that is not known.
std::optional<RequestCounts> countOpenOffset(const Access &access,
                                             const Expr &offset,
                                             const IterationDomain &domain,
                                             const SharedBinding &shared,
                                             Scenario scenario);

/// Whether lanes of a warp may differ in \p expr.
bool usesThread(const Expr &expr);

} // namespace auspex

#endif
