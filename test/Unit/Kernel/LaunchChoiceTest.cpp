// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who decides where several state launches of one kernel.
#include "Kernels.h"

#include "gtest/gtest.h"

using namespace auspex;
using namespace auspex::test;

namespace {

/// A launch of saxpy with a grid of \p blocks.
LaunchConfig of(LaunchOrigin origin, int64_t blocks) {
  LaunchConfig launch;
  launch.kernel = "saxpy";
  launch.grid = {{blocks}, origin};
  return launch;
}

LaunchConfig withArgument(LaunchConfig launch, llvm::StringRef name,
                          int64_t value) {
  launch.arguments[name.str()] = {value, statedOrigin(launch)};
  return launch;
}

std::vector<int64_t> gridsOf(llvm::ArrayRef<LaunchConfig> launches) {
  std::vector<int64_t> sizes;
  for (const LaunchConfig &launch : launches)
    sizes.push_back(launch.grid ? launch.grid->value.x : -1);
  return sizes;
}

using Grids = std::vector<int64_t>;

TEST(ChooseLaunches, TakesTheSourcesWhereNobodyElseSpeaks) {
  EXPECT_EQ(gridsOf(chooseLaunches(
                saxpy(), {},
                {of(LaunchOrigin::Source, 1), of(LaunchOrigin::Source, 2)})),
            (Grids{1, 2}));
}

TEST(ChooseLaunches, PrefersPragmasToTheSource) {
  EXPECT_EQ(gridsOf(chooseLaunches(saxpy(), {},
                                   {of(LaunchOrigin::Source, 1),
                                    of(LaunchOrigin::Pragma, 2),
                                    of(LaunchOrigin::Pragma, 3)})),
            (Grids{2, 3}));
}

// All that are stated count, whoever states them, in the order given.
TEST(ChooseLaunches, PrefersFilesAndTheCommandLineToPragmas) {
  EXPECT_EQ(gridsOf(chooseLaunches(
                saxpy(),
                {of(LaunchOrigin::CommandLine, 1), of(LaunchOrigin::File, 2)},
                {of(LaunchOrigin::Source, 3), of(LaunchOrigin::Pragma, 4)})),
            (Grids{1, 2}));
}

TEST(ChooseLaunches, LeavesThoseOfOtherKernelsOut) {
  LaunchConfig other = of(LaunchOrigin::CommandLine, 1);
  other.kernel = "daxpy";
  EXPECT_EQ(
      gridsOf(chooseLaunches(saxpy(), {other}, {of(LaunchOrigin::Source, 2)})),
      (Grids{2}));
  EXPECT_TRUE(chooseLaunches(saxpy(), {other}, {}).empty());
}

TEST(ChooseLaunches, FillsGapsFromTheSourceWithItsOrigin) {
  LaunchConfig stated;
  stated.kernel = "saxpy";
  stated.block = {{64}, LaunchOrigin::CommandLine};
  LaunchConfig source =
      withArgument(of(LaunchOrigin::Source, 10), "arg0", 1000);
  source.block = {{256}, LaunchOrigin::Source};
  source.dynamicShared = {512, LaunchOrigin::Source};
  auto chosen = chooseLaunches(saxpy(), {stated}, {source});
  ASSERT_EQ(chosen.size(), 1u);
  EXPECT_EQ(chosen[0].grid, source.grid);
  EXPECT_EQ(chosen[0].block, stated.block);
  EXPECT_EQ(chosen[0].dynamicShared, source.dynamicShared);
  EXPECT_EQ(chosen[0].arguments, source.arguments);
}

TEST(ChooseLaunches, FillsNothingThatTheSourcesLaunchesDisagreeOn) {
  LaunchConfig stated = of(LaunchOrigin::CommandLine, 7);
  auto source = [](int64_t block, int64_t n) {
    LaunchConfig launch = withArgument(of(LaunchOrigin::Source, 10), "arg0", n);
    launch.block = {{block}, LaunchOrigin::Source};
    return launch;
  };
  auto chosen =
      chooseLaunches(saxpy(), {stated}, {source(64, 5), source(128, 5)});
  ASSERT_EQ(chosen.size(), 1u);
  EXPECT_FALSE(chosen[0].block);
  EXPECT_EQ(chosen[0].arguments.at("arg0").value, 5);
  chosen = chooseLaunches(saxpy(), {stated}, {source(64, 5), source(64, 6)});
  EXPECT_EQ(chosen[0].block->value, Dim3{64});
  EXPECT_TRUE(chosen[0].arguments.empty());
}

// By name or symbol: what is stated is not overwritten.
TEST(ChooseLaunches, KeepsStatedArguments) {
  auto chosen = chooseLaunches(
      saxpy(), {withArgument(of(LaunchOrigin::CommandLine, 7), "n", 3)},
      {withArgument(of(LaunchOrigin::Source, 10), "arg0", 1000)});
  ASSERT_EQ(chosen.size(), 1u);
  EXPECT_EQ(chosen[0].arguments.size(), 1u);
  EXPECT_EQ(chosen[0].arguments.at("arg0").value, 3);
}

TEST(ChooseLaunches, FillsNothingFromPragmas) {
  LaunchConfig stated;
  stated.kernel = "saxpy";
  stated.block = {{64}, LaunchOrigin::CommandLine};
  auto chosen =
      chooseLaunches(saxpy(), {stated}, {of(LaunchOrigin::Pragma, 10)});
  ASSERT_EQ(chosen.size(), 1u);
  EXPECT_FALSE(chosen[0].grid);
}

} // namespace
