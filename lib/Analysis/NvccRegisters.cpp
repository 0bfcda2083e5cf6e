// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccRegisters.h"

#include "LoopMarks.h"
#include "Target.h"
#include "auspex/Analysis/ModuleAnalysis.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/WithCache.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/KnownBits.h"

using namespace auspex;

/// Adds the loads from \p pointer, through casts of its address space.
static void addLoads(llvm::Value &pointer,
                     llvm::SmallVectorImpl<llvm::LoadInst *> &loads) {
  for (llvm::User *user : pointer.users()) {
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(user))
      loads.push_back(load);
    else
      addLoads(*user, loads);
  }
}

/// The declarations of what reads special registers.
static auto registersOf(llvm::Module &module) {
  return llvm::make_filter_range(module, [](const llvm::Function &function) {
    return function.isIntrinsic() &&
           function.getName().starts_with("llvm.nvvm.read.ptx.sreg.");
  });
}

void auspex::hideRegisters(llvm::Module &module, unsigned arch) {
  if (arch >= OptimizedByNewer)
    return;
  for (llvm::Function &reading : registersOf(module)) {
    reading.removeRetAttr(llvm::Attribute::Range);
    for (llvm::User *user : reading.users())
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(user))
        call->removeRetAttr(llvm::Attribute::Range);
  }
}

/// Whether \p operation never leaves the range of its type, as numbers without
/// and with a sign.
static std::pair<bool, bool>
staysInRange(const llvm::OverflowingBinaryOperator &operation,
             const llvm::SimplifyQuery &query) {
  constexpr auto Never = llvm::OverflowResult::NeverOverflows;
  const llvm::Value *left = operation.getOperand(0),
                    *right = operation.getOperand(1);
  switch (operation.getOpcode()) {
  case llvm::Instruction::Add:
    return {computeOverflowForUnsignedAdd(left, right, query) == Never,
            computeOverflowForSignedAdd(left, right, query) == Never};
  case llvm::Instruction::Sub:
    return {computeOverflowForUnsignedSub(left, right, query) == Never,
            computeOverflowForSignedSub(left, right, query) == Never};
  case llvm::Instruction::Mul:
    return {computeOverflowForUnsignedMul(left, right, query) == Never,
            computeOverflowForSignedMul(left, right, query) == Never};
  case llvm::Instruction::Shl: {
    const auto *by = llvm::dyn_cast<llvm::ConstantInt>(right);
    llvm::KnownBits known = llvm::computeKnownBits(left, query);
    bool isByLess = by && by->getValue().ult(known.getBitWidth());
    return {isByLess && by->getValue().ule(known.countMinLeadingZeros()),
            isByLess &&
                by->getValue().ult(llvm::ComputeNumSignBits(left, query.DL))};
  }
  default:
    return {false, false};
  }
}

/// Says of operations and extensions what follows from the ranges of registers.
static void markRanges(llvm::Function &function) {
  llvm::SimplifyQuery query(function.getDataLayout());
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    if (!instruction.getType()->isIntegerTy())
      continue;
    query.CxtI = &instruction;
    if (const auto *operation =
            llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&instruction)) {
      auto [isUnsigned, isSigned] = staysInRange(*operation, query);
      if (isUnsigned)
        instruction.setHasNoUnsignedWrap();
      if (isSigned)
        instruction.setHasNoSignedWrap();
    } else if (llvm::isa<llvm::ZExtInst>(instruction) &&
               llvm::isKnownNonNegative(instruction.getOperand(0), query)) {
      instruction.setNonNeg();
    }
  }
}

void auspex::stateRegisters(llvm::Module &module, unsigned arch) {
  if (arch >= OptimizedByNewer)
    return;
  for (llvm::Function &reading : registersOf(module)) {
    llvm::Intrinsic::ID id = reading.getIntrinsicID();
    reading.setAttributes(llvm::Intrinsic::getAttributes(
        module.getContext(), id, reading.getFunctionType()));
    if (id == llvm::Intrinsic::nvvm_read_ptx_sreg_warpsize)
      reading.removeRetAttr(llvm::Attribute::Range);
  }
}

void auspex::markRegisters(llvm::Module &module, unsigned arch) {
  if (arch >= OptimizedByNewer)
    return;
  stateRegisters(module, arch);
  for (llvm::Function &function : module)
    markRanges(function);
}

/// Makes loads from \p variable reads of the register.
static void readWarpSize(llvm::GlobalVariable &variable) {
  llvm::SmallVector<llvm::LoadInst *> loads;
  addLoads(variable, loads);
  llvm::Function *intrinsic = llvm::Intrinsic::getOrInsertDeclaration(
      variable.getParent(), llvm::Intrinsic::nvvm_read_ptx_sreg_warpsize);
  for (llvm::LoadInst *load : loads) {
    auto *call = llvm::CallInst::Create(intrinsic, "", load->getIterator());
    call->setDebugLoc(load->getDebugLoc());
    load->replaceAllUsesWith(call);
    load->eraseFromParent();
  }
  variable.removeDeadConstantUsers();
  if (variable.use_empty())
    variable.eraseFromParent();
}

llvm::PreservedAnalyses ReadRegisters::run(llvm::Module &module,
                                           llvm::ModuleAnalysisManager &) {
  if (llvm::GlobalVariable *variable = module.getNamedGlobal(HiddenWarpSize))
    readWarpSize(*variable);
  hideRegisters(module, archOf(module));
  return llvm::PreservedAnalyses::none();
}
