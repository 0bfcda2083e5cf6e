// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX, translated to the same operations.
#include "Decoder.h"

using namespace auspex;
using namespace auspex::emulator;

void Decoder::decodeInlineAssembly(const llvm::CallBase &call) {
  auto *assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  if (assembly->getAsmString().empty())
    return;
  unsupported("the inline assembly '" + assembly->getAsmString() + "'");
}
