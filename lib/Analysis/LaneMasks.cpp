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

/// Whether \p expr has what \p ofLane says in several lanes of a block.
static bool isInAllLanes(const Expr &expr,
                         llvm::function_ref<int64_t(int64_t)> ofLane) {
  constexpr int64_t Wide = 2 * LaunchShape::WarpSize;
  constexpr std::pair<int64_t, int64_t> Threads[] = {{0, 0},  {1, 0},  {21, 0},
                                                     {31, 1}, {37, 0}, {63, 1}};
  return expr.isValid() && llvm::all_of(Threads, [&](const auto &thread) {
           auto value = expr.evaluate(
               [&](llvm::StringRef name) -> std::optional<int64_t> {
                 if (name == "tid.x")
                   return thread.first;
                 if (name == "tid.y")
                   return thread.second;
                 if (name == "tid.z")
                   return 0;
                 if (isBlockSize(name))
                   return Wide;
                 return std::nullopt;
               });
           return value == ofLane(thread.first % LaunchShape::WarpSize);
         });
}

bool auspex::isLane(const Expr &expr) {
  return isInAllLanes(expr, [](int64_t lane) { return lane; });
}

bool auspex::isMaskOfLanesBefore(const Expr &expr) {
  return isInAllLanes(expr,
                      [](int64_t lane) { return (int64_t(1) << lane) - 1; });
}
