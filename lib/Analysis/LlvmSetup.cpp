// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Analysis/LlvmSetup.h"

#include <mutex>

// LLVM declares them for the targets that it was built with, all or none.
extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

void auspex::initializeNVPTX() {
  static std::once_flag initialized;
  std::call_once(initialized, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}
