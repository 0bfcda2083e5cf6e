// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Findings as LLVM optimisation remarks: on screen with -Rpass-analysis=auspex
/// and -Rpass-missed=auspex, and in -fsave-optimization-record.
#ifndef AUSPEX_TOOLS_CLANGPLUGIN_REMARKEMITTER_H
#define AUSPEX_TOOLS_CLANGPLUGIN_REMARKEMITTER_H

#include "PluginOptions.h"
#include "auspex/Model/Prediction.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/ValueHandle.h"

namespace llvm {
class DISubprogram;
class Function;
class LLVMContext;
class Module;
} // namespace llvm

namespace auspex {

/// The name behind -Rpass-analysis= and -Rpass-missed=.
inline constexpr char RemarkPassName[] = "auspex";

/// Whether anybody asked for remarks of Auspex.
bool areRemarksWanted(llvm::LLVMContext &context);

/// Where remarks on a kernel go.
struct RemarkPlace {
  /// Null if it is there no more: then nobody asks for its remarks either.
  llvm::WeakTrackingVH kernel;
  /// Its scope in the source; null without line tables.
  llvm::DISubprogram *scope = nullptr;
};

/// The places of all kernels of a module. They outlive its line tables.
class RemarkPlaces {
public:
  explicit RemarkPlaces(llvm::Module &module);
  /// \p kernel is the name that it had then.
  const RemarkPlace &of(llvm::StringRef kernel) const {
    return places.find(kernel)->second;
  }

private:
  llvm::StringMap<RemarkPlace> places;
};

/// Emits the findings of one prediction at their places; advice that gains less
/// than \p options ask for stays unsaid.
void emitRemarks(const RemarkPlace &place, const Prediction &prediction,
                 const PluginOptions &options);

/// Emits one fact about a kernel that is no finding of a rule.
void emitFact(const RemarkPlace &place, llvm::StringRef name,
              llvm::StringRef message);

} // namespace auspex

#endif
