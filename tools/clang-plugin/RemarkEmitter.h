// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Findings as LLVM optimisation remarks: on screen with -Rpass-analysis=auspex
/// and -Rpass-missed=auspex, and in -fsave-optimization-record.
#ifndef AUSPEX_TOOLS_CLANGPLUGIN_REMARKEMITTER_H
#define AUSPEX_TOOLS_CLANGPLUGIN_REMARKEMITTER_H

#include "PluginOptions.h"
#include "auspex/Model/Prediction.h"

namespace llvm {
class Function;
class LLVMContext;
} // namespace llvm

namespace auspex {

/// The name behind -Rpass-analysis= and -Rpass-missed=.
inline constexpr char RemarkPassName[] = "auspex";

/// Whether anybody asked for remarks of Auspex.
bool areRemarksWanted(llvm::LLVMContext &context);

/// Emits the findings of one prediction at their places; advice that gains less
/// than \p options ask for stays unsaid.
void emitRemarks(llvm::Function &kernel, const Prediction &prediction,
                 const PluginOptions &options);

/// Emits one fact about \p kernel that is no finding of a rule.
void emitFact(llvm::Function &kernel, llvm::StringRef name,
              llvm::StringRef message);

} // namespace auspex

#endif
