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

  /// A place where a loop is left.
  struct Exit {
    const llvm::Loop &loop;
    llvm::BasicBlock &block;
    /// The loop ends here or not at all, so that a counter meets the value that
    /// it is compared with. Else it may pass that by.
    bool isOnly;
  };

  /// How many times control stays in the loop at an exit.
  struct Stays {
    MaybeExpr count;
    /// A count below 0 says that it never leaves there.
    bool mayPass = false;
    /// A range is halved until nothing is left of it.
    bool isHalving = false;
    /// It leaves where two values are equal.
    bool isAtEqual = false;
  };

  MaybeExpr count(const llvm::Loop &loop);
  Stays countExit(const Exit &exit);
  Stays exitCount(const llvm::Loop &loop, const llvm::SCEV *stays,
                  bool mayPass);
  std::optional<Stays> countUnder(const Exit &exit, llvm::Value *fixed,
                                  llvm::Value *other, bool holds);
  Stays countWhile(const Exit &exit, llvm::Value *condition, bool holds);
  std::optional<Expr> countSides(const Exit &exit, Expr left,
                                 llvm::CmpInst::Predicate stay, Expr right);
  std::optional<Expr> countFloatComparison(const Exit &exit,
                                           const llvm::FCmpInst &comparison,
                                           bool holds);
  std::optional<Expr> countComparison(const Exit &exit,
                                      llvm::ICmpInst &comparison, bool holds);
  std::optional<Expr> countHalving(const Exit &exit, llvm::ICmpInst &comparison,
                                   bool holds);
  static Stays first(const Stays &a, const Stays &b);
  Stays earliest(llvm::ArrayRef<Stays> exits, llvm::Value *place);
  std::string reasonOf(llvm::Value *condition, const llvm::BasicBlock &exiting);
};

/// Whether \p loop does nothing but read, at places that stay the same, what
/// other threads may write.
bool waitsForOthers(const llvm::Loop &loop);

/// Whether \p instruction is a compare-and-swap that a loop, one that waits for
/// others, tries again with what it found.
bool isRetried(const llvm::Instruction &instruction,
               const llvm::LoopInfo &loops);

/// How many s >= 0 in a row have 2^(slope*s) <= limit.
Expr stepsUpTo(const Expr &limit, int64_t slope);

} // namespace auspex

#endif
