// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From what the plugin found out to what it says.
#ifndef AUSPEX_TOOLS_CLANGPLUGIN_PRINTREPORT_H
#define AUSPEX_TOOLS_CLANGPLUGIN_PRINTREPORT_H

#include "DeviceReport.h"
#include "RemarkEmitter.h"

namespace auspex {

/// Whether anybody would hear of predictions.
bool arePredictionsHeard(llvm::LLVMContext &context,
                         const PluginOptions &options);

/// Whether anybody would hear of anything: otherwise nothing is analysed.
bool isReportWanted(llvm::Module &module, const PluginOptions &options);

/// Prints \p report, in remarks at \p places and in the files that the options
/// name. \p module may have been optimised and compiled meanwhile.
void printReport(const llvm::Module &module, const RemarkPlaces &places,
                 DeviceReport report, const ReportRequest &request);

/// Says, once a module with kernels, that code without optimisation is not
/// analysed: what would be seen is not what anybody runs for its speed.
void printNotOptimized(llvm::Module &module);

} // namespace auspex

#endif
