// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The NVPTX target machine that the analysis runs with.
#ifndef AUSPEX_LIB_ANALYSIS_TARGET_H
#define AUSPEX_LIB_ANALYSIS_TARGET_H

#include "auspex/Analysis/ModuleAnalysis.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace auspex {

/// The compute capability in "sm_90a": 90; 0 if it is no such name.
unsigned archOfCpu(llvm::StringRef cpu);
/// The compute capability a module was compiled for, if it says so; and with
/// that of sm_75, clang's default, in its place.
std::optional<unsigned> statedArch(const llvm::Module &module);
unsigned archOf(const llvm::Module &module);
/// That code was generated for; 0 if it is not known.
unsigned archOf(const llvm::MachineFunction &machine);

/// Gives \p module addresses of 32 bits in shared, constant and local memory,
/// as ptxas makes them whatever the compiler wrote: it folds what is added to
/// them into accesses, which in 64 bits are two additions each.
void shortenPointers(llvm::Module &module);

/// A machine for the module's architecture and data layout, and a PTX version
/// that knows it: \p ptx ("+ptx78") unless that is empty.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(const llvm::Module &module, llvm::StringRef ptx = {});

/// Functions carry the target they were compiled for, which wins over the
/// machine's; without it the machine decides.
void removeTargetAttributes(llvm::Module &module);

/// Whether passes that take time quadratic in the size of a function leave it
/// out: seconds for generated kernels of tens of thousands of instructions.
bool isLarge(const llvm::Function &function);

/// What clang runs after the point at which optimisers see the module first.
void runLatePipeline(llvm::Module &module, llvm::TargetMachine &machine,
                     const AnalysisOptions &options);

/// The type of the numbers that arrays in arrays and structs are made of: of
/// members the first.
const llvm::Type *scalarOf(const llvm::Type *type);

} // namespace auspex

#endif
