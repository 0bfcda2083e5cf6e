// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From what the plugin gathered to what it says.
#ifndef AUSPEX_TOOLS_CLANGPLUGIN_REPORTMODULE_H
#define AUSPEX_TOOLS_CLANGPLUGIN_REPORTMODULE_H

#include "PluginOptions.h"
#include "auspex/Frontend/Launches.h"
#include "auspex/Kernel/KernelSummary.h"

namespace llvm {
class Module;
}

namespace auspex {

/// Whether anybody would hear of it: otherwise nothing is analysed.
bool isReportWanted(llvm::Module &module, const PluginOptions &options);

/// Writes the code that was analysed, with the summaries, to the file that the
/// options name.
void writeSnapshotFile(llvm::Module &snapshot,
                       llvm::ArrayRef<KernelSummary> summaries,
                       const LaunchSet &launches, const PluginOptions &options);

/// Reports on the kernels of a device module, whose arguments have their names
/// by now. \p launches are those of the source, pragmas included; those of
/// files are in the options.
void reportModule(llvm::Module &module, std::vector<KernelSummary> summaries,
                  const LaunchSet &launches, const PluginOptions &options);

/// Says, once a module with kernels, that code without optimisation is not
/// analysed: what would be seen is not what anybody runs for its speed.
void reportNotOptimized(llvm::Module &module);

} // namespace auspex

#endif
