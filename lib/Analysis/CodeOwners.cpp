// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CodeOwners.h"

#include "NvccUnrolling.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

using namespace auspex;

namespace {
/// Finds the owners of the blocks of a function after the late pipeline.
class OwnerFinder {
public:
  OwnerFinder(llvm::Function &function, const CodeSnapshot &snapshot)
      : snapshot(snapshot), dominators(function), loops(dominators) {}

  CodeOwners find() {
    for (llvm::Loop *loop : loops.getLoopsInPreorder())
      describeLoop(loop);
    CodeOwners owners;
    for (auto *node : llvm::depth_first(&dominators)) {
      llvm::BasicBlock *block = node->getBlock();
      const CodeOwner *above = nullptr;
      if (node->getIDom())
        above = &owners[node->getIDom()->getBlock()];
      CodeOwner owner = ownerOf(*block, above);
      owners[block] = owner;
    }
    return owners;
  }

private:
  struct LateLoop {
    /// The loop of the snapshot it came from, or -1.
    int origin = -1;
    unsigned unroll = 1;
  };

  const CodeSnapshot &snapshot;
  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  llvm::DenseMap<const llvm::Loop *, LateLoop> late;
  /// The instructions that some loop still has.
  llvm::DenseSet<unsigned> tagsInLoops;

  /// Which loop of the snapshot a late loop is, and how often its body was
  /// copied: most of its instructions come from that loop, and each of them is
  /// there once for every copy.
  void describeLoop(const llvm::Loop *loop) {
    LateLoop &result = late[loop];
    int outer = loop->getParentLoop() ? late[loop->getParentLoop()].origin : -1;
    llvm::MapVector<int, unsigned> votes;
    // Copies of each instruction: of those that do the work of the loop, and of
    // the others.
    llvm::MapVector<unsigned, unsigned> copies, otherCopies;
    for (const llvm::BasicBlock *block : loop->blocks()) {
      if (loops.getLoopFor(block) != loop)
        continue;
      for (const llvm::Instruction &instruction : *block) {
        unsigned tag = tagOf(instruction.getDebugLoc());
        if (!snapshot.isTag(tag) || llvm::isa<llvm::PHINode>(instruction))
          continue;
        tagsInLoops.insert(tag);
        // Branches and what they test go first when copies are simplified.
        if (!instruction.isTerminator() &&
            !llvm::isa<llvm::CmpInst>(instruction))
          ++(isWork(instruction) ? copies : otherCopies)[tag];
        int origin = snapshot.loopOfBlock[snapshot.blockOfTag[tag]];
        if (origin != outer && snapshot.loopContains(outer, origin))
          ++votes[origin];
      }
    }
    unsigned most = 0;
    for (auto [origin, count] : votes)
      if (count > most) {
        most = count;
        result.origin = origin;
      }
    if (std::optional<int> origin = loopOfLatch(*loop, outer))
      result.origin = *origin;
    // Versions of a loop inside each have what they begin with.
    if (!takeUnroll(copies, result) && loop->isInnermost())
      takeUnroll(otherCopies, result);
  }

  /// The loop in \p outer that the branch back is of. What is left of a deeper
  /// loop's unrolling may be most of the code.
  std::optional<int> loopOfLatch(const llvm::Loop &loop, int outer) const {
    const llvm::BasicBlock *latch = loop.getLoopLatch();
    unsigned tag = latch ? tagOf(latch->getTerminator()->getDebugLoc()) : 0;
    if (!snapshot.isTag(tag))
      return std::nullopt;
    int origin = snapshot.loopOfBlock[snapshot.blockOfTag[tag]];
    if (origin == outer || !snapshot.loopContains(outer, origin))
      return std::nullopt;
    return origin;
  }

  /// Counters and addresses are single again when the copies have been
  /// simplified, or several for each copy when they have been strength-reduced.
  static bool isWork(const llvm::Instruction &instruction) {
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      if (auto *code =
              llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand());
          code && code->getAsmString().empty())
        return false;
    return instruction.mayReadOrWriteMemory() ||
           instruction.getType()->isFPOrFPVectorTy();
  }

  /// The number of copies that most of the loop's own code has; false if there
  /// is none.
  bool takeUnroll(const llvm::MapVector<unsigned, unsigned> &copies,
                  LateLoop &result) const {
    llvm::MapVector<unsigned, unsigned> instructions;
    for (auto [tag, count] : copies)
      if (snapshot.loopOfBlock[snapshot.blockOfTag[tag]] == result.origin)
        instructions[count] += count;
    unsigned best = 0;
    for (auto [count, total] : instructions)
      if (total > best || (total == best && count > result.unroll)) {
        best = total;
        result.unroll = count;
      }
    return best > 0;
  }

