// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From a summary, a launch and a GPU to a prediction: the one path that the
/// plugins and the command take.
#ifndef AUSPEX_MODEL_PREDICT_H
#define AUSPEX_MODEL_PREDICT_H

#include "auspex/Kernel/RunRecord.h"
#include "auspex/Model/ProfilerCounts.h"

namespace auspex {

/// The models that predict a time from a bound kernel, the default first.
std::vector<std::string> modelNames();

/// An error for a model that is not in modelNames(); it names the nearest.
llvm::Error checkModelName(llvm::StringRef model);

/// Predicts one launch. \p launch is as stated: it is resolved, completed and
/// checked here. An error says why there is nothing to predict: an argument the
/// kernel does not have, a launch no GPU accepts, a block that does not fit, a
/// model that does not exist or needs what the GPU's description lacks.
/// \p launches that are predicted together share the time for the search of
/// better blocks.
llvm::Expected<Prediction> predict(const KernelSummary &summary,
                                   const LaunchConfig &launch, const GPU &gpu,
                                   llvm::StringRef model = "operational",
                                   size_t launches = 1);

/// Predicts one of the launches of \p run from what they did: mean counts, and
/// a time without a range. \p summary is of their kernel.
llvm::Expected<Prediction> predictRun(const KernelSummary &summary,
                                      const LaunchGroup &run, const GPU &gpu,
                                      llvm::StringRef model = "operational",
                                      size_t launches = 1);

/// What a search over many launches needs of a prediction.
struct TimeEstimate {
  /// As in Prediction.
  std::optional<double> timeInUs;
  std::optional<std::pair<double, double>> timeRangeInUs;
  std::string limiter;
  double shareOfLimit = 0;
  /// The launch as it was predicted.
  LaunchConfig launch;
  double warps = 0;
  Occupancy occupancy;
  /// Volumes are per warp.
  OperationalInput input;
};

/// The part of predict() that takes least: the same numbers, bit by bit,
/// without what-ifs, findings and sentences.
llvm::Expected<TimeEstimate> predictTime(const KernelSummary &summary,
                                         const LaunchConfig &launch,
                                         const GPU &gpu);

/// What one model says of a launch.
struct ModelTime {
  /// As in Prediction.
  std::optional<double> timeInUs;
  std::optional<std::pair<double, double>> timeRangeInUs;
  /// Why the model gives no time: what the GPU's description lacks.
  std::string problem;
};

/// What several models say of one launch.
struct ComparedTimes {
  /// In the order of the models.
  std::vector<ModelTime> times;
  /// As in Prediction.
  std::string limiter;
  double shareOfLimit = 0;
  std::vector<std::string> unknowns;
  std::vector<ProfilerCount> counts;
  /// Of the kernel in the launch: registers a thread, and the resident warps of
  /// an SM that they allow.
  struct Residency {
    unsigned registers = 0, warpsPerSM = 0;
  };
  /// As predicted, and as it would be if the launch stated no registers.
  Residency residency, ownResidency;
};

/// The times of predict(), or predictRun() if there is a \p run, by several \p
/// models, with nothing done twice.
llvm::Expected<ComparedTimes> compareModels(const KernelSummary &summary,
                                            const LaunchConfig &launch,
                                            const GPU &gpu,
                                            llvm::ArrayRef<std::string> models,
                                            const LaunchGroup *run = nullptr);

/// Predicts the launches of a kernel (chooseLaunches); if there is none, one
/// that is assumed. Those that differ in nothing that counts are calculated
/// once. \p refuse gets the errors of those that cannot be: they do not keep
/// the others from being predicted.
std::vector<Prediction>
predictAll(const KernelSummary &summary, llvm::ArrayRef<LaunchConfig> launches,
           const GPU &gpu, llvm::StringRef model,
           llvm::function_ref<void(llvm::Error)> refuse);

} // namespace auspex

#endif
