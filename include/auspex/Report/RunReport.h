// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the launches of a program would take, as text and as JSON
/// (docs/run.md).
#ifndef AUSPEX_REPORT_RUNREPORT_H
#define AUSPEX_REPORT_RUNREPORT_H

#include "auspex/Kernel/RunRecord.h"
#include "auspex/Model/Prediction.h"

namespace auspex {

/// A group of launches with the prediction of one of them.
struct PredictedGroup {
  const LaunchGroup *group = nullptr;
  const KernelSummary *summary = nullptr;
  Prediction prediction;

  double totalInUs() const {
    return prediction.timeInUs.value_or(0) * static_cast<double>(group->times);
  }
};

/// The groups of a record on one GPU.
struct PredictedRun {
  const RunRecord *record = nullptr;
  std::string gpu;
  std::vector<PredictedGroup> groups;
  /// Why some launches have no prediction there.
  std::vector<std::string> refused;

  double totalInUs() const;
};

enum class RunDetail {
  /// A table of the groups, the longest first.
  Table,
  /// And what each source line did.
  Lines,
  /// And each prediction as `auspex predict` prints it.
  Predictions
};

void writeRunText(llvm::ArrayRef<PredictedRun> runs, RunDetail detail,
                  llvm::raw_ostream &os);

/// A document of predictions, each with its number of launches and its profile.
void writeRunJSON(llvm::ArrayRef<PredictedRun> runs, llvm::raw_ostream &os);

/// A launches file for predictions with the sizes and arguments that the
/// program used.
std::string writeLaunchFile(const RunRecord &record);

} // namespace auspex

#endif
