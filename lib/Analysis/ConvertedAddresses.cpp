// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ConvertedAddresses.h"

#include "auspex/Support/PtxText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace auspex;

/// Whether \p assembly gives the first operand the address in shared memory
/// that the second one is, and does no more.
static bool convertsToShared(const llvm::InlineAsm &assembly) {
  enum class Held { Generic, Shared };
  llvm::StringMap<Held> registers{{"$1", Held::Generic}};
  PtxText text(assembly.getAsmString());
  for (const PtxStatement &statement : text.statements()) {
    if (statement.text.starts_with(".reg"))
      continue;
    if (!statement.isInstruction() || !statement.predicate.empty() ||
        statement.operands.size() != 2)
      return false;
    auto from = registers.find(statement.operands[1]);
    if (from == registers.end())
      return false;
    Held held = from->second;
    bool converts = statement.name == "cvta" && statement.has("to") &&
                    statement.has("shared");
    if (converts && held == Held::Generic)
      held = Held::Shared;
    else if (statement.name != "mov" &&
             (statement.name != "cvt" || held != Held::Shared))
      return false;
    registers[statement.operands[0]] = held;
  }
  auto result = registers.find("$0");
  return result != registers.end() && result->second == Held::Shared;
}

void auspex::castConvertedAddresses(llvm::Function &kernel) {
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(kernel))) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    auto *assembly =
        call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand())
             : nullptr;
    if (!assembly || !call->getType()->isIntegerTy() || call->arg_size() != 1 ||
        !convertsToShared(*assembly))
      continue;
    llvm::IRBuilder<> builder(call);
    llvm::Value *address = call->getArgOperand(0);
    if (auto *number = llvm::dyn_cast<llvm::PtrToIntOperator>(address))
      address = number->getPointerOperand();
    if (address->getType()->isIntegerTy())
      address = builder.CreateIntToPtr(address, builder.getPtrTy());
    if (!address->getType()->isPointerTy())
      continue;
    llvm::Value *shared = builder.CreateAddrSpaceCast(
        address, builder.getPtrTy(llvm::NVPTXAS::ADDRESS_SPACE_SHARED));
    call->replaceAllUsesWith(builder.CreatePtrToInt(shared, call->getType()));
    call->eraseFromParent();
  }
}
