// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Analysis/ModuleParts.h"

#include "CalledFunctions.h"
#include "auspex/Analysis/ModuleAnalysis.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace auspex;

/// How many instructions \p kernel has with those of what it calls.
static unsigned sizeOf(const llvm::Function &kernel) {
  unsigned size = kernel.getInstructionCount();
  for (const llvm::Function *callee : calledFunctions(kernel))
    size += callee->getInstructionCount();
  return size;
}

std::vector<ModulePart> auspex::divideKernels(const llvm::Module &module,
                                              unsigned count) {
  // What reading the rest of the module once more is worth.
  constexpr unsigned LeastInstructions = 200;
  // Its size, and its position.
  using Kernel = std::pair<unsigned, unsigned>;
  std::vector<Kernel> kernels;
  unsigned instructions = 0;
  for (const llvm::Function &function : module)
    if (isKernel(function)) {
      unsigned size = sizeOf(function);
      kernels.emplace_back(size, kernels.size());
      instructions += size;
    }
  count = std::min<unsigned>(count, kernels.size());
  count = std::min(count, instructions / LeastInstructions);
  std::vector<ModulePart> parts(std::max(count, 1u));
  std::vector<unsigned> sizes(parts.size());
  // The largest first, each to the part that is smallest so far.
  llvm::stable_sort(kernels, [](const Kernel &a, const Kernel &b) {
    return a.first > b.first;
  });
  for (auto [size, position] : kernels) {
    size_t smallest = llvm::min_element(sizes) - sizes.begin();
    parts[smallest].push_back(position);
    sizes[smallest] += size;
  }
  for (ModulePart &part : parts)
    llvm::sort(part);
  return parts;
}

llvm::Expected<std::unique_ptr<llvm::Module>>
auspex::readPart(llvm::StringRef bitcode, const ModulePart &part,
                 llvm::LLVMContext &context) {
  auto module =
      llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(bitcode, ""), context);
  if (!module)
    return module.takeError();
  unsigned position = 0;
  for (llvm::Function &function : **module)
    if (isKernel(function) && !llvm::binary_search(part, position++)) {
      function.deleteBody();
      function.setComdat(nullptr);
    }
  // What the other kernels write must not pass for constant.
  for (llvm::GlobalVariable &variable : (*module)->globals())
    if (variable.hasLocalLinkage() &&
        variable.getAddressSpace() != llvm::NVPTXAS::ADDRESS_SPACE_SHARED)
      variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
  if (llvm::Error error = (*module)->materializeAll())
    return std::move(error);
  return module;
}
