// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The second look at a kernel: what becomes of its blocks in machine code.
///
/// Every instruction of the snapshot gets a unique location (its tag). The rest
/// of the optimisation pipeline and the NVPTX back end run on the snapshot, and
/// the tags that arrive with the machine instructions say which block of the
/// snapshot each machine block belongs to, and how often loops were unrolled.
#ifndef AUSPEX_LIB_ANALYSIS_MACHINECODEREADER_H
#define AUSPEX_LIB_ANALYSIS_MACHINECODEREADER_H

#include "RegisterEstimate.h"
#include "auspex/Analysis/ModuleAnalysis.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/OptimizationLevel.h"
#include "llvm/Target/TargetMachine.h"

namespace auspex {

/// A loop that the assembler has in versions, of one block.
struct LoopOfVersions {
  /// By their numbers in the snapshot: the block, and the one before the loop.
  unsigned body = 0, before = 0;
  /// Of how many turns each version has copies.
  unsigned unroll = 1;
};

/// What the machine code of one kernel says.
struct KernelCode {
  /// Versions of code for every block of the snapshot, by its number.
  std::vector<std::vector<MachineCode>> blocks;
  /// As Block::predicatedIn, by the same number.
  std::vector<int> predicatedIn;
  /// Whether a block ends with a branch forward that the assembler keeps.
  std::vector<bool> forks;
  std::vector<LoopOfVersions> loopsOfVersions;
  RegisterUse registers;
  /// Private arrays that are indexed; no spills.
  uint64_t localInBytes = 0;
};

/// Runs the rest of the pipeline and code generation on \p module, which is
/// used up, and reads the code of its kernels in the order of \p kernels.
std::vector<KernelCode>
readMachineCode(llvm::Module &module, llvm::TargetMachine &machine,
                llvm::ArrayRef<llvm::Function *> kernels,
                const AnalysisOptions &options);

} // namespace auspex

#endif
