// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exact values by hand, and the definitions, in O(n^2), over random pairs with
// many ties.
#include "auspex/Validate/Statistics.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace auspex;

namespace {

using Pairs = std::vector<PredictedPair>;

TEST(Statistics, ErrorsOfFourLaunches) {
  // Errors +10 %, -10 %, +50 %, 0.
  ErrorStatistics errors =
      errorStatistics(Pairs{{11, 10}, {9, 10}, {3, 2}, {7, 7}});
  EXPECT_NEAR(errors.mean, 0.175, 1e-12);
  EXPECT_NEAR(errors.median, 0.1, 1e-12);
  EXPECT_NEAR(errors.percentile90, 0.5, 1e-12);
  EXPECT_NEAR(errors.bias, 0.125, 1e-12);
}

TEST(Statistics, NearestRankOfNinetyPercent) {
  Pairs ten;
  for (int i = 1; i <= 10; ++i)
    ten.push_back({100.0 + i, 100});
  EXPECT_NEAR(errorStatistics(ten).percentile90, 0.09, 1e-12);
  ten.push_back({111, 100});
  EXPECT_NEAR(errorStatistics(ten).percentile90, 0.10, 1e-12);
  EXPECT_NEAR(errorStatistics(Pairs{{3, 2}}).percentile90, 0.5, 1e-12);
}

TEST(Statistics, ZeroPredictedIsAllWrong) {
  EXPECT_EQ(errorStatistics(Pairs{{0, 5}}).bias, -1);
}

TEST(Statistics, OrderOfFive) {
  // Measured 1 2 3 4 5, predicted 2 1 4 3 5: two of ten pairs the wrong way.
  Pairs pairs{{2, 1}, {1, 2}, {4, 3}, {3, 4}, {5, 5}};
  EXPECT_DOUBLE_EQ(*kendallTauB(pairs), 0.6);
  EXPECT_DOUBLE_EQ(*spearman(pairs), 0.8);
}

TEST(Statistics, OrderWithTies) {
  // x = 1 2 2 3, y = 1 3 2 2. Of the pairs 1 is tied in x, 1 in y, 1 is the
  // wrong way round, 3 are right: (3 - 1) / sqrt(5 * 5).
  Pairs pairs{{1, 1}, {2, 3}, {2, 2}, {3, 2}};
  EXPECT_DOUBLE_EQ(*kendallTauB(pairs), 0.4);
  // Ranks 1 2.5 2.5 4 and 1 4 2.5 2.5: covariance 2.25, variances 4.5.
  EXPECT_DOUBLE_EQ(*spearman(pairs), 0.5);
}

TEST(Statistics, OrderNeedsTwoValuesOnEachSide) {
  EXPECT_FALSE(kendallTauB(Pairs{{1, 2}}));
  EXPECT_FALSE(spearman(Pairs{{1, 2}}));
  EXPECT_FALSE(kendallTauB(Pairs{{1, 2}, {1, 3}}));
  EXPECT_FALSE(spearman(Pairs{{1, 2}, {3, 2}}));
}

TEST(Statistics, ReversedOrder) {
  Pairs pairs{{1, 9}, {2, 8}, {3, 7}};
  EXPECT_DOUBLE_EQ(*kendallTauB(pairs), -1);
  EXPECT_DOUBLE_EQ(*spearman(pairs), -1);
}

/// By the definition: pairs of pairs, one by one.
double tauByDefinition(const Pairs &pairs) {
  double sum = 0, x = 0, y = 0;
  auto sign = [](double value) { return (value > 0) - (value < 0); };
  for (size_t i = 0; i < pairs.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      int a = sign(pairs[i].predicted - pairs[j].predicted);
      int b = sign(pairs[i].measured - pairs[j].measured);
      sum += a * b;
      x += a * a;
      y += b * b;
    }
  return sum / std::sqrt(x * y);
}

TEST(Statistics, TauIsThatOfItsDefinition) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::uniform_int_distribution<int> size(2, 60), value(1, 2 + round % 30);
    Pairs pairs(size(random));
    for (PredictedPair &pair : pairs)
      pair = {double(value(random)), double(value(random))};
    std::optional<double> tau = kendallTauB(pairs);
    double expected = tauByDefinition(pairs);
    if (std::isnan(expected))
      EXPECT_FALSE(tau);
    else
      EXPECT_NEAR(*tau, expected, 1e-12);
  }
}

TEST(Statistics, PickOfTheBest) {
  EXPECT_DOUBLE_EQ(pickShare(Pairs{{1, 5}, {2, 4}, {3, 8}}), 0.8);
  EXPECT_DOUBLE_EQ(pickShare(Pairs{{2, 5}, {1, 4}}), 1);
  // Two are predicted to be the fastest.
  EXPECT_DOUBLE_EQ(pickShare(Pairs{{1, 8}, {1, 4}, {3, 4}}), 0.75);
}

TEST(Statistics, ChangeWithinGroups) {
  // Twice as long throughout is no error of the change.
  EXPECT_DOUBLE_EQ(*errorOfChange(std::vector<Pairs>{{{2, 1}, {6, 3}}}), 0);
  // 1 and 4 times the measured time are half and twice their mean factor.
  EXPECT_DOUBLE_EQ(
      *errorOfChange(std::vector<Pairs>{{{1, 1}, {12, 3}}, {{5, 1}}}), 0.75);
  EXPECT_FALSE(errorOfChange(std::vector<Pairs>{{{5, 1}}, {}}));
}

} // namespace
