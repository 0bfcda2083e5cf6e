// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From NVPTX IR to kernel summaries.
#ifndef AUSPEX_ANALYSIS_MODULEANALYSIS_H
#define AUSPEX_ANALYSIS_MODULEANALYSIS_H

#include "auspex/Kernel/KernelSummary.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/OptimizationLevel.h"

#include <functional>

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace auspex {

/// What ptxas says of one kernel. Local memory a thread, that of functions it
/// calls with it; the bytes of the instructions that spill.
struct AssembledKernel {
  unsigned registers = 0;
  uint64_t localInBytes = 0, spillStoresInBytes = 0, spillLoadsInBytes = 0;
};
/// By the name of the kernel.
using AssemblerReport = llvm::StringMap<AssembledKernel>;

struct AnalysisOptions {
  /// What is still to come after the point where the module was caught: the
  /// rest of this level's pipeline. O0 for code that is optimised already.
  llvm::OptimizationLevel remainingPipeline = llvm::OptimizationLevel::O2;
  /// The most registers a thread, for kernels without launch bounds; 0: as many
  /// as the architecture has.
  unsigned maxRegisters = 0;
  /// The program that counts is compiled by nvcc. It copies 16 aligned bytes, a
  /// float4 say, with one load and one store, where LLVM has two, unrolls
  /// twice, and adds up indices.
  bool isForNvcc = false;
  /// Others' code is linked to it (-fgpu-rdc). Then the linker places shared
  /// arrays, and the assembler cannot align them to its liking.
  bool isRelocatable = false;
  /// Takes the code that the summaries describe, in the module's context, with
  /// the metadata of Kernel/SnapshotMetadata.h on its instructions; null if
  /// nobody wants it.
  std::unique_ptr<llvm::Module> *snapshot = nullptr;
  /// What Assembler.h gives; null, or without a kernel: registers and spills
  /// are estimated.
  const AssemblerReport *assembled = nullptr;
};

/// Whether \p function is a kernel: a definition with the kernel calling
/// convention.
bool isKernel(const llvm::Function &function);

/// What the variable is named that is read for the size of a warp in code that
/// is optimised as nvcc does. Nothing defines it.
inline constexpr llvm::StringLiteral HiddenWarpSize = "__auspex_warp_size";

/// Has \p builder's pipelines divide where nvcc does, unswitch loops as it
/// does, as far as LLVM may go (-unswitch-threshold), and unroll whole what it
/// does, if LLVM would go as far as 3000 instructions (-unroll-threshold). For
/// code that no GPU runs; what looks at it comes later. \p isUnhinted says of
/// where a loop begins whether nvcc takes no notice of how often the source has
/// it unrolled.
void optimizeAsNvcc(llvm::PassBuilder &builder,
                    std::function<bool(const llvm::DILocation &)> isUnhinted);

/// The summaries of all kernels of \p module in its order. The module is used
/// up. An error says that it is not NVPTX code or that LLVM has no NVPTX back
/// end.
llvm::Expected<std::vector<KernelSummary>>
summarizeModule(llvm::Module &module, const AnalysisOptions &options);

} // namespace auspex

#endif
