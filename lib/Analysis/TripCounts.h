// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How often loops run.
///
/// Scalar evolution counts loops with constant steps. Here follow counters that
/// an argument or the launch steps, that are halved or doubled, and loops that
/// are left in several places: the first exit ends them. An exit that hangs on
/// data leaves a symbol in the minimum, and what the others allow is an upper
/// bound. Data choose the half in a binary search too, but not how many there
/// are, give or take one. How often a loop turns in vain that waits for other
/// threads is a symbol of its own.
#ifndef AUSPEX_LIB_ANALYSIS_TRIPCOUNTS_H
#define AUSPEX_LIB_ANALYSIS_TRIPCOUNTS_H

#include "ValueTranslator.h"

namespace auspex {

class TripCounts {
public:
  /// From now on \p values know what loops leave behind.
  TripCounts(ValueTranslator &values, llvm::ScalarEvolution &evolution,
             llvm::DominatorTree &dominators)
      : values(values), evolution(evolution), dominators(dominators) {
    values.setTripCounts(*this);
  }

  /// How often a thread runs the loop's header each time it comes to the loop.
  MaybeExpr of(const llvm::Loop &loop);

private:
  ValueTranslator &values;
  llvm::ScalarEvolution &evolution;
  llvm::DominatorTree &dominators;
  llvm::DenseMap<const llvm::Loop *, MaybeExpr> known;
  /// Loops that are being counted.
  llvm::SmallVector<const llvm::Loop *, 4> active;

  MaybeExpr count(const llvm::Loop &loop);
  MaybeExpr countExit(const llvm::Loop &loop, llvm::BasicBlock &exiting);
  MaybeExpr countWhile(const llvm::Loop &loop, llvm::BasicBlock &exiting,
                       llvm::Value *condition, bool holds);
  std::optional<Expr> countSides(const llvm::Loop &loop, Expr left,
                                 llvm::CmpInst::Predicate stay, Expr right);
  std::optional<Expr> countFloatComparison(const llvm::Loop &loop,
                                           const llvm::FCmpInst &comparison,
                                           bool holds);
  std::optional<Expr> countComparison(const llvm::Loop &loop,
                                      llvm::BasicBlock &exiting,
                                      llvm::ICmpInst &comparison, bool holds);
  std::optional<Expr> countHalving(const llvm::Loop &loop,
                                   llvm::BasicBlock &exiting,
                                   llvm::ICmpInst &comparison, bool holds);
  MaybeExpr earliest(llvm::ArrayRef<MaybeExpr> exits, llvm::Value *place);
  std::string reasonOf(llvm::Value *condition, const llvm::BasicBlock &exiting);
};

/// Whether \p loop does nothing but read, at places that stay the same, what
/// other threads may write.
bool waitsForOthers(const llvm::Loop &loop);

/// How many s >= 0 in a row have 2^(slope*s) <= limit.
Expr stepsUpTo(const Expr &limit, int64_t slope);

} // namespace auspex

#endif
