// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// When the report on a device module is made and printed: at once, or while
/// clang goes on compiling.
#ifndef AUSPEX_TOOLS_CLANGPLUGIN_MODULEREPORTER_H
#define AUSPEX_TOOLS_CLANGPLUGIN_MODULEREPORTER_H

#include "DeviceReport.h"
#include "RemarkEmitter.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"

namespace llvm {
class PassBuilder;
}

namespace auspex {

/// Reports on the one module of a device compilation.
class ModuleReporter : public std::enable_shared_from_this<ModuleReporter> {
public:
  explicit ModuleReporter(PluginOptions options) {
    request.options = std::move(options);
  }

  /// The code is to be linked to others'.
  void setRelocatable() { request.isRelocatable = true; }
  /// Has line tables, which are the plugin's own, removed once they are read.
  void ownLineTables() { ownsLineTables = true; }
  /// Has a thread of its own work on the report, beside the one that waits for
  /// it.
  void setConcurrent() { isConcurrent = true; }
  /// Has the report finished and printed when code is generated. To be called
  /// only if clang is going to generate code.
  void overlapWithCodeGeneration();
  /// What the source says, before its module comes.
  void setLaunches(LaunchSet launches) {
    request.launches = std::move(launches);
  }

  /// Puts the reporter's pass into what \p builder builds.
  void addTo(llvm::PassBuilder &builder);

  /// Starts the report on \p module, which the rest of the pipeline of \p level
  /// is to run on.
  void start(llvm::Module &module, llvm::OptimizationLevel level);
  /// Prints the report if \p module is what it is on.
  void finish(const llvm::Module &module);

private:
  ReportRequest request;
  bool ownsLineTables = false;
  bool isConcurrent = false;
  std::optional<llvm::RegisterTargetPassConfigCallback> codeGeneration;
  /// What is reported on, between start and finish.
  const llvm::Module *module = nullptr;
  std::optional<RemarkPlaces> places;
  std::unique_ptr<ReportMaker> maker;
};

} // namespace auspex

#endif
