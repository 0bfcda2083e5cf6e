// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LineTables.h"

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <map>

using namespace auspex;

bool auspex::addLineTables(clang::CompilerInstance &compiler) {
  clang::CodeGenOptions &options = compiler.getCodeGenOpts();
  // Without the optimiser's pipeline nobody would remove them, and without
  // optimisation nothing is reported.
  if (options.getDebugInfo() != llvm::codegenoptions::NoDebugInfo ||
      options.OptimizationLevel == 0 || options.DisableLLVMPasses)
    return false;
  options.setDebugInfo(llvm::codegenoptions::LocTrackingOnly);
  return true;
}

namespace {

/// Gives loops the metadata they would have without line tables. Copies of a
/// loop share one node then; with line tables, inlining gives each its own. A
/// place in the source tells which loops are copies.
class LoopProperties {
public:
  llvm::MDNode *withoutLocations(llvm::MDNode *loop) {
    Key key;
    for (const llvm::MDOperand &operand : llvm::drop_begin(loop->operands())) {
      auto *location = llvm::dyn_cast_or_null<llvm::DILocation>(operand.get());
      if (!location)
        key.properties.push_back(operand.get());
      else if (!key.scope)
        key = {location->getScope(), location->getLine(), location->getColumn(),
               std::move(key.properties)};
    }
    if (!key.scope)
      return loop;
    if (key.properties.empty())
      return nullptr;
    llvm::MDNode *&node = nodes[key];
    if (!node)
      node = create(loop->getContext(), key.properties);
    return node;
  }

private:
  struct Key {
    const llvm::Metadata *scope = nullptr;
    unsigned line = 0, column = 0;
    std::vector<llvm::Metadata *> properties;

    auto operator<=>(const Key &) const = default;
  };
  std::map<Key, llvm::MDNode *> nodes;

  static llvm::MDNode *create(llvm::LLVMContext &context,
                              llvm::ArrayRef<llvm::Metadata *> properties) {
    llvm::SmallVector<llvm::Metadata *, 4> operands = {nullptr};
    llvm::append_range(operands, properties);
    llvm::MDNode *node = llvm::MDNode::getDistinct(context, operands);
    node->replaceOperandWith(0, node);
    return node;
  }
};

} // namespace

static void removeFrom(llvm::Function &function, LoopProperties &properties) {
  function.setSubprogram(nullptr);
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block) {
      instruction.setDebugLoc(llvm::DebugLoc());
      if (auto *loop = instruction.getMetadata(llvm::LLVMContext::MD_loop))
        instruction.setMetadata(llvm::LLVMContext::MD_loop,
                                properties.withoutLocations(loop));
    }
}

void auspex::removeLineTables(llvm::Module &module) {
  LoopProperties properties;
  for (llvm::Function &function : module)
    removeFrom(function, properties);
  if (llvm::NamedMDNode *units = module.getNamedMetadata("llvm.dbg.cu"))
    module.eraseNamedMetadata(units);
  llvm::NamedMDNode *flags = module.getModuleFlagsMetadata();
  if (!flags)
    return;
  std::vector<llvm::MDNode *> kept;
  for (llvm::MDNode *flag : flags->operands()) {
    auto *name = llvm::dyn_cast<llvm::MDString>(flag->getOperand(1));
    if (!name || name->getString() != "Debug Info Version")
      kept.push_back(flag);
  }
  flags->clearOperands();
  for (llvm::MDNode *flag : kept)
    flags->addOperand(flag);
}
