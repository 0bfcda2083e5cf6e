// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Predictions of measured launches, by several models, and how good they are.
#ifndef AUSPEX_VALIDATE_VALIDATION_H
#define AUSPEX_VALIDATE_VALIDATION_H

#include "auspex/Kernel/RunRecord.h"
#include "auspex/Model/Predict.h"
#include "auspex/Validate/KernelMap.h"
#include "auspex/Validate/Statistics.h"

#include <array>
#include <functional>

namespace auspex {

/// A source as it is compiled for some launches.
struct KernelCode {
  std::string file;
  std::vector<std::string> flags;
  /// An instance of a template that the source has only where somebody asks for
  /// it, "k<float, 4>". Else empty.
  std::string instance;
  /// Compute capability.
  unsigned arch = 0;

  auto operator<=>(const KernelCode &) const = default;
};

/// Reads the kernels of a source. It is called from several threads, once a
/// code, and with an instance only if the source has none without.
using CodeReader =
    std::function<llvm::Expected<SummaryDocument>(const KernelCode &)>;

/// Where the counts of a prediction come from.
enum class CountOrigin { Static, Run };
/// "static", "run".
llvm::StringRef toString(CountOrigin origin);

/// Of one launch, what was predicted and what a profiler or compiler says of
/// something that is no time: "warp instructions", "registers".
struct CountPair {
  std::string name;
  PredictedPair pair;
};

/// A measured launch and what the models say.
struct ValidatedLaunch {
  MeasuredLaunch measured;
  /// In the order of Validation::models; empty if there is a problem.
  std::vector<ModelTime> times;
  std::string limiter;
  /// What the record says besides the time, in the order of profilerCounts();
  /// then, if it says the registers, these and the resident warps of an SM, as
  /// they are predicted without it.
  std::vector<CountPair> counted;
  CountOrigin counts = CountOrigin::Static;
  /// Why no model predicts it; empty if they do.
  std::string problem;
  /// What is open, if the times are those expected.
  std::string unknown;

  /// The pair that statistics take; none if the model gives no time.
  std::optional<PredictedPair> pairOf(size_t model) const;
  /// Why there is no pair: \p problem, a loop without an end, or what the model
  /// lacks.
  std::string problemOf(size_t model) const;
};

struct ValidationOptions {
  /// As in modelNames(); the first one says which are the worst.
  std::vector<std::string> models;
  /// Folders with the kernels.
  std::vector<std::string> folders;
  CodeReader readCode;
  /// What programs did on the emulated device: taken where there is the same
  /// kernel in the same grid and block.
  std::vector<RunRecord> runs;
};

/// Predicts all launches, on all cores; in the order given.
std::vector<ValidatedLaunch>
predictMeasured(std::vector<MeasuredLaunch> launches,
                const ValidationOptions &options);

/// One model on one set of launches.
struct ModelScore {
  std::string model;
  /// Launches with a predicted time. Without any the rest is empty.
  size_t predicted = 0;
  ErrorStatistics errors;
  std::optional<double> spearman, kendall;
  double pick = 0;
  /// errorOfChange over launches that differ in clocks alone; none if there are
  /// no such.
  std::optional<double> clocks;
};

/// One count over a set of launches, those that counted 0 left out.
struct CountScore {
  std::string name;
  size_t launches = 0;
  ErrorStatistics errors;
  /// The share of the launches of which it is right to within 1 %.
  double right = 0;
};

/// The launches of one file on one GPU, or of one kernel of these.
struct ValidationSet {
  /// Without folders; the kernel may be empty.
  std::string file, gpu, kernel;
  std::vector<const ValidatedLaunch *> launches;
  std::vector<ModelScore> scores;
  std::vector<CountScore> counts;
  /// Those the first model is furthest off, by the factor; at most ten.
  std::vector<const ValidatedLaunch *> worst;
  /// With the number of launches and the place of the first.
  struct Cause {
    std::string text;
    size_t launches = 0;
    Place first;
  };
  /// Why the first model gives no time, and why its time is but expected; the
  /// most frequent cause first.
  std::vector<Cause> notPredicted, expected;
};

struct Validation {
  std::vector<std::string> models;
  std::vector<ValidatedLaunch> launches;
  /// Sorted by file, GPU and kernel. They point into launches.
  std::vector<ValidationSet> sets;
};

/// Forms sets of launches and scores each, by kernel too if \p byKernel.
Validation score(std::vector<ValidatedLaunch> launches,
                 std::vector<std::string> models, bool byKernel);

} // namespace auspex

#endif
