// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaneMasks.h"

#include "auspex/Footprint/LaunchShape.h"
#include "auspex/Footprint/SymbolKinds.h"
#include "auspex/Kernel/KernelSummary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace auspex;

Expr auspex::laneMask(llvm::StringRef name) {
  Expr own = Expr::pow2(laneOfThread());
  Expr all = Expr::pow2(LaunchShape::WarpSize) - 1;
  return llvm::StringSwitch<Expr>(name)
      .Case("lanemask_eq", own)
      .Case("lanemask_lt", own - 1)
      .Case("lanemask_le", 2 * own - 1)
      .Case("lanemask_ge", all - own + 1)
      .Case("lanemask_gt", all - 2 * own + 1)
      .Default(Expr::invalid());
}

bool auspex::isActiveMask(const llvm::Value &value) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&value);
  return call && call->getIntrinsicID() == llvm::Intrinsic::nvvm_activemask;
}

bool auspex::isRank(const llvm::CallBase &count) {
  auto *masked = llvm::dyn_cast<llvm::BinaryOperator>(count.getArgOperand(0));
  if (!masked || masked->getOpcode() != llvm::Instruction::And)
    return false;
  return llvm::any_of(masked->operands(), [](const llvm::Value *operand) {
    auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(operand);
    llvm::StringRef name = call ? call->getCalledFunction()->getName() : "";
    return isActiveMask(*operand) ||
           name.starts_with("llvm.nvvm.vote.ballot") ||
           name.starts_with("llvm.nvvm.match.");
  });
}

/// What \p expr is for a thread of a block whose rows are of two warps; other
/// symbols are \p others.
static std::optional<int64_t> valueOf(const Expr &expr, int64_t x, int64_t y,
                                      std::optional<int64_t> others) {
  constexpr int64_t Wide = 2 * LaunchShape::WarpSize;
  return expr.evaluate([&](llvm::StringRef name) -> std::optional<int64_t> {
    if (isThreadIndex(name))
      return name == "tid.x" ? x : name == "tid.y" ? y : 0;
    return isBlockSize(name) ? Wide : others;
  });
}

bool auspex::isSameInWarp(const Expr &expr) {
  constexpr int64_t Others = 97;
  if (!expr.isValid() || expr.usesAny(isData))
    return false;
  for (auto [x, y] : {std::pair<int64_t, int64_t>{0, 0}, {32, 0}, {32, 1}}) {
    auto first = valueOf(expr, x, y, Others);
    for (int64_t lane = 0; lane < LaunchShape::WarpSize; ++lane)
      if (!first || valueOf(expr, x + lane, y, Others) != first)
        return false;
  }
  return true;
}

/// Whether \p expr has what \p ofLane says in several lanes of a block.
static bool isInAllLanes(const Expr &expr,
                         llvm::function_ref<int64_t(int64_t)> ofLane) {
  constexpr std::pair<int64_t, int64_t> Threads[] = {{0, 0},  {1, 0},  {21, 0},
                                                     {31, 1}, {37, 0}, {63, 1}};
  return expr.isValid() && llvm::all_of(Threads, [&](const auto &thread) {
           auto [x, y] = thread;
           return valueOf(expr, x, y, std::nullopt) ==
                  ofLane(x % LaunchShape::WarpSize);
         });
}

bool auspex::isLane(const Expr &expr) {
  return isInAllLanes(expr, [](int64_t lane) { return lane; });
}

bool auspex::isMaskOfLanesBefore(const Expr &expr) {
  return isInAllLanes(expr,
                      [](int64_t lane) { return (int64_t(1) << lane) - 1; });
}
