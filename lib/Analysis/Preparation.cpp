// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Preparation.h"

#include "AccessesOfSpaces.h"
#include "ConvertedAddresses.h"
#include "HostValues.h"
#include "NvccJoins.h"
#include "Target.h"
#include "ValueTranslator.h"
#include "auspex/Analysis/ModuleAnalysis.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SeparateConstOffsetFromGEP.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

using namespace auspex;

/// The assembler, which places shared arrays, aligns them as its widest
/// accesses need, and joins loads and stores that are neighbours then, four at
/// most; here the load-store vectoriser does. (It leaves bytes alone, but an
/// array of bytes mostly stands for something wider.)
static void alignSharedArrays(llvm::Module &module) {
  const llvm::Align word(4), widestOfHalves(8), widest(16);
  for (llvm::GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == llvm::NVPTXAS::ADDRESS_SPACE_SHARED) {
      const llvm::Type *scalar = scalarOf(variable.getValueType());
      llvm::Align own = variable.getAlign().valueOrOne();
      // Halves in pairs (half2) are words.
      bool isOfHalves = scalar->getScalarSizeInBits() == 16 && own < word;
      variable.setAlignment(
          std::max(isOfHalves ? widestOfHalves : widest, own));
    }
}

void auspex::prepareModule(llvm::Module &module,
                           llvm::ModuleAnalysisManager &modules,
                           const AnalysisOptions &options) {
  removeTargetAttributes(module);
  constexpr unsigned LargestInlined = 20000;
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || isKernel(function))
      continue;
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.setComdat(nullptr);
    if (function.getInstructionCount() > LargestInlined)
      continue;
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
  if (!options.isRelocatable)
    alignSharedArrays(module);
  llvm::ModulePassManager inlining;
  inlining.addPass(llvm::AlwaysInlinerPass());
  inlining.addPass(llvm::GlobalDCEPass());
  inlining.run(module, modules);
}

/// Gives every cycle of the control flow one entry, as loops have: the analyses
/// know of no other cycles, and would take their blocks for code that runs
/// once.
static void makeReducible(llvm::Function &function,
                          llvm::FunctionAnalysisManager &functions) {
  const auto &loops = functions.getResult<llvm::LoopAnalysis>(function);
  using Order = llvm::ReversePostOrderTraversal<const llvm::Function *>;
  Order order(&function);
  if (!llvm::containsIrreducibleCFG<const llvm::BasicBlock *, const Order,
                                    const llvm::LoopInfo>(order, loops))
    return;
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::LowerSwitchPass()); // the other pass wants branches only
  passes.addPass(llvm::FixIrreduciblePass());
  passes.run(function, functions);
}

/// The code generator writes copies and fills of this size and above, and of
/// unknown size, as loops (MaxAggrCopySize of NVPTXLowerAggrCopies.cpp).
static bool becomesLoop(const llvm::MemIntrinsic &copy) {
  constexpr uint64_t Smallest = 128;
  auto *size = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  return !size || size->getValue().uge(Smallest);
}

/// True if it made a loop of \p copy.
static bool expandCopy(llvm::MemIntrinsic &copy,
                       const llvm::TargetTransformInfo &target) {
  if (auto *move = llvm::dyn_cast<llvm::MemMoveInst>(&copy))
    return llvm::expandMemMoveAsLoop(move, target);
  if (auto *plain = llvm::dyn_cast<llvm::MemCpyInst>(&copy))
    llvm::expandMemCpyAsLoop(plain, target);
  else if (auto *fill = llvm::dyn_cast<llvm::MemSetInst>(&copy))
    llvm::expandMemSetAsLoop(fill);
  else
    return false;
  return true;
}

static void expandCopies(llvm::Function &function,
                         llvm::FunctionAnalysisManager &functions) {
  const auto &target = functions.getResult<llvm::TargetIRAnalysis>(function);
  llvm::SmallVector<llvm::MemIntrinsic *> copies;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *copy = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
      if (becomesLoop(*copy))
        copies.push_back(copy);
  for (llvm::MemIntrinsic *copy : copies)
    if (expandCopy(*copy, target))
      copy->eraseFromParent();
}

/// Gives copies and fills that stay what is known of the alignment of their
/// addresses, as loads and stores are given it: clang goes by the declaration
/// of the array alone.
static void alignCopies(llvm::Function &function,
                        llvm::FunctionAnalysisManager &functions) {
  const llvm::DataLayout &layout = function.getDataLayout();
  auto &assumptions = functions.getResult<llvm::AssumptionAnalysis>(function);
  auto &dominators = functions.getResult<llvm::DominatorTreeAnalysis>(function);
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *copy = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction);
    if (!copy)
      continue;
    auto known = [&](llvm::Value *pointer, llvm::MaybeAlign stated) {
      return std::max(stated.valueOrOne(),
                      llvm::getKnownAlignment(pointer, layout, copy,
                                              &assumptions, &dominators));
    };
    copy->setDestAlignment(known(copy->getRawDest(), copy->getDestAlign()));
    if (auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(copy))
      transfer->setSourceAlignment(
          known(transfer->getRawSource(), transfer->getSourceAlign()));
  }
}

/// Inline assembly that touches no memory gets to its end. Clang does not say
/// so, which keeps loads before it and behind it from being joined.
static void letAssemblyReturn(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      if (call->isInlineAsm() && call->doesNotAccessMemory())
        call->addFnAttr(llvm::Attribute::WillReturn);
}

