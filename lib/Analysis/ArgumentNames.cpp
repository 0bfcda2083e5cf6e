// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ArgumentNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"

using namespace auspex;

/// Whether \p program has as many parameters as \p function. Its types begin
/// with that of the result.
static bool hasSameParameters(const llvm::DISubprogram &program,
                              const llvm::Function &function) {
  const llvm::DISubroutineType *type = program.getType();
  return type && type->getTypeArray() &&
         type->getTypeArray().size() == function.arg_size() + 1;
}

/// The variables of \p program, also those that it does not list itself.
template <typename Visit>
static void forEachVariable(const llvm::Function &function,
                            const llvm::DISubprogram &program, Visit visit) {
  for (const llvm::MDNode *node : program.getRetainedNodes())
    if (auto *variable = llvm::dyn_cast<llvm::DILocalVariable>(node))
      visit(*variable);
  for (const llvm::Instruction &instruction : llvm::instructions(function))
    for (const llvm::DbgVariableRecord &record :
         llvm::filterDbgVars(instruction.getDbgRecordRange()))
      if (record.getVariable()->getScope() == &program)
        visit(*record.getVariable());
}

llvm::SmallVector<llvm::StringRef>
auspex::argumentNames(const llvm::Function &function) {
  llvm::SmallVector<llvm::StringRef> names;
  for (const llvm::Argument &argument : function.args())
    names.push_back(argument.getName());
  const llvm::DISubprogram *program = function.getSubprogram();
  if (!program || !llvm::is_contained(names, "") ||
      !hasSameParameters(*program, function))
    return names;
  forEachVariable(
      function, *program, [&](const llvm::DILocalVariable &variable) {
        unsigned number = variable.getArg(); // from 1
        if (number > 0 && number <= names.size() && names[number - 1].empty())
          names[number - 1] = variable.getName();
      });
  return names;
}
