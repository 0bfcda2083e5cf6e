// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What LLVM wants to be set up before it takes device code.
#ifndef AUSPEX_ANALYSIS_LLVMSETUP_H
#define AUSPEX_ANALYSIS_LLVMSETUP_H

#include "llvm/Passes/PassBuilder.h"

namespace auspex {

/// Makes the NVPTX back end known, for programs that link it.
void initializeNVPTX();

/// The managers of all kinds of analyses, which know each other and the
/// analyses of \p builder.
struct AnalysisManagers {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;

  explicit AnalysisManagers(llvm::PassBuilder &builder) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }
};

} // namespace auspex

#endif
