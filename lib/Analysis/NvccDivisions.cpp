// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvccDivisions.h"

#include "LoopMarks.h"
#include "Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace auspex;
using namespace llvm::PatternMatch;

using llvm::Instruction;

/// What the functions that are called are named, before the type.
static constexpr std::pair<unsigned, llvm::StringLiteral> Names[] = {
    {Instruction::UDiv, "auspex.udiv."},
    {Instruction::SDiv, "auspex.sdiv."},
    {Instruction::URem, "auspex.urem."},
    {Instruction::SRem, "auspex.srem."}};

/// \p value is the result, times a power of two.
static llvm::Value *withoutPowersOf2(llvm::Value *value) {
  // As many as unrolling leaves; in dead code there may be circles.
  constexpr unsigned MostFactors = 16;
  llvm::Value *factor = nullptr;
  for (unsigned i = 0; i < MostFactors &&
                       (match(value, m_c_Mul(m_Value(factor), m_Power2())) ||
                        match(value, m_Shl(m_Value(factor), m_ConstantInt())));
       ++i)
    value = factor;
  return value;
}

/// Whether \p value begins a loop as a power of two and is multiplied by
/// another one from turn to turn.
static bool isDoubled(llvm::Value *value) {
  auto *phi = llvm::dyn_cast<llvm::PHINode>(value);
  if (!phi || phi->getNumIncomingValues() != 2)
    return false;
  auto isStart = [](llvm::Value *start) { return match(start, m_Power2()); };
  auto isNext = [&](llvm::Value *next) {
    return next != phi && withoutPowersOf2(next) == phi;
  };
  llvm::Value *a = phi->getIncomingValue(0), *b = phi->getIncomingValue(1);
  return (isStart(a) && isNext(b)) || (isStart(b) && isNext(a));
}

static bool isByDoubled(const llvm::BinaryOperator &division) {
  return division.getType()->isIntegerTy() &&
         isDoubled(withoutPowersOf2(division.getOperand(1)));
}

/// The function that stands for \p division.
static llvm::FunctionCallee functionFor(llvm::BinaryOperator &division,
                                        llvm::StringRef name) {
  llvm::Type *type = division.getType();
  auto attributes = llvm::AttributeList().addFnAttributes(
      type->getContext(), llvm::AttrBuilder(type->getContext())
                              .addAttribute(llvm::Attribute::NoUnwind)
                              .addAttribute(llvm::Attribute::WillReturn)
                              .addMemoryAttr(llvm::MemoryEffects::none()));
  return division.getModule()->getOrInsertFunction(
      (name + "i" + std::to_string(type->getIntegerBitWidth())).str(),
      llvm::FunctionType::get(type, {type, type}, false), attributes);
}

llvm::PreservedAnalyses HideDivisions::run(llvm::Function &function,
                                           llvm::FunctionAnalysisManager &) {
  // Its optimiser for Blackwell knows too.
  if (archOf(*function.getParent()) >= OptimizedByNewer)
    return llvm::PreservedAnalyses::all();
  bool isChanged = false;
  for (Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *division = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
    if (!division)
      continue;
    for (const auto &[opcode, name] : Names)
      if (division->getOpcode() == opcode && isByDoubled(*division)) {
        llvm::ReplaceInstWithInst(
            division, llvm::CallInst::Create(
                          functionFor(*division, name),
                          {division->getOperand(0), division->getOperand(1)}));
        isChanged = true;
        break;
      }
  }
  return isChanged ? llvm::PreservedAnalyses::none()
                   : llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses RestoreDivisions::run(llvm::Module &module,
                                              llvm::ModuleAnalysisManager &) {
  bool isChanged = false;
  for (llvm::Function &function : llvm::make_early_inc_range(module))
    for (const auto &[opcode, name] : Names) {
      if (!function.getName().starts_with(name))
        continue;
      for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
        auto *call = llvm::cast<llvm::CallInst>(user);
        llvm::ReplaceInstWithInst(
            call, llvm::BinaryOperator::Create(
                      static_cast<Instruction::BinaryOps>(opcode),
                      call->getArgOperand(0), call->getArgOperand(1)));
      }
      function.eraseFromParent();
      isChanged = true;
      break;
    }
  return isChanged ? llvm::PreservedAnalyses::none()
                   : llvm::PreservedAnalyses::all();
}
