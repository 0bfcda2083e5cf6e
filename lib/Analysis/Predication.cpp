// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Predication.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace auspex;
using enum InstructionClass;

double auspex::warpWideInstructions(const InstructionMix &mix) {
  return mix[Barrier] + mix[Fence] + mix[Call] + mix[Shuffle] + mix[Vote] +
         mix[Redux];
}

double auspex::memoryInstructions(const InstructionMix &mix) {
  double count = 0;
  for (const InstructionClassInfo &info : instructionClassInfos())
    if (isMemory(info.id))
      count += mix[info.id];
  return count;
}

static double lengthOf(const InstructionMix &mix) {
  return mix.total() - mix[Control];
}

/// Short, and nothing for the warp as a whole.
static bool isShort(const InstructionMix &mix) {
  constexpr double Longest = 8;
  return lengthOf(mix) <= Longest &&
         warpWideInstructions(mix) + mix[Tensor] + mix[TensorFp32] == 0;
}

/// Whether what \p block computes is used in it alone.
static bool isForItself(const llvm::MachineBasicBlock &block) {
  const llvm::MachineRegisterInfo &registers = block.getParent()->getRegInfo();
  auto staysHere = [&](const llvm::MachineOperand &result) {
    return llvm::all_of(registers.use_nodbg_instructions(result.getReg()),
                        [&](const llvm::MachineInstr &use) {
                          return use.getParent() == &block;
                        });
  };
  return llvm::all_of(block, [&](const llvm::MachineInstr &instruction) {
    return llvm::all_of(instruction.defs(), staysHere);
  });
}

namespace {
/// A side of a branch, with the sides in it.
struct Side {
  const llvm::MachineBasicBlock &block;
  const InstructionMix &mix;
  /// Of the sides in it.
  llvm::SmallVector<const InstructionMix *, 4> inner;

  /// With sides in it, what comes before them is a short test, or they are
  /// next to nothing.
  bool canBePredicated() const {
    constexpr double LongestTest = 5, LongestInner = 2, LongestWithInner = 7;
    bool calls = llvm::any_of(
        block, [](const llvm::MachineInstr &each) { return each.isCall(); });
    if (calls || !isShort(mix))
      return false;
    if (inner.empty())
      return true;
    if (memoryInstructions(mix) > 0)
      return false;
    if (inner.size() == 1 && isForItself(block))
      return lengthOf(mix) <= LongestTest;
    double ofInner = 0;
    for (const InstructionMix *side : inner)
      ofInner += lengthOf(*side);
    return ofInner <= LongestInner &&
           lengthOf(mix) + ofInner <= LongestWithInner;
  }
};
} // namespace

Predication::Predication(
    const llvm::MachineFunction &function,
    llvm::function_ref<const InstructionMix &(const Block &)> mixOf,
    llvm::function_ref<int(const Block &)> loopOf) {
  auto joinOf = [&](const Block &side) {
    return side.pred_size() == 1 ? behind(side) : nullptr;
  };
  // Where the sides meet at the end, one of them just leaves.
  auto isEnd = [&](const Block &block) {
    return block.succ_empty() && mixOf(block).total() <= 1;
  };
  auto canBePredicated = [&](const Block *block) {
    Side side{*block, mixOf(*block), {}};
    for (const Block *inner : sidesIn(*block))
      side.inner.push_back(&mixOf(*inner));
    return side.canBePredicated();
  };
  // Inner branches first.
  for (const Block &fork : llvm::reverse(function)) {
    if (fork.succ_size() != 2)
      continue;
    const Block &a = **fork.succ_begin(), &b = **std::next(fork.succ_begin());
    if (isEnd(a) || isEnd(b) || loopOf(a) != loopOf(fork) ||
        loopOf(b) != loopOf(fork))
      continue;
    Blocks found;
    if (joinOf(a) && (joinOf(a) == &b || joinOf(a) == joinOf(b)))
      found.push_back(&a);
    if (joinOf(b) && (joinOf(b) == &a || joinOf(b) == joinOf(a)))
      found.push_back(&b);
    if (!found.empty() && llvm::all_of(found, canBePredicated))
      sides[&fork] = std::move(found);
    else
      branches.insert(&fork);
  }
}

llvm::ArrayRef<const Predication::Block *>
Predication::sidesOf(const Block &block) const {
  auto found = sides.find(&block);
  return found == sides.end() ? llvm::ArrayRef<const Block *>()
                              : llvm::ArrayRef(found->second);
}

Predication::Blocks Predication::sidesIn(const Block &block) const {
  Blocks all;
  for (const Block *side : sidesOf(block)) {
    all.push_back(side);
    all.append(sidesIn(*side));
  }
  return all;
}

/// The one block that follows \p block and its sides; null if there are more.
const Predication::Block *Predication::behind(const Block &block) const {
  if (auto own = sidesOf(block); !own.empty())
    return behind(*own.front());
  return block.succ_size() == 1 ? *block.succ_begin() : nullptr;
}

const Predication::Block *Predication::next(const Block &block) const {
  const Block *next = behind(block);
  if (!next)
    return nullptr;
  Blocks own = sidesIn(block);
  bool isAlone = llvm::all_of(next->predecessors(), [&](const Block *before) {
    return before == &block || llvm::is_contained(own, before);
  });
  return isAlone ? next : nullptr;
}
