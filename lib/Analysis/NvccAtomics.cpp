// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccAtomics.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace auspex;

void auspex::relaxCompareAndSwap(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
        swap->setSuccessOrdering(llvm::AtomicOrdering::Monotonic);
        swap->setFailureOrdering(llvm::AtomicOrdering::Monotonic);
      }
}