/// Takes a vector of members of a struct argument apart again: members are
/// operands of instructions, each by itself, and nothing loads them together.
static void splitMemberLoad(llvm::LoadInst &load) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(load.getType());
  if (!vector || hostValue(load).empty())
    return;
  uint64_t size =
      load.getDataLayout().getTypeStoreSize(vector->getElementType());
  llvm::IRBuilder<> builder(&load);
  auto member = [&](uint64_t index, llvm::Type *type) {
    return builder.CreateLoad(
        type, builder.CreateConstInBoundsGEP1_64(
                  builder.getInt8Ty(), load.getPointerOperand(), index * size));
  };
  for (llvm::User *user : llvm::make_early_inc_range(load.users())) {
    auto *element = llvm::dyn_cast<llvm::ExtractElementInst>(user);
    auto *index =
        element ? llvm::dyn_cast<llvm::ConstantInt>(element->getIndexOperand())
                : nullptr;
    if (!index)
      continue;
    for (llvm::User *cast : llvm::make_early_inc_range(element->users()))
      if (auto *pointer = llvm::dyn_cast<llvm::IntToPtrInst>(cast)) {
        pointer->replaceAllUsesWith(
            member(index->getZExtValue(), pointer->getType()));
        pointer->eraseFromParent();
      }
    element->replaceAllUsesWith(
        member(index->getZExtValue(), element->getType()));
    element->eraseFromParent();
  }
  if (load.use_empty())
    load.eraseFromParent();
}

/// The code has made x | 3 of (x & ~3) | 3: beside an x & ~3 it is that and a
/// constant again, as the addresses of neighbours have to be.
static void separateLowBits(llvm::Function &function,
                            llvm::FunctionAnalysisManager &functions) {
  using namespace llvm::PatternMatch;
  const auto &dominators =
      functions.getResult<llvm::DominatorTreeAnalysis>(function);
  const llvm::SimplifyQuery query(function.getDataLayout());
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    llvm::Value *x = nullptr;
    const llvm::APInt *low = nullptr, *high = nullptr;
    if (!match(&instruction, m_Or(m_Value(x), m_APInt(low))) ||
        llvm::isa<llvm::Constant>(x))
      continue;
    for (llvm::User *user : x->users()) {
      auto *rest = llvm::dyn_cast<llvm::Instruction>(user);
      if (!rest || !match(rest, m_And(m_Specific(x), m_APInt(high))) ||
          high->intersects(*low) || !dominators.dominates(rest, &instruction) ||
          !llvm::MaskedValueIsZero(x, ~(*low | *high), query))
        continue;
      instruction.setOperand(0, rest);
      llvm::cast<llvm::PossiblyDisjointInst>(instruction).setIsDisjoint(true);
      break;
    }
  }
}

std::vector<llvm::BasicBlock *>
auspex::splitLongBlocks(llvm::Function &function) {
  constexpr unsigned MaxLength = 512;
  std::vector<llvm::BasicBlock *> blocks, rests;
  for (llvm::BasicBlock &block : function)
    blocks.push_back(&block);
  for (llvm::BasicBlock *block : blocks) {
    std::vector<llvm::Instruction *> starts;
    auto start = block->getFirstNonPHIIt();
    size_t length = block->size();
    for (size_t done = std::distance(block->begin(), start) + MaxLength;
         length > 2 * MaxLength; length -= done, done = MaxLength) {
      std::advance(start, MaxLength);
      starts.push_back(&*start);
    }
    // From the last on, as all that is behind a place moves.
    size_t first = rests.size();
    for (llvm::Instruction *place : llvm::reverse(starts))
      rests.push_back(block->splitBasicBlock(place));
    std::reverse(rests.begin() + first, rests.end());
  }
  return rests;
}

void auspex::prepareKernel(llvm::Function &kernel,
                           llvm::FunctionAnalysisManager &functions,
                           llvm::OptimizationLevel level, bool isForNvcc) {
  auto forget = [&] {
    functions.invalidate(kernel, llvm::PreservedAnalyses::none());
  };
  llvm::EliminateUnreachableBlocks(kernel);
  letAssemblyReturn(kernel);
  castConvertedAddresses(kernel);
  splitAccessesOfSpaces(kernel);
  forget();
  makeReducible(kernel, functions);
  separateLowBits(kernel, functions);
  llvm::FunctionPassManager simplification, unrolling, vectorization;
  simplification.addPass(llvm::InferAddressSpacesPass());
  // Of addresses that differ by a constant it leaves one and offsets.
  simplification.addPass(llvm::SeparateConstOffsetFromGEPPass());
  simplification.addPass(llvm::EarlyCSEPass());
  if (isForNvcc)
    simplification.addPass(llvm::DSEPass());
  simplification.run(kernel, functions);
  if (level != llvm::OptimizationLevel::O0) {
    forget();
    unrolling.addPass(llvm::createFunctionToLoopPassAdaptor(
        llvm::LoopFullUnrollPass(level.getSpeedupLevel())));
    unrolling.run(kernel, functions);
    forget();
    simplification.run(kernel, functions);
  }
  std::vector<llvm::BasicBlock *> rests = splitLongBlocks(kernel);
  forget();
  vectorization.addPass(llvm::InferAlignmentPass());
  if (isForNvcc)
    vectorization.addPass(KeepApartAsNvcc());
  vectorization.addPass(llvm::LoadStoreVectorizerPass());
  vectorization.run(kernel, functions);
  llvm::SmallVector<llvm::LoadInst *> loads;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      loads.push_back(load);
  for (llvm::LoadInst *load : loads)
    splitMemberLoad(*load);
  for (llvm::BasicBlock *rest : rests)
    llvm::MergeBlockIntoPredecessor(rest);
  forget();
  expandCopies(kernel, functions);
  forget();
  alignCopies(kernel, functions);
}
