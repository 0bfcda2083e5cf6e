// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccWarpSize.h"

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

void auspex::hideWarpSize(llvm::Module &module, unsigned arch) {
  llvm::Function *intrinsic = llvm::Intrinsic::getDeclarationIfExists(
      &module, llvm::Intrinsic::nvvm_read_ptx_sreg_warpsize);
  if (intrinsic && arch < OptimizedByNewer)
    intrinsic->removeRetAttr(llvm::Attribute::Range);
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

llvm::PreservedAnalyses ReadWarpSize::run(llvm::Module &module,
                                          llvm::ModuleAnalysisManager &) {
  if (llvm::GlobalVariable *variable = module.getNamedGlobal(HiddenWarpSize))
    readRegister(*variable);
  hideWarpSize(module, archOf(module));
  return llvm::PreservedAnalyses::none();
}
