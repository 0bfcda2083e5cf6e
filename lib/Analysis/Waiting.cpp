// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that wait until other threads have written something.
#include "TripCounts.h"

#include "auspex/Support/PtxText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace auspex;
namespace PM = llvm::PatternMatch;

namespace {
enum class Effect { None, ReadsWhatOthersWrite, Other };
} // namespace

static Effect effectOfAssembly(const llvm::InlineAsm &assembly) {
  static constexpr llvm::StringRef Writing[] = {
      "st",       "atom", "red",      "multimem", "cp",   "bar", "barrier",
      "mbarrier", "sust", "stmatrix", "call",     "exit", "trap"};
  Effect effect = Effect::None;
  PtxText text(assembly.getAsmString());
  for (const PtxStatement &statement : text.statements()) {
    if (statement.name == "mbarrier" &&
        (statement.has("try_wait") || statement.has("test_wait"))) {
      effect = Effect::ReadsWhatOthersWrite;
      continue;
    }
    if (llvm::is_contained(Writing, statement.name))
      return Effect::Other;
    if (statement.name == "ld")
      effect = Effect::ReadsWhatOthersWrite;
  }
  return effect;
}

/// Intrinsics that order memory or take time, and nothing else.
static bool isPause(llvm::StringRef intrinsic) {
  return llvm::any_of(
      llvm::ArrayRef<llvm::StringRef>{"llvm.nvvm.membar.", "llvm.nvvm.fence.",
                                      "llvm.nvvm.nanosleep",
                                      "llvm.nvvm.bar.warp.sync"},
      [&](llvm::StringRef prefix) { return intrinsic.starts_with(prefix); });
}

/// Whether what \p exchange puts in the place of hangs on the turn of \p loop.
static bool looksAgain(const llvm::AtomicCmpXchgInst &exchange,
                       const llvm::Loop &loop) {
  return exchange.getCompareOperand() != exchange.getNewValOperand() &&
         !loop.isLoopInvariant(exchange.getCompareOperand());
}

static Effect effectOf(const llvm::Instruction &instruction,
                       const llvm::Loop &loop) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (!loop.isLoopInvariant(load->getPointerOperand()))
      return Effect::Other;
    return load->isUnordered() ? Effect::None : Effect::ReadsWhatOthersWrite;
  }
  // An exchange of the same for the same reads; one for what was found there
  // is tried again where another thread was faster. A lock is neither: how long
  // it is held counts.
  if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    bool tries =
        exchange->getCompareOperand() == exchange->getNewValOperand() ||
        looksAgain(*exchange, loop);
    return tries && loop.isLoopInvariant(exchange->getPointerOperand())
               ? Effect::ReadsWhatOthersWrite
               : Effect::Other;
  }
  if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    bool isNeutral = PM::match(atomic->getValOperand(), PM::m_Zero()) &&
                     (atomic->getOperation() == llvm::AtomicRMWInst::Add ||
                      atomic->getOperation() == llvm::AtomicRMWInst::Or);
    return isNeutral && loop.isLoopInvariant(atomic->getPointerOperand())
               ? Effect::ReadsWhatOthersWrite
               : Effect::Other;
  }
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call)
    return instruction.mayWriteToMemory() &&
                   !llvm::isa<llvm::FenceInst>(instruction)
               ? Effect::Other
               : Effect::None;
  if (auto *assembly =
          llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand())) {
    Effect effect = effectOfAssembly(*assembly);
    bool isInPlace = llvm::all_of(call->args(), [&](const llvm::Use &operand) {
      return !operand->getType()->isPointerTy() ||
             loop.isLoopInvariant(operand);
    });
    return effect != Effect::ReadsWhatOthersWrite || isInPlace ? effect
                                                               : Effect::Other;
  }
  const llvm::Function *callee = call->getCalledFunction();
  if (callee &&
      (callee->getName().starts_with("llvm.nvvm.mbarrier.test.wait") ||
       callee->getName().starts_with("llvm.nvvm.mbarrier.try.wait")))
    return Effect::ReadsWhatOthersWrite;
  bool isHarmless = !call->mayWriteToMemory() ||
                    call->onlyAccessesInaccessibleMemory() ||
                    (callee && isPause(callee->getName()));
  return isHarmless ? Effect::None : Effect::Other;
}

bool auspex::waitsForOthers(const llvm::Loop &loop) {
  if (!loop.isInnermost())
    return false;
  bool reads = false;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      Effect effect = effectOf(instruction, loop);
      if (effect == Effect::Other)
        return false;
      reads |= effect == Effect::ReadsWhatOthersWrite;
    }
  return reads;
}

bool auspex::isRetried(const llvm::Instruction &instruction,
                       const llvm::LoopInfo &loops) {
  auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
  if (!exchange)
    return false;
  const llvm::Loop *loop = loops.getLoopFor(exchange->getParent());
  return loop && looksAgain(*exchange, *loop) && waitsForOthers(*loop);
}
