// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Validate/Statistics.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

using namespace auspex;
using llvm::ArrayRef;

static double mean(ArrayRef<double> values) {
  double sum = 0;
  for (double value : values)
    sum += value;
  return sum / values.size();
}

ErrorStatistics auspex::errorStatistics(ArrayRef<PredictedPair> pairs) {
  std::vector<double> errors, sizes;
  for (const PredictedPair &pair : pairs) {
    errors.push_back(pair.error());
    sizes.push_back(std::abs(pair.error()));
  }
  llvm::sort(sizes);
  size_t count = sizes.size();
  // ceil(0.9 * count), in integers.
  size_t rank = (9 * count + 9) / 10;
  return {mean(sizes), (sizes[(count - 1) / 2] + sizes[count / 2]) / 2,
          sizes[rank - 1], mean(errors)};
}

/// Ranks from 1; equal values share their mean rank.
static std::vector<double> ranksOf(ArrayRef<PredictedPair> pairs,
                                   double PredictedPair::*side) {
  std::vector<size_t> order(pairs.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  llvm::sort(order, [&](size_t a, size_t b) {
    return pairs[a].*side < pairs[b].*side;
  });
  std::vector<double> ranks(pairs.size());
  for (size_t first = 0, end; first < order.size(); first = end) {
    end = first + 1;
    while (end < order.size() &&
           pairs[order[end]].*side == pairs[order[first]].*side)
      ++end;
    for (size_t i = first; i < end; ++i)
      ranks[order[i]] = (first + 1 + end) / 2.0;
  }
  return ranks;
}

std::optional<double> auspex::spearman(ArrayRef<PredictedPair> pairs) {
  std::vector<double> x = ranksOf(pairs, &PredictedPair::predicted),
                      y = ranksOf(pairs, &PredictedPair::measured);
  double middle = (pairs.size() + 1) / 2.0;
  double xx = 0, yy = 0, xy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - middle) * (x[i] - middle);
    yy += (y[i] - middle) * (y[i] - middle);
    xy += (x[i] - middle) * (y[i] - middle);
  }
  if (xx == 0 || yy == 0)
    return std::nullopt;
  return xy / (std::sqrt(xx) * std::sqrt(yy));
}

/// Sorts \p values and returns how many pairs of them stood the wrong way
/// round.
static uint64_t sortCountingInversions(llvm::MutableArrayRef<double> values,
                                       llvm::MutableArrayRef<double> buffer) {
  if (values.size() < 2)
    return 0;
  size_t half = values.size() / 2;
  uint64_t inversions =
      sortCountingInversions(values.take_front(half), buffer) +
      sortCountingInversions(values.drop_front(half), buffer);
  size_t left = 0, right = half, out = 0;
  while (left < half || right < values.size())
    if (right == values.size() ||
        (left < half && values[left] <= values[right])) {
      buffer[out++] = values[left++];
    } else {
      inversions += half - left;
      buffer[out++] = values[right++];
    }
  std::copy_n(buffer.begin(), values.size(), values.begin());
  return inversions;
}

/// How many pairs of neighbours in a sorted range are equal, counting within
/// runs all pairs.
template <typename Range, typename Equal>
static uint64_t countTies(const Range &sorted, Equal equal) {
  uint64_t ties = 0, run = 0;
  for (size_t i = 1; i < sorted.size(); ++i) {
    run = equal(sorted[i - 1], sorted[i]) ? run + 1 : 0;
    ties += run;
  }
  return ties;
}

std::optional<double> auspex::kendallTauB(ArrayRef<PredictedPair> pairs) {
  std::vector<PredictedPair> sorted = pairs.vec();
  llvm::sort(sorted, [](const PredictedPair &a, const PredictedPair &b) {
    return std::pair(a.predicted, a.measured) <
           std::pair(b.predicted, b.measured);
  });
  uint64_t tiesPredicted =
      countTies(sorted, [](const PredictedPair &a, const PredictedPair &b) {
        return a.predicted == b.predicted;
      });
  uint64_t tiesBoth =
      countTies(sorted, [](const PredictedPair &a, const PredictedPair &b) {
        return a.predicted == b.predicted && a.measured == b.measured;
      });
  std::vector<double> measured, buffer(sorted.size());
  for (const PredictedPair &pair : sorted)
    measured.push_back(pair.measured);
  uint64_t discordant = sortCountingInversions(measured, buffer);
  uint64_t tiesMeasured = countTies(measured, std::equal_to<double>());
  double all = 0.5 * pairs.size() * (pairs.size() - 1.0);
  double distinctPredicted = all - tiesPredicted,
         distinctMeasured = all - tiesMeasured;
  if (distinctPredicted == 0 || distinctMeasured == 0)
    return std::nullopt;
  // Pairs that differ on both sides are concordant or discordant.
  double decided = all - tiesPredicted - tiesMeasured + tiesBoth;
  return (decided - 2.0 * discordant) /
         (std::sqrt(distinctPredicted) * std::sqrt(distinctMeasured));
}

double auspex::pickShare(ArrayRef<PredictedPair> pairs) {
  double leastPredicted = pairs.front().predicted,
         leastMeasured = pairs.front().measured;
  for (const PredictedPair &pair : pairs) {
    leastPredicted = std::min(leastPredicted, pair.predicted);
    leastMeasured = std::min(leastMeasured, pair.measured);
  }
  std::vector<double> shares;
  for (const PredictedPair &pair : pairs)
    if (pair.predicted == leastPredicted)
      shares.push_back(leastMeasured / pair.measured);
  return mean(shares);
}

std::optional<double>
auspex::errorOfChange(ArrayRef<std::vector<PredictedPair>> groups) {
  std::vector<double> errors;
  for (const std::vector<PredictedPair> &group : groups) {
    if (group.size() < 2)
      continue;
    std::vector<double> factors;
    for (const PredictedPair &pair : group)
      factors.push_back(std::log(pair.predicted / pair.measured));
    double middle = mean(factors);
    for (double factor : factors)
      errors.push_back(std::abs(std::exp(factor - middle) - 1));
  }
  if (errors.empty())
    return std::nullopt;
  return mean(errors);
}
