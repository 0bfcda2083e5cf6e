// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Search/Sweep.h"

#include "Kernels.h"
#include "gtest/gtest.h"

using namespace auspex;
using namespace auspex::test;

namespace {

/// A kernel, its base launch, blocks as in --block and arguments.
struct Case {
  KernelSummary kernel = rows();
  std::string base = "grid:8x32,block:32x2,n=250,m=61";
  std::string blocks = "x=1..256:pow2,y=1..5,threads=32..512";
  std::vector<ArgumentRange> arguments{};

  SweepSpace space() const {
    std::vector<Dim3> sizes;
    if (!blocks.empty())
      sizes = llvm::cantFail(parseBlocks(blocks, {}));
    return llvm::cantFail(
        SweepSpace::create(kernel, launchOf(kernel, base), sizes, arguments));
  }
  SweepResult run(uint64_t top = 0, unsigned threads = 0) const {
    SweepOptions options;
    options.top = top;
    options.threads = threads;
    return llvm::cantFail(sweep(kernel, space(), a100(), options));
  }
};

double input(const Prediction &prediction, llvm::StringRef key) {
  for (const NamedValue &value : prediction.inputs.front().second)
    if (value.key == key)
      return *value.value.getAsNumber();
  ADD_FAILURE() << "no " << key.str();
  return 0;
}

/// Every configuration is what predict says, bit by bit.
void expectPredictions(const Case &which) {
  SweepResult result = which.run();
  SweepSpace space = which.space();
  EXPECT_EQ(result.ranked.size() + result.impossible.size(), space.size());
  for (const RankedConfiguration &configuration : result.ranked) {
    LaunchConfig launch = space.at(configuration.number);
    Prediction prediction =
        llvm::cantFail(predict(which.kernel, launch, a100()));
    EXPECT_EQ(configuration.timeInUs, prediction.timeInUs);
    EXPECT_EQ(configuration.timeRangeInUs, prediction.timeRangeInUs);
    EXPECT_EQ(configuration.limiter, prediction.limiter);
    EXPECT_EQ(configuration.shareOfLimit, prediction.shareOfLimit);
    EXPECT_EQ(configuration.occupancy, prediction.occupancy.occupancy);
    LaunchShape shape{launch.grid->value, launch.block->value};
    auto warps = static_cast<double>(shape.warps());
    EXPECT_EQ(configuration.l2LoadInBytes,
              input(prediction, "l2_load_bytes") * warps);
    EXPECT_EQ(configuration.dramStoreInBytes,
              input(prediction, "dram_store_bytes") * warps);
  }
  for (const ImpossibleConfiguration &configuration : result.impossible) {
    auto prediction =
        predict(which.kernel, space.at(configuration.number), a100());
    EXPECT_FALSE(static_cast<bool>(prediction));
    EXPECT_NE(errorText(std::move(prediction)).find(configuration.reason),
              std::string::npos);
  }
}

TEST(Sweep, SaysWhatPredictSays) { expectPredictions({}); }

TEST(Sweep, SaysWhatPredictSaysOfArguments) {
  expectPredictions(
      {.blocks = "x=32,48", .arguments = {{"n", {64, 250, 300}}}});
  expectPredictions({.blocks = "", .arguments = {{"m", {1, 2}}}});
}

TEST(Sweep, SaysWhatPredictSaysWithOpenArguments) {
  Case open{.base = "grid:8x32,block:32x2,n=250"};
  expectPredictions(open);
  EXPECT_TRUE(open.run().ranked.front().timeRangeInUs);
}

TEST(Sweep, RanksByTime) {
  SweepResult result = Case{}.run();
  ASSERT_GT(result.ranked.size(), 10u);
  for (size_t i = 1; i < result.ranked.size(); ++i)
    EXPECT_LE(result.ranked[i - 1].timeInUs, result.ranked[i].timeInUs);
}

TEST(Sweep, DependsNotOnThreads) {
  SweepResult one = Case{}.run(0, 1), many = Case{}.run(0, 5);
  ASSERT_EQ(one.ranked.size(), many.ranked.size());
  for (size_t i = 0; i < one.ranked.size(); ++i) {
    EXPECT_EQ(one.ranked[i].number, many.ranked[i].number);
    EXPECT_EQ(one.ranked[i].timeInUs, many.ranked[i].timeInUs);
  }
}

TEST(Sweep, KeepsTheTop) {
  Case large{.blocks = "x=1..700,y=1..8"};
  SweepResult all = large.run(), top = large.run(3);
  ASSERT_EQ(top.ranked.size(), 3u);
  for (size_t i = 0; i < 3; ++i)
    EXPECT_EQ(all.ranked[i].number, top.ranked[i].number);
  EXPECT_EQ(top.possibleCount, all.possibleCount);
  EXPECT_EQ(top.impossibleCount, all.impossibleCount);
  EXPECT_EQ(all.impossible.size(), all.impossibleCount);
  EXPECT_TRUE(top.impossible.empty());
  EXPECT_EQ(top.groups.size(), all.groups.size());
}

/// The one reason of a sweep without possible configurations.
std::string reason(const Case &which) {
  SweepResult result = which.run();
  if (result.groups.size() != 1)
    return std::to_string(result.groups.size()) + " reasons";
  return result.groups[0].part + ": " + result.groups[0].first.reason;
}

TEST(Sweep, ListsWhatIsImpossible) {
  Case each{.blocks = "x=2048"};
  EXPECT_EQ(reason(each), "block: 2048 threads exceed the 1024 a block can "
                          "have on A100-40GB");
  each.blocks = "x=1024";
  each.kernel.registers = 65;
  EXPECT_EQ(reason(each), "registers: the registers of 32 warps with 65 a "
                          "thread exceed the 65536 a block can have on "
                          "A100-40GB");
  each.blocks = "x=128";
  each.kernel.maxThreadsPerBlock = 64;
  EXPECT_EQ(reason(each), "block: 128 threads exceed the 64 of the kernel's "
                          "__launch_bounds__");
  each.kernel.requiredBlock[0] = 32;
  each.kernel.requiredBlock[1] = 2;
  EXPECT_EQ(reason(each), "block: the kernel is compiled for blocks of 32x2x1 "
                          "alone, not 128x1x1");
  Case wide{.base = "grid:4x65535,block:32x2,n=1,m=1", .blocks = "x=64"};
  EXPECT_EQ(reason(wide), "grid: 131070 blocks along y exceed the 65535 a grid "
                          "can have on A100-40GB");
}

TEST(Sweep, SaysWhatItAssumes) {
  Case tiled{.blocks = "x=32,64"};
  tiled.kernel.staticSharedInBytes = 4096;
  SweepResult result = tiled.run();
  ASSERT_EQ(result.assumptions.size(), 1u);
  EXPECT_NE(result.assumptions[0].find("4096 B of shared arrays"),
            std::string::npos);
  EXPECT_TRUE(Case{}.run().assumptions.empty());
}

} // namespace
