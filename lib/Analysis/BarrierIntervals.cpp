// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BarrierIntervals.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>

using namespace auspex;

/// Barriers of some of the threads, or of warps and clusters, are not meant.
static bool isBarrierOfAllThreads(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with("llvm.nvvm.barrier.cta.") &&
         callee->getName().ends_with(".all");
}

namespace {

/// The code cut at barriers, into pieces that are numbered through.
class PiecesOfCode {
public:
  explicit PiecesOfCode(const llvm::Function &function) {
    for (const llvm::BasicBlock &block : function)
      cut(block);
    classes.grow(sizes.size());
    for (const llvm::BasicBlock &block : function)
      for (const llvm::BasicBlock *next : llvm::successors(&block))
        classes.join(ends[&block].last, ends[next].first);
    joinBehindBarriers();
    classes.compress();
  }

  unsigned intervalOf(const llvm::BasicBlock &block) const {
    auto [first, last] = ends.lookup(&block);
    auto largest =
        std::max_element(sizes.begin() + first, sizes.begin() + last + 1);
    return classes[largest - sizes.begin()];
  }

private:
  struct Ends {
    unsigned first = 0, last = 0;
  };
  /// Instructions of each piece.
  std::vector<unsigned> sizes;
  llvm::DenseMap<const llvm::BasicBlock *, Ends> ends;
  llvm::IntEqClasses classes;

  void cut(const llvm::BasicBlock &block) {
    Ends &pieces = ends[&block];
    pieces.first = sizes.size();
    sizes.push_back(0);
    for (const llvm::Instruction &instruction : block)
      if (isBarrierOfAllThreads(instruction))
        sizes.push_back(0);
      else if (!llvm::isa<llvm::PHINode>(instruction))
        ++sizes.back();
    pieces.last = sizes.size() - 1;
  }

  /// What follows one barrier of an interval follows all of them, until nothing
  /// changes any more.
  void joinBehindBarriers() {
    bool isChanged = true;
    while (isChanged) {
      isChanged = false;
      llvm::DenseMap<unsigned, unsigned> next;
      for (const auto &[block, pieces] : ends)
        for (unsigned piece = pieces.first; piece < pieces.last; ++piece) {
          unsigned after = classes.findLeader(piece + 1);
          auto [entry, isFirst] =
              next.try_emplace(classes.findLeader(piece), after);
          if (!isFirst && classes.findLeader(entry->second) != after) {
            classes.join(entry->second, after);
            isChanged = true;
          }
        }
    }
  }
};

} // namespace

std::vector<unsigned> auspex::barrierIntervals(const llvm::Function &function) {
  PiecesOfCode pieces(function);
  std::vector<unsigned> intervals;
  llvm::DenseMap<unsigned, unsigned> numbers;
  for (const llvm::BasicBlock &block : function)
    intervals.push_back(
        numbers.try_emplace(pieces.intervalOf(block), numbers.size())
            .first->second);
  return intervals;
}
