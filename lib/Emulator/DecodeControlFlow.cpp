// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks, the edges between them, and what ends a block.
#include "Decoder.h"

#include "BlockOrder.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"

using namespace auspex;
using namespace auspex::emulator;

void Decoder::findLoopEntries() {
  if (!code.isKernel)
    return;
  // The tree does not change the function.
  llvm::DominatorTree dominators(const_cast<llvm::Function &>(function));
  for (const llvm::BasicBlock &block : function) {
    // What a block dominates and comes back to it is its loop.
    auto isInside = [&](const llvm::BasicBlock *from) {
      return dominators.dominates(&block, from);
    };
    if (llvm::any_of(predecessors(&block), isInside))
      for (const llvm::BasicBlock *from : predecessors(&block))
        if (!isInside(from))
          loopEntries.insert({from, &block});
  }
}

void Decoder::numberBlocks() {
  findLoopEntries();
  order = preferredOrder(function);
  uint32_t number = 0;
  // Edges come before all blocks: where lanes part, both ways' copies are made
  // before any of the lanes can come to the block again and change what is
  // copied.
  for (const llvm::BasicBlock *block : order) {
    if (succ_size(block) < 2)
      continue;
    for (const llvm::BasicBlock *to : successors(block))
      if ((!to->phis().empty() || loopEntries.contains({block, to})) &&
          !edgeNumbers.count({block, to}))
        edgeNumbers[{block, to}] = number++;
  }
  code.entry = number;
  for (const llvm::BasicBlock *block : order)
    blockNumbers[block] = number++;
  blocks.resize(number);
  // Counted in the function's own order.
  uint32_t counter = 0;
  for (const llvm::BasicBlock &block : function)
    counters[&block] = counter++;
}

uint32_t Decoder::targetOf(const llvm::BasicBlock &from,
                           const llvm::BasicBlock &to) {
  auto edge = edgeNumbers.find({&from, &to});
  return edge != edgeNumbers.end() ? edge->second : blockNumbers[&to];
}

/// What happens on the way between two blocks.
void Decoder::emitEdge(const llvm::BasicBlock &from,
                       const llvm::BasicBlock &to) {
  if (loopEntries.contains({&from, &to}))
    emitRaw(Opcode::EnterLoop).index = counters[&to];
  emitPhiCopies(from, to);
}

void Decoder::emitPhiCopies(const llvm::BasicBlock &from,
                            const llvm::BasicBlock &to) {
  struct Move {
    Part to;
    SlotOffset from;
  };
  std::vector<Move> moves;
  for (const llvm::PHINode &phi : to.phis()) {
    const llvm::Value *incoming = phi.getIncomingValueForBlock(&from);
    if (llvm::isa<llvm::UndefValue>(incoming))
      continue;
    Parts sources = partsOf(incoming);
    for (auto [target, source] : llvm::zip(values[&phi], sources))
      if (target.slot != source.slot)
        moves.push_back({target, source.slot});
  }
  // All at once: a target is written when nobody reads it any more.
  while (!moves.empty()) {
    auto ready = llvm::find_if(moves, [&](const Move &move) {
      return llvm::none_of(
          moves, [&](const Move &other) { return other.from == move.to.slot; });
    });
    if (ready != moves.end()) {
      emitMerge(ready->to, ready->from);
      moves.erase(ready);
      continue;
    }
    Part first = moves.front().to;
    SlotOffset saved =
        emit(first.width == Width::Mask ? Opcode::CopyMask
                                        : ofWidth(Opcode::Copy8, first.width),
             first.width, {first.slot});
    for (Move &move : moves)
      if (move.from == first.slot)
        move.from = saved;
  }
}

void Decoder::decodeTerminator(const llvm::Instruction &terminator) {
  const llvm::BasicBlock &block = *terminator.getParent();
  if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(&terminator)) {
    if (branch->isUnconditional()) {
      emitEdge(block, *branch->getSuccessor(0));
      Operation &jump = emitRaw(Opcode::Jump);
      jump.index = blockNumbers[branch->getSuccessor(0)];
      return;
    }
    SlotOffset condition = slotOf(branch->getCondition());
    Operation &operation = emitRaw(Opcode::Branch);
    operation.operands[0] = condition;
    operation.index = targetOf(block, *branch->getSuccessor(0));
    operation.second = targetOf(block, *branch->getSuccessor(1));
    operation.count = counters[&block];
  } else if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(&terminator)) {
    Part condition = partsOf(choice->getCondition())[0];
    SwitchInfo &info = code.switches.emplace_back();
    info.width = condition.width;
    for (const auto &target : choice->cases())
      info.targets.emplace_back(
          target.getCaseValue()->getValue().extractBitsAsZExtValue(
              std::min(64u, target.getCaseValue()->getBitWidth()), 0),
          targetOf(block, *target.getCaseSuccessor()));
    llvm::sort(info.targets);
    info.defaultTarget = targetOf(block, *choice->getDefaultDest());
    Operation &operation = emitRaw(Opcode::Switch);
    operation.operands[0] = condition.slot;
    operation.extra = &info;
    operation.count = counters[&block];
  } else if (auto *end = llvm::dyn_cast<llvm::ReturnInst>(&terminator)) {
    if (code.isKernel) {
      emitRaw(Opcode::Exit);
      return;
    }
    if (const llvm::Value *value = end->getReturnValue())
      for (auto [to, from] : llvm::zip(code.results, partsOf(value)))
        emitMerge({to.first, to.second}, from.slot);
    emitRaw(Opcode::Return);
  } else if (llvm::isa<llvm::UnreachableInst>(terminator)) {
    emitRaw(Opcode::Unreachable);
  } else {
    unsupported(llvm::Twine("the instruction ") + terminator.getOpcodeName());
  }
}
