// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How far what is predicted, times or counts, is from what is measured, and
/// whether it has the same order. Pure functions of pairs of positive numbers.
#ifndef AUSPEX_VALIDATE_STATISTICS_H
#define AUSPEX_VALIDATE_STATISTICS_H

#include "llvm/ADT/ArrayRef.h"

#include <cmath>
#include <optional>
#include <vector>

namespace auspex {

/// Of one launch, what was predicted and what was measured, in the same unit.
struct PredictedPair {
  double predicted = 0, measured = 0;

  /// Relative error; positive where the prediction is too slow.
  double error() const { return predicted / measured - 1; }
  /// How far off it is, whether too long or too short: the logarithm of the
  /// factor.
  double distance() const { return std::abs(std::log(predicted / measured)); }
};

/// Of the errors of a set of launches, as shares.
struct ErrorStatistics {
  /// Of the absolute errors: mean (MAPE), median, and the smallest that 90 % of
  /// them do not exceed (nearest rank).
  double mean = 0, median = 0, percentile90 = 0;
  /// The mean of the errors with their signs.
  double bias = 0;
};

/// \p pairs is not empty.
ErrorStatistics errorStatistics(llvm::ArrayRef<PredictedPair> pairs);

/// The correlation of ranks in [-1, 1]; equal values share their mean rank.
/// None if either side has only one value.
std::optional<double> spearman(llvm::ArrayRef<PredictedPair> pairs);

/// Kendall's tau-b in [-1, 1], in O(n log n) (W. R. Knight, A computer method
/// for calculating Kendall's tau with ungrouped data, JASA 1966). None if
/// either side has only one value.
std::optional<double> kendallTauB(llvm::ArrayRef<PredictedPair> pairs);

/// What choosing by the model costs: the least measured time over that of the
/// launch predicted to be the fastest, in (0, 1]. Of launches that are
/// predicted to be equally fast, the mean: any might be taken. \p pairs is not
/// empty.
double pickShare(llvm::ArrayRef<PredictedPair> pairs);

/// How well the change within groups is predicted, whatever the error of a
/// whole group: the mean absolute error of all launches once each group's
/// predictions have been multiplied by the factor that makes the geometric mean
/// of predicted over measured 1. Groups of one launch do not count; none if
/// there is no other. Times are above 0.
std::optional<double>
errorOfChange(llvm::ArrayRef<std::vector<PredictedPair>> groups);

} // namespace auspex

#endif
