// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which warps run a piece of code, in which iterations, with which lanes.
///
/// The domain of a block of code is the set of (thread, iteration) points at
/// which its conditions hold. It is cut into pieces: boxes of blocks and
/// iterations on which every thread of a block is active at every point or at
/// none, so that whatever is counted needs one look at each piece, however
/// large the grid. A guard like ctaid.x*256 + tid.x < n makes two pieces: the
/// blocks inside and the last one.
#ifndef AUSPEX_FOOTPRINT_ITERATIONDOMAIN_H
#define AUSPEX_FOOTPRINT_ITERATIONDOMAIN_H

#include "auspex/Expr/Expr.h"
#include "auspex/Footprint/LaunchShape.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <memory>
#include <optional>

namespace auspex {

/// A loop as the domain sees it: its counter runs over [0, tripCount), where
/// tripCount may use tid, ctaid and the counters of loops before it.
struct DomainLoop {
  std::string counter;
  Expr tripCount;
  bool operator==(const DomainLoop &) const = default;
};

class IterationDomain {
public:
  struct Piece {
    /// First the three block indices, then the loop counters.
    llvm::SmallVector<Interval, 6> box;
    /// How many (block, iteration) points the piece stands for.
    double points = 0;
    /// For every warp of a block, the active lanes.
    std::shared_ptr<const std::vector<uint32_t>> masks;
  };

  /// Cuts the domain of \p condition under \p loops (outermost first). All
  /// expressions use only tid.*, ctaid.* and loop counters. None if a trip
  /// count has no upper bound.
  static std::optional<IterationDomain> create(const LaunchShape &shape,
                                               llvm::ArrayRef<DomainLoop> loops,
                                               const Expr &condition);

  /// The same with a loop inside that goes \p trips times, one or more,
  /// whatever the point: cut as this one is.
  IterationDomain withLoop(llvm::StringRef counter, int64_t trips) const;

  const LaunchShape &shape() const { return launch; }
  llvm::ArrayRef<Piece> pieces() const { return cut; }
  /// The symbols of a piece's box, in its order.
  llvm::ArrayRef<std::string> symbols() const { return names; }
  /// False if the cutting was given up and the rest of the domain is
  /// represented by sample points, or if there are threads for which the
  /// condition has no value (a division by zero), which are left out.
  bool isExact() const { return exact; }
  /// The values of tid.*, over the whole domain, or of a symbol of the box
  /// where the domain is in \p box; without ends for other symbols.
  Interval rangeIn(llvm::ArrayRef<Interval> box, llvm::StringRef symbol) const;
  /// Those in any piece; low > high if there is none.
  Interval range(llvm::StringRef symbol) const { return rangeIn(hull, symbol); }
  /// \p expr without the divisions, remainders and minima that the ranges of
  /// its symbols decide: the same wherever the domain has points. Counting is
  /// faster, and where it would take samples exact, for what is left.
  Expr simplify(const Expr &expr) const;

  /// Runs of a warp through the code, and the lanes active in them, summed.
  double warpExecutions() const { return executions; }
  double laneExecutions() const { return lanes; }

  /// Runs of the code in which some warp of a block of threads takes part: as
  /// many as the warp has that runs it most, if all run it from the start.
  double blockExecutions() const { return runs; }
  /// The same by the block of threads with the indices \p block alone.
  double blockExecutions(const std::array<int64_t, 3> &block) const;
  /// The indices of a block that has the most of them, as far as the ends of
  /// the largest pieces tell; none if there are none.
  std::optional<std::array<int64_t, 3>> busiestBlock() const;

  /// How often a warp does \p size turns of the loop of \p counter one after
  /// the other: whole groups, from the first turn on. Each warp takes part in
  /// all turns until its last. None of a domain that is not exact.
  std::optional<double> groupsOfTurns(llvm::StringRef counter,
                                      int64_t size) const;

private:
  LaunchShape launch;
  std::vector<std::string> names;
  std::vector<Piece> cut;
  /// Around all pieces, and around the threads that are active in any.
  llvm::SmallVector<Interval, 6> hull;
  std::array<Interval, 3> threads{};
  bool exact = true;
  double executions = 0, lanes = 0, runs = 0;

  void boundThreads();
  friend class DomainCutter;
};

} // namespace auspex

#endif