  CodeOwner ownerOf(llvm::BasicBlock &block, const CodeOwner *above) {
    const llvm::Loop *loop = loops.getLoopFor(&block);
    int level = loop ? late[loop].origin : -1;
    unsigned unroll = loop ? late[loop].unroll : 1;
    const void *copy = loop;
    // The rest of an unrolled loop stands outside of it, and may end with a
    // branch of the block after it.
    if (std::optional<CodeOwner> copied = copyOfDeeper(block, level))
      return *copied;
    // The terminator moves least: it knows the block, if it is of this loop.
    unsigned tag = tagOf(block.getTerminator()->getDebugLoc());
    if (snapshot.isTag(tag)) {
      unsigned candidate = snapshot.blockOfTag[tag];
      if (snapshot.loopOfBlock[candidate] == level)
        return {candidate, unroll, copy};
    }
    // Else the instructions: of the blocks at this level the one that
    // dominates, or code of a deeper loop that was peeled off or moved out.
    std::optional<unsigned> best, deeper;
    for (const llvm::Instruction &instruction : block) {
      tag = tagOf(instruction.getDebugLoc());
      if (!snapshot.isTag(tag) || llvm::isa<llvm::PHINode>(instruction))
        continue;
      unsigned candidate = snapshot.blockOfTag[tag];
      int candidateLoop = snapshot.loopOfBlock[candidate];
      if (candidateLoop == level) {
        if (!best || snapshot.dominates(candidate, *best))
          best = candidate;
      } else if (snapshot.loopContains(level, candidateLoop)) {
        deeper = candidate;
      }
    }
    if (best)
      return {*best, unroll, copy};
    if (deeper)
      return {blockBefore(*deeper, level), unroll, copy};
    return above ? *above : CodeOwner{};
  }

  /// The owner of \p block if it is a copy, or several, of a block of a loop
  /// deeper than \p level: it has more from there than of its own level, and
  /// work, or a branch, of which the loop still has other copies.
  std::optional<CodeOwner> copyOfDeeper(const llvm::BasicBlock &block,
                                        int level) const {
    unsigned own = 0, copied = 0;
    std::optional<unsigned> deeper;
    llvm::MapVector<unsigned, unsigned> copies;
    for (const llvm::Instruction &instruction : block) {
      unsigned tag = tagOf(instruction.getDebugLoc());
      if (!snapshot.isTag(tag) || llvm::isa<llvm::PHINode>(instruction) ||
          instruction.isTerminator())
        continue;
      unsigned candidate = snapshot.blockOfTag[tag];
      int loop = snapshot.loopOfBlock[candidate];
      if (loop == level) {
        ++own;
      } else if (snapshot.loopContains(level, loop)) {
        ++copied;
        if (isWork(instruction) && tagsInLoops.contains(tag)) {
          deeper = candidate;
          ++copies[tag];
        }
      }
    }
    if (copied <= own)
      return std::nullopt;
    if (!deeper)
      deeper = copiedBranch(block, level);
    if (!deeper)
      return std::nullopt;
    LateLoop straight{snapshot.loopOfBlock[*deeper]};
    takeUnroll(copies, straight);
    return CodeOwner{*deeper, straight.unroll, &block};
  }

  /// The block of a loop deeper than \p level whose branch \p block ends with,
  /// if that is a copy of what groups of turns leave.
  std::optional<unsigned> copiedBranch(const llvm::BasicBlock &block,
                                       int level) const {
    unsigned tag = tagOf(block.getTerminator()->getDebugLoc());
    if (!snapshot.isTag(tag) || !isOfCopiedRest(block))
      return std::nullopt;
    unsigned origin = snapshot.blockOfTag[tag];
    int loop = snapshot.loopOfBlock[origin];
    return loop != level && snapshot.loopContains(level, loop)
               ? std::optional(origin)
               : std::nullopt;
  }

  /// The block before the outermost loop around \p block that is deeper than
  /// \p level.
  unsigned blockBefore(unsigned block, int level) const {
    int loop = snapshot.loopOfBlock[block];
    while (snapshot.loopParent[loop] != level &&
           snapshot.loopParent[loop] != -1)
      loop = snapshot.loopParent[loop];
    return snapshot.blockBeforeLoop[loop];
  }
};

} // namespace

CodeOwners auspex::findOwners(llvm::Function &function,
                              const CodeSnapshot &snapshot) {
  return OwnerFinder(function, snapshot).find();
}
