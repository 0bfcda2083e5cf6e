// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Validate/Validation.h"

#include "gtest/gtest.h"

using namespace auspex;

namespace {

ValidatedLaunch launch(llvm::StringRef gpu, llvm::StringRef kernel,
                       double measured, std::optional<double> predicted,
                       unsigned line = 1) {
  ValidatedLaunch result;
  result.measured.place = {"folder/in.jsonl", line, ""};
  result.measured.gpu = gpu.str();
  result.measured.kernel = kernel.str();
  result.measured.measuredInUs = measured;
  result.times.push_back({predicted, std::nullopt, ""});
  result.unknown = "n is open";
  return result;
}

TEST(Validation, SetsAreFilesAndGPUs) {
  std::vector<ValidatedLaunch> launches{
      launch("L40", "a", 10, 11), launch("A40", "b", 10, 20),
      launch("A40", "a", 10, 10), launch("L40", "a", 20, 19)};
  Validation byGPU = score(launches, {"m"}, /*byKernel=*/false);
  ASSERT_EQ(byGPU.sets.size(), 2u);
  EXPECT_EQ(byGPU.sets[0].gpu, "A40");
  EXPECT_EQ(byGPU.sets[0].file, "in.jsonl");
  EXPECT_EQ(byGPU.sets[0].launches.size(), 2u);
  EXPECT_DOUBLE_EQ(byGPU.sets[0].scores[0].errors.mean, 0.5);
  Validation byKernel = score(launches, {"m"}, /*byKernel=*/true);
  ASSERT_EQ(byKernel.sets.size(), 3u);
  EXPECT_EQ(byKernel.sets[1].kernel, "b");
}

TEST(Validation, TheWorstAreThoseOfTheLargestFactor) {
  // A third is further off than twice as much.
  Validation validation =
      score({launch("A40", "k", 10, 20, 1), launch("A40", "k", 30, 10, 2),
             launch("A40", "k", 10, 11, 3)},
            {"m"}, false);
  const auto &worst = validation.sets[0].worst;
  ASSERT_EQ(worst.size(), 3u);
  EXPECT_EQ(worst[0]->measured.place.line, 2u);
  EXPECT_EQ(worst[1]->measured.place.line, 1u);
}

TEST(Validation, CausesAreCounted) {
  ValidatedLaunch broken = launch("A40", "k", 10, std::nullopt, 5);
  broken.problem = "no source";
  Validation validation =
      score({broken, launch("A40", "k", 10, std::nullopt, 6),
             launch("A40", "k", 10, std::nullopt, 7), launch("A40", "k", 1, 1)},
            {"m"}, false);
  const ValidationSet &set = validation.sets[0];
  EXPECT_EQ(set.scores[0].predicted, 1u);
  ASSERT_EQ(set.notPredicted.size(), 2u);
  EXPECT_EQ(set.notPredicted[0].text, "no time is known: n is open");
  EXPECT_EQ(set.notPredicted[0].launches, 2u);
  EXPECT_EQ(set.notPredicted[0].first.line, 6u);
  EXPECT_EQ(set.notPredicted[1].text, "no source");
}

} // namespace
