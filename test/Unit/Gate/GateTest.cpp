// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Gate/Gate.h"

#include "Records.h"
#include "gtest/gtest.h"

#include <random>

using namespace auspex;

static Verdict judge(double before, double after, GateOptions options = {}) {
  RecordSet base = makeSet({makeRecord("_Z1ki", before)});
  RecordSet head = makeSet({makeRecord("_Z1ki", after)});
  return llvm::cantFail(compareSets(base, head, std::move(options)))
      .comparisons.front()
      .verdict;
}

TEST(Gate, BothLimitsHaveToBeExceeded) {
  EXPECT_EQ(judge(100, 105), Verdict::Slower);
  EXPECT_EQ(judge(100, 105.1), Verdict::Tripped);
  GateOptions options;
  options.minTimeInUs = 10;
  EXPECT_EQ(judge(100, 109, options), Verdict::Slower);
  EXPECT_EQ(judge(100, 111, options), Verdict::Tripped);
  options.maxSlowdown = 0.2;
  EXPECT_EQ(judge(100, 111, options), Verdict::Slower);
}

// Times are printed with three digits.
TEST(Gate, WhatThePrintedTimesDoNotShowIsUnchanged) {
  EXPECT_EQ(judge(151.2, 151.4), Verdict::Unchanged);
  EXPECT_EQ(judge(151.4, 151.2), Verdict::Unchanged);
  EXPECT_EQ(judge(151.2, 151.6), Verdict::Slower);
  KernelRecord before = makeRecord("_Z1ki", 151.2);
  before.timeRangeInUs = {151, 300};
  KernelRecord after = before;
  after.timeInUs = 151.1;
  after.timeRangeInUs = {151, 310};
  RecordSet base = makeSet({before}), head = makeSet({after});
  EXPECT_EQ(
      llvm::cantFail(compareSets(base, head, {})).count(Verdict::Unchanged),
      1u);
  GateOptions options;
  options.maxSlowdown = 0.001;
  EXPECT_EQ(judge(151.2, 151.4, options), Verdict::Tripped);
}

TEST(Gate, ImprovementsNeverTrip) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> time(0.1, 1000);
  for (int round = 0; round < 1000; ++round) {
    double before = time(random), after = time(random);
    GateOptions options;
    options.maxSlowdown = round % 3 * 0.1;
    options.minTimeInUs = round % 5;
    Verdict verdict = judge(before, after, options);
    if (after <= before)
      EXPECT_TRUE(verdict == Verdict::Faster || verdict == Verdict::Unchanged);
    else
      EXPECT_EQ(verdict == Verdict::Tripped,
                after - before > options.maxSlowdown * before &&
                    after - before > options.minTimeInUs &&
                    after - before > 2e-5 * after);
  }
}

static KernelRecord makeOpen(std::optional<std::pair<double, double>> range) {
  KernelRecord record = makeRecord("_Z1ki", 0);
  record.timeInUs.reset();
  record.timeRangeInUs = range;
  return record;
}

static Verdict judge(const KernelRecord &before, const KernelRecord &after,
                     bool strict = false) {
  RecordSet base = makeSet({before}), head = makeSet({after});
  GateOptions options;
  options.strict = strict;
  return llvm::cantFail(compareSets(base, head, std::move(options)))
      .comparisons.front()
      .verdict;
}

TEST(Gate, OfARangeBothEndsHaveToGrow) {
  using Range = std::pair<double, double>;
  KernelRecord before = makeOpen(Range(10, 20));
  EXPECT_EQ(judge(before, makeOpen(Range(15, 30))), Verdict::Tripped);
  EXPECT_EQ(judge(before, makeOpen(Range(10, 30))), Verdict::Uncertain);
  EXPECT_EQ(judge(before, makeOpen(Range(5, 30))), Verdict::Uncertain);
  EXPECT_EQ(judge(before, makeOpen({})), Verdict::Uncertain);
}

static KernelRecord makeExpected(double time, double low, double high) {
  KernelRecord record = makeRecord("_Z1ki", time);
  record.timeRangeInUs = {low, high};
  return record;
}

TEST(Gate, ATimeExpectedWithinARangeIsATime) {
  KernelRecord before = makeExpected(72, 71, 129);
  EXPECT_EQ(judge(before, before, /*strict=*/true), Verdict::Unchanged);
  EXPECT_EQ(judge(before, makeExpected(95, 94, 133)), Verdict::Tripped);
  EXPECT_EQ(judge(before, makeExpected(73, 72, 130)), Verdict::Slower);
  EXPECT_EQ(judge(before, makeExpected(60, 59, 107)), Verdict::Faster);
  EXPECT_EQ(judge(before, makeExpected(72, 30, 300)), Verdict::Uncertain);
}

TEST(Gate, ARangeThatOneSideHasDoesNotTripByItself) {
  KernelRecord known = makeRecord("_Z1ki", 100);
  KernelRecord open = makeExpected(120, 90, 150);
  EXPECT_EQ(judge(known, open), Verdict::Uncertain);
  EXPECT_EQ(judge(known, open, /*strict=*/true), Verdict::Tripped);
  EXPECT_EQ(judge(known, makeExpected(120, 110, 150)), Verdict::Tripped);
  // Now it is known better.
  EXPECT_EQ(judge(open, makeRecord("_Z1ki", 140), true), Verdict::Slower);
  EXPECT_EQ(judge(open, makeRecord("_Z1ki", 160)), Verdict::Tripped);
}

