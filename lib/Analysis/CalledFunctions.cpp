// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CalledFunctions.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

using namespace auspex;

static void addCallees(const llvm::Function &caller, CalledFunctions &called) {
  for (const llvm::Instruction &instruction : llvm::instructions(caller))
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      if (const llvm::Function *callee = call->getCalledFunction())
        called.insert(callee);
}

CalledFunctions auspex::calledFunctions(const llvm::Function &function) {
  CalledFunctions called;
  addCallees(function, called);
  for (size_t i = 0; i < called.size(); ++i)
    addCallees(*called[i], called);
  return called;
}
