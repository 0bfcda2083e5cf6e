// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Writing the device code that was analysed, so that it can be run.
#ifndef AUSPEX_ANALYSIS_SNAPSHOT_H
#define AUSPEX_ANALYSIS_SNAPSHOT_H

#include "auspex/Kernel/LaunchConfig.h"
#include "llvm/IR/Module.h"

namespace auspex {

/// Puts what was found out about its kernels into \p snapshot, a module that
/// summarizeModule made, and writes its bitcode.
void writeSnapshot(llvm::Module &snapshot,
                   llvm::ArrayRef<KernelSummary> summaries,
                   llvm::ArrayRef<LaunchConfig> launches,
                   llvm::raw_ostream &os);

} // namespace auspex

#endif
