// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchBounds.h"

#include "auspex/Analysis/ModuleAnalysis.h"
#include "auspex/HW/Occupancy.h"
#include "llvm/ADT/SmallVector.h"

using namespace auspex;

/// The numbers of an attribute: 16 and 8 of "16,8".
static llvm::SmallVector<unsigned, 3> numbersOf(const llvm::Function &kernel,
                                                llvm::StringRef attribute) {
  llvm::SmallVector<unsigned, 3> numbers;
  llvm::StringRef rest = kernel.getFnAttribute(attribute).getValueAsString();
  for (unsigned number; !rest.consumeInteger(10, number);
       rest.consume_front(","))
    numbers.push_back(number);
  return numbers;
}

LaunchBounds auspex::launchBoundsOf(const llvm::Function &kernel) {
  LaunchBounds bounds;
  // "16,16" bounds the product.
  for (unsigned side : numbersOf(kernel, "nvvm.maxntid"))
    bounds.maxThreadsPerBlock = std::max(1u, bounds.maxThreadsPerBlock) * side;
  for (unsigned blocks : numbersOf(kernel, "nvvm.minctasm"))
    bounds.minBlocksPerSM = blocks;
  for (unsigned registers : numbersOf(kernel, "nvvm.maxnreg"))
    bounds.maxRegisters = registers;
  llvm::SmallVector<unsigned, 3> required = numbersOf(kernel, "nvvm.reqntid");
  for (size_t i = 0; i < required.size() && i < 3; ++i)
    bounds.requiredBlock[i] = required[i];
  return bounds;
}

void auspex::boundRegisters(llvm::Module &module, unsigned maxRegisters) {
  if (!maxRegisters)
    return;
  for (llvm::Function &function : module)
    if (isKernel(function) && !launchBoundsOf(function).areStated())
      function.addFnAttr("nvvm.maxnreg", std::to_string(maxRegisters));
}

/// The threads of a block that \p bounds promise at most; 0 if they say
/// nothing.
static unsigned threadsPromised(const LaunchBounds &bounds) {
  if (unsigned x = bounds.requiredBlock[0])
    return x * std::max(1u, bounds.requiredBlock[1]) *
           std::max(1u, bounds.requiredBlock[2]);
  return bounds.maxThreadsPerBlock;
}

/// The registers that \p bounds leave a thread.
static unsigned registersAllowed(const LaunchBounds &bounds,
                                 const SMLimits &limits) {
  unsigned allowed = limits.registersPerThread;
  if (bounds.maxRegisters)
    return std::min(allowed, bounds.maxRegisters);
  BlockResources block;
  block.threadsPerBlock = threadsPromised(bounds);
  if (!block.threadsPerBlock)
    return allowed;
  // Bounds that no SM can keep are no bounds.
  unsigned most =
      mostRegisters(limits, block, std::max(1u, bounds.minBlocksPerSM));
  return most ? std::min(allowed, most) : allowed;
}

RegisterBudget auspex::registerBudget(const LaunchBounds &bounds,
                                      unsigned arch) {
  RegisterBudget budget;
  std::optional<SMLimits> limits = smLimitsOfArch(arch);
  if (!limits) {
    if (bounds.maxRegisters)
      budget.allowed = std::min(budget.allowed, bounds.maxRegisters);
    return budget;
  }
  budget.allowed = std::min(budget.allowed, registersAllowed(bounds, *limits));
  budget.isStated =
      bounds.maxRegisters || (bounds.minBlocksPerSM && threadsPromised(bounds));
  if (budget.isStated) {
    budget.atWantedOccupancy = budget.allowed;
    return budget;
  }
  constexpr unsigned Blocks = 2;
  BlockResources block;
  block.threadsPerBlock = limits->threadsPerSM / Blocks;
  budget.atWantedOccupancy =
      std::min(budget.allowed, mostRegisters(*limits, block, Blocks));
  return budget;
}
