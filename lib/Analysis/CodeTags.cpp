// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CodeTags.h"

#include "ValueTranslator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace auspex;

using BlockNumbers = llvm::DenseMap<const llvm::BasicBlock *, unsigned>;

CodeTagger::CodeTagger(llvm::Module &module) : builder(module) {
  llvm::DIFile *file = builder.createFile("tags", "");
  // Line tables only: the assembler is never asked for them.
  unit = builder.createCompileUnit(
      llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_C), file, "auspex",
      /*isOptimized=*/false, "", 0, "", llvm::DICompileUnit::LineTablesOnly);
  type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
}

static void describeLoops(llvm::Function &function, const BlockNumbers &numbers,
                          CodeSnapshot &snapshot) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  llvm::DenseMap<const llvm::Loop *, int> loopNumbers;
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    int number = loopNumbers.size();
    loopNumbers[loop] = number;
    snapshot.loopParent.push_back(
        loop->getParentLoop() ? loopNumbers.lookup(loop->getParentLoop()) : -1);
    llvm::BasicBlock *before = loop->getLoopPredecessor();
    if (!before)
      before = dominators.getNode(loop->getHeader())->getIDom()->getBlock();
    snapshot.blockBeforeLoop.push_back(numbers.lookup(before));
  }
  dominators.updateDFSNumbers();
  for (llvm::BasicBlock &block : function) {
    const llvm::Loop *loop = loops.getLoopFor(&block);
    snapshot.loopOfBlock.push_back(loop ? loopNumbers.lookup(loop) : -1);
    llvm::DomTreeNode *node = dominators.getNode(&block);
    snapshot.dominatorSpan.emplace_back(node ? node->getDFSNumIn() : 0,
                                        node ? node->getDFSNumOut() : 0);
  }
}

void SourceLines::add(const llvm::Function &function) {
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &instruction : block)
      if (const llvm::DILocation *location = locationOf(instruction))
        if (unsigned line = number(*location))
          numbers[&instruction] = line;
}

unsigned SourceLines::number(const llvm::DILocation &location) {
  auto [known, isNew] = numberOfLocation.try_emplace(&location, 0);
  if (!isNew)
    return known->second;
  SourceLocation place = sourceLocation(&location).outsideSystemHeaders();
  // Columns and callers would make many entries of one line.
  SourceLocation line{place.file, place.line, 0, {}};
  if (!line.isKnown())
    return 0;
  auto [entry, isFirst] = numberOfLine.try_emplace(line.str(), lines.size());
  if (isFirst)
    lines.push_back(std::move(line));
  return known->second = entry->second;
}

static bool pointsIntoShared(const llvm::CallBase &call) {
  if (call.arg_empty() || !call.getArgOperand(0)->getType()->isPointerTy())
    return false;
  const llvm::Value *object = llvm::getUnderlyingObject(call.getArgOperand(0));
  return object->getType()->getPointerAddressSpace() ==
         llvm::NVPTXAS::ADDRESS_SPACE_SHARED;
}

CodeSnapshot CodeTagger::tag(llvm::Function &function,
                             const SourceLines &lines) {
  CodeSnapshot snapshot;
  snapshot.sourceLines = &lines;
  snapshot.function = &function;
  llvm::DISubprogram *scope = builder.createFunction(
      unit->getFile(), function.getName(), function.getName(), unit->getFile(),
      0, type, 0, llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition);
  function.setSubprogram(scope);
  BlockNumbers numbers;
  for (llvm::BasicBlock &block : function) {
    unsigned number = numbers.size();
    numbers[&block] = number;
    for (llvm::Instruction &instruction : block) {
      unsigned tag = snapshot.blockOfTag.size();
      instruction.setDebugLoc(
          llvm::DILocation::get(function.getContext(), tag, 0, scope));
      snapshot.blockOfTag.push_back(number);
      snapshot.lineOfTag.push_back(lines.lineOf(instruction));
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      auto *callee = call ? call->getCalledFunction() : nullptr;
      snapshot.calleeOfTag.push_back(callee ? callee->getName().str() : "");
      snapshot.isSharedOfTag.push_back(callee && pointsIntoShared(*call));
    }
  }
  describeLoops(function, numbers, snapshot);
  return snapshot;
}
