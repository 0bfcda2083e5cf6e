// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// When blocks run.
#ifndef AUSPEX_LIB_ANALYSIS_CONTROLFLOW_H
#define AUSPEX_LIB_ANALYSIS_CONTROLFLOW_H

#include "ValueTranslator.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/PostDominators.h"

namespace auspex {

/// Whether all that follows \p block is the end of the program: an assertion
/// that fails, or a trap.
bool endsProgram(const llvm::BasicBlock &block);

class ControlFlow {
public:
  ControlFlow(llvm::Function &function, ValueTranslator &values,
              llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
              llvm::PostDominatorTree &postDominators,
              llvm::BranchProbabilityInfo &probabilities);

  /// The condition for a thread to run \p block in a given iteration of the
  /// loops around it.
  Expr guard(llvm::BasicBlock *block) { return guards.lookup(block); }

  /// The condition under which the first successor of a branch is taken; what
  /// is unknown carries the compiler's estimate.
  Expr branchCondition(llvm::BranchInst &branch);
  /// The same for going to \p to.
  Expr switchCondition(llvm::SwitchInst &choice, llvm::BasicBlock *to);

private:
  llvm::Function &function;
  ValueTranslator &values;
  llvm::LoopInfo &loopInfo;
  llvm::DominatorTree &dominators;
  llvm::PostDominatorTree &postDominators;
  llvm::BranchProbabilityInfo &probabilities;
  llvm::DenseMap<llvm::BasicBlock *, Expr> guards;
  llvm::DenseMap<llvm::BranchInst *, Expr> conditions;

  /// Blocks that fail an assertion or print, and those that reduce huge
  /// arguments of sine and cosine.
  llvm::SmallVector<const llvm::BasicBlock *> messages, slowPaths;
  llvm::SmallVector<const llvm::AtomicCmpXchgInst *> exchanges;

  void computeGuards();
  bool isSlow(const llvm::BranchInst &branch, unsigned arm) const;
  bool breaksRecord(const llvm::BranchInst &branch, unsigned arm) const;
  double takenProbability(llvm::BranchInst &branch);
  Expr computeGuard(llvm::BasicBlock *block);
  Expr edgeCondition(llvm::BasicBlock *from, llvm::BasicBlock *to);
  Expr exitCondition(const llvm::Loop &loop, llvm::BasicBlock *from,
                     llvm::BasicBlock *to);
};

} // namespace auspex

#endif
