// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The CUDA sources of a build, compiled and predicted on all cores.
#ifndef AUSPEX_TOOLS_PROJECT_H
#define AUSPEX_TOOLS_PROJECT_H

#include "CompileCommands.h"
#include "PredictionInput.h"

namespace auspex {

/// What came of one command: its kernels once a GPU, or why there are none.
struct CompiledSource {
  CompileCommand command;
  std::vector<KernelsOnGPU> kernels;
  std::string problem;
  /// Nothing was compiled, for nothing had changed.
  bool isKept = false;
};

/// What is done with the kernels of the source of that number; its error is the
/// problem of the source. Several threads do it.
using UseKernels =
    llvm::function_ref<llvm::Error(size_t, llvm::ArrayRef<KernelsOnGPU>)>;

/// Compiles the CUDA sources of \p commands, which are the first ones, with the
/// flags behind "--", in their order for each of the \p gpus, or for the
/// architecture that they name; has what others call them with from all of the
/// sources; and goes on with \p use. The folder \p kept holds what earlier runs
/// compiled; it is made if it is missing, and nothing is kept if it is "". The
/// sources of C and C++ have no kernels, and a problem if they were to be read
/// and could not.
std::vector<CompiledSource>
compileProject(std::vector<CompileCommand> commands, llvm::ArrayRef<GPU> gpus,
               llvm::StringRef assembler, llvm::StringRef kept, UseKernels use);

/// What the commands name and the predictions go without, in sentences.
std::vector<std::string> leftOut(llvm::ArrayRef<CompiledSource> sources,
                                 bool areGpusNamed);

} // namespace auspex

#endif
