// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From a summary, a launch and a GPU to a prediction: the one path that the
/// plugins and the command take.
#ifndef AUSPEX_MODEL_PREDICT_H
#define AUSPEX_MODEL_PREDICT_H

#include "auspex/Model/Prediction.h"

namespace auspex {

/// The models that predict a time from a bound kernel, the default first.
std::vector<std::string> modelNames();

/// An error for a model that is not in modelNames(); it names the nearest.
llvm::Error checkModelName(llvm::StringRef model);

/// Predicts one launch. \p launch is as stated: it is resolved, completed and
/// checked here. An error says why there is nothing to predict: an argument the
/// kernel does not have, a launch no GPU accepts, a block that does not fit, a
/// model that does not exist or needs what the GPU's description lacks.
llvm::Expected<Prediction> predict(const KernelSummary &summary,
                                   const LaunchConfig &launch, const GPU &gpu,
                                   llvm::StringRef model = "operational");

/// Predicts the launches of a kernel (chooseLaunches); if there is none, one
/// that is assumed. \p refuse gets the errors of those that cannot be: they do
/// not keep the others from being predicted.
std::vector<Prediction>
predictAll(const KernelSummary &summary, llvm::ArrayRef<LaunchConfig> launches,
           const GPU &gpu, llvm::StringRef model,
           llvm::function_ref<void(llvm::Error)> refuse);

} // namespace auspex

#endif
