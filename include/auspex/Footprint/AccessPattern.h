// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What one access touches in a part of a launch: the addresses of some blocks
/// in some iterations, as a set that can be counted together with those of
/// other accesses.
///
/// The address is taken apart once; a part of the launch is then a few strided
/// accesses, however many threads it has. Guards on a global coordinate
/// (ctaid.x*ntid.x + tid.x < n) and on single indices stay exact without a look
/// at the threads, and so do those on the digits of a global index; other
/// guards, partial masks included, are looked up in the pieces of the domain.
/// Where there would be too many pieces, a guard that many threads pass is left
/// out, a clamp that only blocks at the edges of the grid need, and loops run
/// as often for all threads of a block, or in all blocks. An offset that
/// chooses by a condition is two.
#ifndef AUSPEX_FOOTPRINT_ACCESSPATTERN_H
#define AUSPEX_FOOTPRINT_ACCESSPATTERN_H

#include "auspex/Expr/CompiledExpr.h"
#include "auspex/Footprint/AddressSet.h"
#include "auspex/Footprint/IterationDomain.h"

namespace auspex {

/// A box of blocks, by block index.
using BlockBox = std::array<Interval, 3>;

/// The blocks with the numbers [first, first + count) in launch order, x
/// fastest, as disjoint boxes: at most five. Numbers outside of the grid are
/// left out.
llvm::SmallVector<BlockBox, 5> blocksInOrder(const Dim3 &grid, int64_t first,
                                             int64_t count);

/// The blocks that are in both; nothing if there are none.
std::optional<BlockBox> commonBlocks(const BlockBox &a, const BlockBox &b);

/// A domain as the accesses in it share it. Symbols are numbered: tid.x, y, z,
/// ctaid.x, y, z, then loop counters.
struct AccessDomain {
  static constexpr unsigned Tid = 0, Ctaid = 3, Counter = 6;

  /// A bound on ctaid.block * ntid + tid.thread.
  struct GlobalBound {
    unsigned thread = 0, block = 0;
    Interval values;
  };

  std::shared_ptr<const IterationDomain> domain;
  std::vector<DomainLoop> loops;
  Expr condition;
  std::vector<std::string> symbols;
  /// What no thread exceeds, outermost loop first.
  llvm::SmallVector<Interval, 3> iterations;
  std::vector<uint32_t> fullMasks;
  /// The guards, if they are bounds; else the pieces of the domain are used.
  bool isBox = false;
  llvm::SmallVector<Interval, 8> bounds;
  llvm::SmallVector<GlobalBound, 3> globalBounds;

  /// \p domain was made of \p loops and \p condition.
  AccessDomain(std::shared_ptr<const IterationDomain> domain,
               llvm::ArrayRef<DomainLoop> loops, const Expr &condition);

  const LaunchShape &shape() const { return domain->shape(); }
  /// All values of the symbols.
  llvm::SmallVector<Interval, 8> wholeWindow() const;
  /// The same with loops that make few pieces; null if there are none.
  std::shared_ptr<const AccessDomain> withEvenLoops() const;
  /// The same with loops that all threads run as often; null if they do.
  std::shared_ptr<const AccessDomain> withConstantLoops() const;

private:
  /// Once somebody asked.
  mutable std::optional<std::shared_ptr<const AccessDomain>> even,
      withConstants;

  bool findBounds(const Expr &condition, llvm::ArrayRef<DomainLoop> loops);
  bool addBound(const Expr &condition);
  bool addGlobalBound(GlobalBound bound);
};

class AccessPattern;
struct ClampedOffset;
class DigitPattern;

/// What accesses that differ by a constant have in common: all of the offset
/// but the constant.
class AccessShape {
public:
  /// The box of iterations and blocks is one strided access, whatever the
  /// constant.
  bool isOneAccess() const { return isBox && isLinear(); }

