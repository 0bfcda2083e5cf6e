// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The clone of a module that the analysis looks at, and what is done to it
/// before: nothing that changes what runs on the GPU, only what the code
/// generator does later anyway or what analyses need to see anything.
#ifndef AUSPEX_LIB_ANALYSIS_PREPARATION_H
#define AUSPEX_LIB_ANALYSIS_PREPARATION_H

#include "llvm/IR/PassManager.h"
#include "llvm/Passes/OptimizationLevel.h"

#include <memory>
#include <vector>

namespace llvm {
class BasicBlock;
} // namespace llvm

namespace auspex {

struct AnalysisOptions;

/// Gives \p module attributes that fit our machine, and leaves nothing in it
/// but kernels, into which the functions they call are inlined as far as that
/// is possible.
void prepareModule(llvm::Module &module, llvm::ModuleAnalysisManager &modules,
                   const AnalysisOptions &options);

/// Makes a kernel fit to be looked at: no unreachable blocks; one entry for
/// every cycle; pointers in the address spaces that they point to; short loops
/// unrolled if the pipeline of \p level has yet to do that; accesses of the
/// same address made once and neighbours joined to wide ones, and large copies
/// written as loops, as the code generator does it; small ones with the
/// alignment that follows from their addresses. What is known of the kernel
/// is not valid any more.
void prepareKernel(llvm::Function &kernel,
                   llvm::FunctionAnalysisManager &functions,
                   llvm::OptimizationLevel level, bool isForNvcc);

/// The load-store vectoriser looks at pairs of a block: cuts blocks to a length
/// at which that is cheap. Returns the blocks that it made, in order, each to
/// be merged into the one before.
std::vector<llvm::BasicBlock *> splitLongBlocks(llvm::Function &function);

} // namespace auspex

#endif
