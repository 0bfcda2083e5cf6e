// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Registers and spills as ptxas allocates them. Asking takes an assembler and
/// tens of milliseconds, so it is done only for those who want it.
#ifndef AUSPEX_ANALYSIS_ASSEMBLER_H
#define AUSPEX_ANALYSIS_ASSEMBLER_H

#include "auspex/Analysis/ModuleAnalysis.h"

namespace auspex {

/// The ptxas at \p path (a program or a toolkit's folder); if \p path is empty,
/// that of CUDA_PATH, CUDA_HOME, PATH or /usr/local/cuda.
llvm::Expected<std::string> findAssembler(llvm::StringRef path = "");

/// Compiles a copy of \p module to PTX and has \p assembler assemble it.
llvm::Expected<AssemblerReport> assemble(const llvm::Module &module,
                                         const AnalysisOptions &options,
                                         llvm::StringRef assembler);

/// What `ptxas -v` printed about kernels.
AssemblerReport readAssemblerReport(llvm::StringRef report);

} // namespace auspex

#endif
