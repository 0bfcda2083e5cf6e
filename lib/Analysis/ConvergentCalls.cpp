// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ConvergentCalls.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace auspex;

static constexpr llvm::StringLiteral Convergent = "auspex.convergent";

/// Of all calls in \p function and what they call an attribute becomes another
/// one.
static void replaceAttribute(llvm::Function &function, auto from, auto to) {
  llvm::LLVMContext &context = function.getContext();
  auto replace = [&](auto &holder) {
    llvm::AttributeList all = holder.getAttributes();
    if (all.hasFnAttr(from))
      holder.setAttributes(
          all.removeFnAttribute(context, from).addFnAttribute(context, to));
  };
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      replace(*call);
      if (llvm::Function *called = call->getCalledFunction())
        replace(*called);
    }
}

/// The function that a pass which unrolls loops is at; null for other passes.
static llvm::Function *unrolledBy(llvm::StringRef pass, const llvm::Any &code) {
  auto *function = llvm::any_cast<const llvm::Function *>(&code);
  return pass == "LoopUnrollPass" && function
             ? const_cast<llvm::Function *>(*function)
             : nullptr;
}

void auspex::unrollWhatWarpsDoTogether(
    llvm::PassInstrumentationCallbacks &callbacks) {
  constexpr auto Own = llvm::Attribute::Convergent;
  callbacks.registerBeforeNonSkippedPassCallback(
      [](llvm::StringRef pass, const llvm::Any &code) {
        if (llvm::Function *function = unrolledBy(pass, code))
          replaceAttribute(*function, Own, Convergent);
      });
  callbacks.registerAfterPassCallback([](llvm::StringRef pass,
                                         const llvm::Any &code,
                                         const llvm::PreservedAnalyses &) {
    if (llvm::Function *function = unrolledBy(pass, code))
      replaceAttribute(*function, Convergent, Own);
  });
}