TEST(Gate, WhatIsUnknownTripsIfStrict) {
  KernelRecord known = makeRecord("_Z1ki", 10);
  EXPECT_EQ(judge(known, makeOpen({})), Verdict::Uncertain);
  EXPECT_EQ(judge(known, makeOpen({}), true), Verdict::Tripped);
  EXPECT_EQ(judge(makeOpen({}), known, true), Verdict::Unchanged);
  KernelRecord less = known;
  less.coverage.accesses = 0.5;
  EXPECT_EQ(judge(known, less), Verdict::Uncertain);
  EXPECT_EQ(judge(known, less, true), Verdict::Tripped);
  EXPECT_EQ(judge(less, known, true), Verdict::Unchanged);
}

/// A launch of one full wave, as many blocks as reside.
static KernelRecord makeAssumed(unsigned blocksPerSM) {
  OperationalInput input;
  input.blocks = 108 * blocksPerSM;
  input.warpsPerBlock = 8;
  input.activeBlocksPerSM = blocksPerSM;
  input.instructions[InstructionClass::Fp32] = 1e4;
  input.path[InstructionClass::Fp32] = 1e4;
  KernelRecord record = makeRecord("_Z1ki", 0);
  record.launch.grid = {{int64_t(input.blocks), 1, 1}, LaunchOrigin::Assumed};
  record.timeInUs =
      evaluateOperational(input, llvm::cantFail(findGPU("A100-40GB"))).timeInUs;
  record.input = input;
  return record;
}

// With half the blocks there is half the work, so that the time is shorter.
TEST(Gate, AssumedGridsAreComparedForTheSameThreads) {
  KernelRecord many = makeAssumed(4), few = makeAssumed(1);
  ASSERT_LT(*few.timeInUs, *many.timeInUs);
  RecordSet base = makeSet({many}), head = makeSet({few});
  GateResult result = llvm::cantFail(compareSets(base, head, {}));
  const Comparison &comparison = result.comparisons.front();
  EXPECT_EQ(comparison.verdict, Verdict::Tripped);
  EXPECT_EQ(comparison.pair.head->launch.grid->value, many.launch.grid->value);
  ASSERT_EQ(comparison.differences.size(), 1u);
  EXPECT_EQ(comparison.differences.front(),
            "assumed grid 432x1x1 -> 108x1x1, compared with as many threads as "
            "before");
  EXPECT_EQ(comparison.causes.front().id, "occupancy");
  // What is stated is meant.
  base.records.front().launch.grid->origin = LaunchOrigin::Source;
  result = llvm::cantFail(compareSets(base, head, {}));
  EXPECT_EQ(result.comparisons.front().verdict, Verdict::Uncertain);
}

TEST(Gate, ASetIsNotSlowerThanItself) {
  std::vector<KernelRecord> records;
  for (unsigned i = 0; i < 20; ++i)
    records.push_back(makeRecord("_Z1ki", i, 32, i));
  RecordSet set = makeSet(records);
  GateOptions options;
  options.maxSlowdown = 0;
  GateResult result = llvm::cantFail(compareSets(set, set, options));
  EXPECT_EQ(result.count(Verdict::Unchanged), 20u);
}

TEST(Gate, AllowancesHoldUpToTheirLimit) {
  GateOptions options;
  AllowEntry entry;
  entry.kernel = "k";
  entry.limit = 0.5;
  options.allowed = {entry};
  EXPECT_EQ(judge(100, 140, options), Verdict::Allowed);
  EXPECT_EQ(judge(100, 151, options), Verdict::Tripped);
  RecordSet set = makeSet({makeRecord("_Z1ki", 1)});
  EXPECT_EQ(llvm::cantFail(compareSets(set, set, options)).notes.size(), 1u);
  options.allowed.front().kernel = "other";
  auto result = compareSets(set, set, options);
  ASSERT_FALSE(static_cast<bool>(result));
  llvm::consumeError(result.takeError());
}

TEST(Gate, OtherGPUsAndModelsAreRefused) {
  RecordSet base = makeSet({makeRecord("_Z1ki", 1)});
  RecordSet head = base;
  head.records.front().gpu = "L40";
  auto refused = [&] {
    auto result = compareSets(base, head, {});
    if (result)
      return std::string();
    return llvm::toString(result.takeError());
  };
  EXPECT_EQ(refused(),
            "set.json: is about L40, and set.json about A100-40GB; predict "
            "both for the same GPUs, or choose some with --gpu");
  head.records.front().gpu = "A100-40GB";
  head.records.front().model = "mwp-cwp";
  EXPECT_NE(refused().find("predict all with the same --model"),
            std::string::npos);
  // Where there is no kernel yet there is no GPU to differ.
  head.records.clear();
  EXPECT_EQ(refused(), "");
}
