// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccSpecialRegisters.h"

#include "LoopMarks.h"
#include "Target.h"
#include "auspex/Analysis/ModuleAnalysis.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

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

void auspex::hideRanges(llvm::Module &module, unsigned arch) {
  if (arch >= OptimizedByNewer)
    return;
  for (llvm::Function &function : module) {
    if (!function.getName().starts_with("llvm.nvvm.read.ptx.sreg."))
      continue;
    function.removeRetAttr(llvm::Attribute::Range);
    for (llvm::User *user : function.users())
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(user))
        call->removeRetAttr(llvm::Attribute::Range);
  }
}

/// Makes loads from \p variable reads of the register.
static void readRegister(llvm::GlobalVariable &variable) {
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

llvm::PreservedAnalyses
HideSpecialRegisters::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  if (llvm::GlobalVariable *variable = module.getNamedGlobal(HiddenWarpSize))
    readRegister(*variable);
  hideRanges(module, archOf(module));
  return llvm::PreservedAnalyses::none();
}