  /// The offset is linear in all symbols.
  bool isLinear() const;
  /// In bytes, of symbols in which the offset is linear; else 0.
  llvm::ArrayRef<int64_t> strides() const { return slopes; }
  unsigned bytesPerLane() const { return bytes; }

private:
  friend class AccessPattern;

  std::shared_ptr<const AccessDomain> domain;
  unsigned bytes = 0;
  /// The offset: slopes of the symbols in which it is linear, and the rest.
  llvm::SmallVector<int64_t, 8> slopes;
  /// The other symbols.
  llvm::SmallVector<unsigned, 3> mixed;
  CompiledExpr rest;
  /// The same where it keeps indices within bounds; else null.
  std::shared_ptr<const ClampedOffset> clamped;
  /// It goes by the digits of an index, in place of the above.
  std::shared_ptr<const DigitPattern> digits;
  /// It is another one where a condition holds and where it does not, in place
  /// of the above.
  std::vector<AccessPattern> cases;
  /// The domain is a box, and where it is bounded in a global coordinate the
  /// address goes by the same one.
  bool isBox = false;

  bool goesByGlobalBounds() const;
  /// What is looked at piece by piece, and point by point, is little.
  bool hasFewParts() const;
};

class AccessPattern {
public:
  /// The access of \p bytes at \p offset (from an aligned base) in \p domain.
  /// None if the domain has too many pieces and is no box of digits, or the
  /// offset uses other symbols.
  static std::optional<AccessPattern>
  create(std::shared_ptr<const AccessDomain> domain, const Expr &offset,
         unsigned bytes);

  /// The same access \p bytes further on; it shares the shape.
  AccessPattern movedBy(int64_t bytes) const {
    AccessPattern moved = *this;
    moved.constant += bytes;
    return moved;
  }

  /// Adds what \p blocks touch in \p iterations (an interval a loop; whatever
  /// is outside of a loop's range is left out). Returns how often the access is
  /// executed there, lane by lane; nothing if that takes too many strided
  /// accesses, or numbers that are too large.
  std::optional<double> append(const BlockBox &blocks,
                               llvm::ArrayRef<Interval> iterations,
                               AddressSet &set) const;

  /// The iterations of each loop, outermost first: what no thread exceeds.
  llvm::ArrayRef<Interval> iterations() const {
    return shape->domain->iterations;
  }

  /// Those of the loop at \p depth in which \p blocks take part while the loops
  /// around it are in \p outer.
  Interval iterations(unsigned depth, const BlockBox &blocks,
                      llvm::ArrayRef<Interval> outer) const;

  /// The smallest box that has all blocks of the launch that run it.
  BlockBox blocks() const;

  /// How far the address moves from one block to the next along x, y, z; none
  /// where it does so irregularly.
  std::optional<int64_t> blockStride(unsigned axis) const;

  /// Accesses that share it differ by first() alone.
  const AccessShape &sharedShape() const { return *shape; }
  /// The constant of the offset.
  int64_t first() const { return constant; }

private:
  std::shared_ptr<const AccessShape> shape;
  int64_t constant = 0;

  static std::optional<AccessPattern>
  ofPieces(std::shared_ptr<const AccessDomain> domain, const Expr &offset,
           unsigned bytes);
  static std::optional<AccessPattern>
  ofDigits(std::shared_ptr<const AccessDomain> domain, const Expr &offset,
           unsigned bytes, double leastShare);
  static std::optional<AccessPattern>
  ofCases(std::shared_ptr<const AccessDomain> domain, const Expr &offset,
          unsigned bytes);
  std::optional<double> emit(llvm::ArrayRef<Interval> box,
                             bool withGlobalBounds, AddressSet &set) const;
  std::optional<double> appendPieces(llvm::ArrayRef<Interval> window,
                                     AddressSet &set) const;
  std::optional<double> appendThreads(const std::vector<uint32_t> &masks,
                                      llvm::SmallVector<Interval, 8> box,
                                      AddressSet &set) const;
};

inline bool AccessShape::isLinear() const {
  return mixed.empty() && !digits && cases.empty();
}

} // namespace auspex

#endif
