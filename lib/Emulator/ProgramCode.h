// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The functions and variables of a program that is ready to run.
#ifndef AUSPEX_LIB_EMULATOR_PROGRAMCODE_H
#define AUSPEX_LIB_EMULATOR_PROGRAMCODE_H

#include "Code.h"
#include "auspex/Emulator/DeviceMemory.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/GlobalVariable.h"

#include <map>
#include <memory>

namespace auspex::emulator {

/// Where a constant points to or what it is.
struct ConstantAddress {
  uint64_t value = 0;
  /// Then \p value is an offset from it.
  const llvm::GlobalVariable *shared = nullptr;
};

/// Where the shared arrays of a kernel lie.
struct SharedLayout {
  llvm::DenseMap<const llvm::GlobalVariable *, uint64_t> offsets;
  std::vector<std::pair<uint64_t, uint64_t>> arrays; ///< begin, end
  uint64_t staticInBytes = 0;
  /// Where dynamic shared memory begins.
  uint64_t dynamicOffset = 0;
};

struct ParameterPlace {
  uint64_t offset = 0, sizeInBytes = 0;
};
/// Where each parameter of a kernel lies in a launch's buffer, and behind them
/// its size.
std::vector<ParameterPlace> placeParameters(const llvm::Function &kernel);

/// Calls \p visit with every scalar of a type and its place.
void forScalars(llvm::Type *type, uint64_t offset,
                const llvm::DataLayout &layout,
                llvm::function_ref<void(const llvm::Type *, uint64_t)> visit);

class ProgramCode {
public:
  ProgramCode(const llvm::Module &module, DeviceMemory &memory)
      : module(module), memory(memory) {}
  ~ProgramCode();

  const llvm::Module &module;
  DeviceMemory &memory;

  /// Gives the variables memory and their first values.
  llvm::Error placeVariables();
  /// The function's code, made ready if it is not yet. An error says what it
  /// uses that there is not.
  llvm::Expected<Code *> decode(const llvm::Function &function);
  /// The code that a function pointer stands for; null if it is none.
  Code *codeAt(uint64_t address) const;
  /// What a pointer to \p function is.
  uint64_t addressOf(const llvm::Function &function);
  /// None if it is no constant that can be known.
  std::optional<ConstantAddress> evaluate(const llvm::Constant &constant);
  const SharedLayout &sharedLayout(const llvm::Function &kernel);
  std::optional<Allocation> variable(llvm::StringRef name) const;
  const llvm::DataLayout &layout() const { return module.getDataLayout(); }
  uint32_t numAccesses() const { return accesses; }
  /// Functions that are no kernels, as far as they are decoded.
  llvm::ArrayRef<const Code *> calleeCodes() const { return callees; }

private:
  uint32_t accesses = 0;
  std::vector<const Code *> callees;
  std::map<const llvm::Function *, std::unique_ptr<Code>> codes;
  /// Functions that are called by what was decoded, and are not yet.
  std::vector<const llvm::Function *> undecoded;
  llvm::DenseMap<const llvm::GlobalVariable *, Allocation> variables;
  std::vector<void *> owned;
  std::map<const llvm::Function *, SharedLayout> layouts;

  friend class Decoder;
  Code &shellOf(const llvm::Function &function);
  llvm::Error initialize(const llvm::Constant &value, char *at);
};

} // namespace auspex::emulator

#endif
