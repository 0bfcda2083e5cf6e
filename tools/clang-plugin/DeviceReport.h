// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// All that the plugin finds out about one device module. Finding it out
/// prints nothing and touches nothing of clang's.
#ifndef AUSPEX_TOOLS_CLANGPLUGIN_DEVICEREPORT_H
#define AUSPEX_TOOLS_CLANGPLUGIN_DEVICEREPORT_H

#include "PluginOptions.h"
#include "auspex/Analysis/ModuleParts.h"
#include "auspex/Frontend/Launches.h"
#include "auspex/Kernel/KernelSummary.h"
#include "auspex/Model/Prediction.h"
#include "llvm/Passes/OptimizationLevel.h"

#include <atomic>

namespace auspex {

/// What a device compilation is asked for, and what its source says.
struct ReportRequest {
  PluginOptions options;
  /// The launches of the source, pragmas included; those of files are in the
  /// options.
  LaunchSet launches;
  /// Whether the code is to be linked to others'.
  bool isRelocatable = false;
  /// Whether anybody hears of predictions; else kernels are only summarised.
  bool arePredictionsWanted = false;
};

struct DeviceReport {
  /// What was done in another way than asked for, and why.
  std::vector<std::string> notes;
  /// In the order of the module; arguments have the names of the source.
  std::vector<KernelSummary> summaries;
  /// The summaries and the launches as a document, and the code that was
  /// analysed, with the summaries, as bitcode; empty unless the options ask for
  /// them.
  std::string document, snapshot;
  std::vector<Prediction> predictions;
  /// A launch that cannot be predicted.
  struct Refusal {
    std::string kernel;
    std::string why;
  };
  std::vector<Refusal> refusals;
};

/// Some of a module's kernels, reported on.
struct PartReport;

/// Makes the report on the kernels of one device module, part after part, each
/// in a context of its own, so that several threads may share the work.
class ReportMaker {
public:
  /// \p module is copied. \p level is that of the pipeline of which the
  /// optimiser's part is still to come.
  ReportMaker(const llvm::Module &module, llvm::OptimizationLevel level,
              const ReportRequest &request);
  ~ReportMaker();

  /// Reports on parts that nobody has begun, until there is none. Crashes are
  /// contained.
  void work();

  /// The report, when every thread has returned from work. Errors are those of
  /// summarizeModule, and what runContained says of a crash.
  llvm::Expected<DeviceReport> take();

private:
  const llvm::OptimizationLevel level;
  const ReportRequest &request;
  llvm::SmallVector<char, 0> bitcode;
  std::vector<ModulePart> parts;
  std::atomic<size_t> begun = 0;
  std::vector<std::optional<llvm::Expected<PartReport>>> reports;
};

} // namespace auspex

#endif
