// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What binding a launch takes most time for, and what is the same whatever
/// decides what the launch leaves open: the summary with the launch put in, the
/// domains of its code, and the requests of its accesses.
#ifndef AUSPEX_LIB_KERNEL_SHAREDBINDING_H
#define AUSPEX_LIB_KERNEL_SHAREDBINDING_H

#include "LaunchSymbols.h"
#include "auspex/Kernel/BoundKernel.h"

#include <deque>
#include <map>

namespace auspex {

/// A domain, and what it was made of.
struct BoundDomain {
  std::vector<DomainLoop> nest;
  Expr condition;
  /// Null if a trip count has no upper bound.
  std::shared_ptr<const IterationDomain> domain;

  /// Made when the first access asks for it.
  std::shared_ptr<const AccessDomain> forAccesses() const {
    if (!accessDomain)
      accessDomain =
          std::make_shared<const AccessDomain>(domain, nest, condition);
    return accessDomain;
  }

private:
  mutable std::shared_ptr<const AccessDomain> accessDomain;
};

/// Accesses in one domain whose offsets differ by a constant, as those of a
/// stencil do: most of what is asked of them is found once.
struct OffsetFamily {
  /// As the summary states one of them.
  const Expr *stated = nullptr;
  const BoundDomain *domain = nullptr;
  unsigned bytesPerLane = 0;
  /// Of memory in banks: what is open and moves all lanes of a warp alike, by
  /// whole accesses, is left out, since it meets as many banks.
  bool isInBanks = false;
  /// Of constant memory, which is read word by word.
  bool isInWords = false;
  /// With the launch put in, and without the constant that was stated.
  Expr offset;
  bool isOpen = false;
  /// What follows is of the offset, or of what is expected of an open one, if
  /// anything is.
  bool isOfExpected = false;
  /// What is expected has data in it, which pick places far apart.
  bool isPicked = false;
  /// What the following is found of; invalid if it is not, or of requests
  /// alone.
  Expr evaluated = Expr::invalid();
  bool hasRequests = false;
  std::optional<RequestFamily> requests{};
  std::optional<Interval> range{};
  std::optional<AccessPattern> pattern{};

  /// Whether what was found differs by a constant from what \p other will.
  bool isAlike(const OffsetFamily &other) const;
};

/// The summary and the GPU outlive it.
class SharedBinding {
public:
  SharedBinding(const KernelSummary &summary, const LaunchConfig &launch,
                const GPU &gpu);

  const KernelSummary &summary;
  const GPU &gpu;
  /// All that is known but for what the code does, with what is assumed of
  /// data.
  BoundKernel resources;
  LaunchSymbols symbols;
  /// Of the blocks, the branches and the loops, with the launch put in; invalid
  /// where they are not known.
  std::vector<Expr> guards, conditions, tripCounts;
  /// Of each access where data choose between addresses that are known, as
  /// `x > 0 ? i - 1 : i` does: one of them; else nothing.
  std::vector<std::optional<Access>> chosen;

  /// \p condition without what the launch decides in it.
  const Expr &simplified(const Expr &condition);
  /// Stays where it is.
  const BoundDomain &domain(const std::vector<DomainLoop> &nest,
                            const Expr &condition);
  /// The one of \p access, whose offset is known or picked by data; of an open
  /// offset as it \p isExpected, if it is. A lane has \p bytesPerLane. Stays
  /// where it is.
  OffsetFamily &familyOf(const Access &access, const BoundDomain &domain,
                         bool isExpected, unsigned bytesPerLane);
  OffsetFamily &familyOf(const Access &access, const BoundDomain &domain,
                         bool isExpected) {
    return familyOf(access, domain, isExpected, access.bytesPerLane);
  }

  /// What data pick in \p offset are rows of \p bytes each, side by side; in
  /// that order, if all \p areInOrder, or any.
  void layRows(const Expr &offset, int64_t bytes, bool areInOrder) {
    rows[pickedIn(offset)] = {bytes, areInOrder};
  }

private:
  std::map<Expr, Expr> knownSimplified;
  std::deque<BoundDomain> domains;
  std::deque<OffsetFamily> families;
  /// What data pick in offsets, each once.
  std::vector<Expr> picks;
  struct Rows {
    int64_t bytes;
    bool areInOrder;
  };
  /// By what picks them: rows that lie side by side.
  std::map<Expr, Rows> rows;

  void decideData();
  std::optional<Access> oneOfChosen(const Access &access) const;
  const IterationDomain *outsideOf(llvm::ArrayRef<DomainLoop> nest,
                                   const Expr &condition);
  bool takeFromAlike(OffsetFamily &family) const;
  Expr withoutCommonMoves(const Expr &offset, unsigned bytesPerLane) const;
  Expr pickedIn(const Expr &offset) const;
  Expr placeOf(const Expr &picked, const Access &access,
               const IterationDomain &domain);
  Expr asExpected(const Expr &offset, const Access &access,
                  const IterationDomain &domain, bool &isPicked);
};

} // namespace auspex

#endif
