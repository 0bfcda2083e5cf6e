// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Kernel/BoundKernel.h"

#include "KernelBuilder.h"
#include "Kernels.h"

#include "gtest/gtest.h"

using namespace auspex;
using namespace auspex::test;

namespace {

bool isOfSamples(llvm::StringRef assumption) {
  return assumption.starts_with("how often code runs is counted at samples");
}

TEST(Bind, GuardedStreamCountsEveryWarpOnce) {
  KernelBuilder kernel;
  unsigned inside = kernel.block("[ctaid.x*ntid.x + tid.x < arg0]");
  kernel.code(inside, 1, 3);
  kernel.access(inside, "4*ctaid.x*ntid.x + 4*tid.x");
  BoundKernel bound =
      bind(kernel.summary, launch({4096}, {256}, {{"arg0", 1048570}}), a100(),
           Scenario::Low);
  EXPECT_TRUE(bound.isComplete);
  EXPECT_TRUE(bound.isExact);
  EXPECT_EQ(bound.blocks[0].warpExecutions, 32768);
  EXPECT_EQ(bound.blocks[0].laneExecutions, 1048570);
  EXPECT_EQ(bound.accesses[0].counts.requests, 32768);
  EXPECT_EQ(bound.accesses[0].counts.sectors, 131072);
  EXPECT_EQ(bound.instructions[InstructionClass::Fp32], 3);
  EXPECT_EQ(*bound.objects[0].extentInBytes, 4194304);
  EXPECT_EQ(bound.occupancy.activeBlocksPerSM, 8u);
}

TEST(Bind, UnstatedArgumentLeavesARange) {
  KernelBuilder kernel;
  unsigned inside = kernel.block("[ctaid.x*ntid.x + tid.x < arg0]");
  kernel.code(inside, 1, 1);
  LaunchConfig config = launch({1024}, {256});
  BoundKernel low = bind(kernel.summary, config, a100(), Scenario::Low);
  BoundKernel high = bind(kernel.summary, config, a100(), Scenario::High);
  EXPECT_FALSE(low.isComplete);
  EXPECT_TRUE(high.hasUpperBound);
  EXPECT_EQ(low.blocks[0].warpExecutions, 0);
  EXPECT_EQ(high.blocks[0].warpExecutions, 8192);
  ASSERT_EQ(low.unknowns.size(), 1u);
  EXPECT_EQ(low.unknowns[0], "whether a branch is taken depends on argument n");
}

TEST(Bind, AtLeastOneSideOfABranchIsTaken) {
  KernelBuilder kernel;
  const char *heavy = "[tid.x < arg0]", *light = "[arg0 <= tid.x]";
  for (const char *guard : {heavy, light, light, "[arg0 <= 2*tid.x]"})
    kernel.code(kernel.block(guard), 1, guard == heavy ? 5 : 2);
  BoundKernel low =
      bind(kernel.summary, launch({1024}, {256}), a100(), Scenario::Low);
  EXPECT_EQ(low.blocks[0].warpExecutions, 0);
  EXPECT_EQ(low.blocks[1].warpExecutions, 8192);
  EXPECT_EQ(low.blocks[2].warpExecutions, 8192);
  EXPECT_EQ(low.blocks[3].warpExecutions, 0);
}

TEST(Bind, SamplesAreSaid) {
  KernelBuilder kernel;
  kernel.block("[mod(ctaid.x*ctaid.x, 7) < 3]");
  auto assumed = [&](int64_t blocks) {
    return bind(kernel.summary, launch({blocks}, {256}), a100(), Scenario::High)
        .assumptions;
  };
  EXPECT_TRUE(llvm::none_of(assumed(1000), isOfSamples));
  EXPECT_TRUE(llvm::any_of(assumed(1'000'000), isOfSamples));
}

TEST(Bind, KnownConjunctsHoldInBothScenarios) {
  KernelBuilder kernel;
  kernel.block("min([tid.x < 32], [arg0 > 0])");
  LaunchConfig config = launch({1}, {256});
  EXPECT_EQ(bind(kernel.summary, config, a100(), Scenario::High)
                .blocks[0]
                .warpExecutions,
            1);
}

// Lanes that stay for four turns do them at once; the others do their three one
// after the other, at other times.
TEST(Bind, LanesThatLeaveTheLoopApartMakeRequestsApart) {
  KernelBuilder kernel;
  unsigned body =
      kernel.block("1", kernel.loop("floordiv(-tid.x + 109, 32) + 1"));
  kernel.code(body, 4, 8);
  kernel.code(body, 1, 2);
  kernel.access(body, "128*i0 + 4*tid.x");
  kernel.access(body, "128*i0 + 8*tid.x", MemorySpace::Shared);
  BoundKernel bound =
      bind(kernel.summary, launch({1}, {32}), a100(), Scenario::Low);
  const RequestCounts &global = bound.accesses[0].counts,
                      &apart = bound.accesses[0].inMachineCode();
  EXPECT_EQ(global.requests, 4);
  EXPECT_EQ(global.sectors, 14); // 110 words
  EXPECT_EQ(apart.requests, 7);
  EXPECT_EQ(apart.lanes, global.lanes);
  // The first three rows of 4 sectors are split at lane 14, within a sector.
  EXPECT_EQ(apart.sectors, 14 + 3);
  // 14 lanes that are two words apart meet at no bank, 18 do twice.
  EXPECT_EQ(bound.accesses[1].inMachineCode().bankPasses, 4 + 3 * 2);
  EXPECT_EQ(bound.instructions[InstructionClass::Fp32], 8 + 3 * 2);
}

// What is left comes first, where the counter begins with the thread: then
// lanes are at other turns, and meet at banks.
TEST(Bind, LanesThatHaveDoneTheirRestMeetAtBanks) {
  KernelBuilder kernel;
  int loop = kernel.loop("4 + [tid.x < 16]");
  unsigned body = kernel.block("1", loop);
  kernel.code(body, 4, 8);
  kernel.code(body, 1, 2);
  // A turn moves by half of the banks.
  kernel.access(body, "192*i0 + 4*tid.x", MemorySpace::Shared);
  auto passes = [&] {
    BoundKernel bound =
        bind(kernel.summary, launch({1}, {32}), a100(), Scenario::Low);
    return bound.accesses[0].inMachineCode().bankPasses;
  };
  EXPECT_EQ(passes(), 4 + 1);
  kernel.summary.loops[loop].isRestFirst = true;
  EXPECT_EQ(passes(), 1 + 4 * 2);
}

// Turns of lanes with other trip counts fall together if the same version does
// them: 5 and 7 turns are one group of 4 each, and then 1 and 3.
TEST(Bind, LanesThatLeaveTheLoopApartShareWhatIsLeft) {
  KernelBuilder kernel;
  unsigned body = kernel.block("1", kernel.loop("5 + 2*[tid.x < 16]"));
  kernel.code(body, 4, 8);
  kernel.code(body, 1, 2);
  kernel.access(body, "128*i0 + 4*tid.x");
  BoundKernel bound =
      bind(kernel.summary, launch({1}, {32}), a100(), Scenario::Low);
  EXPECT_EQ(bound.accesses[0].counts.requests, 7);
  EXPECT_EQ(bound.accesses[0].inMachineCode().requests, 7);
}

TEST(Bind, BoundsBeyondAllNumbersAreNone) {
  KernelBuilder kernel;
  Access &access = kernel.access(kernel.block("1"), "0");
  access.offset = MaybeExpr::unknown("indirect");
  access.lowest = {Expr(0), ""};
  access.highest = {Expr(INT64_MAX - 4), ""};
  access.bytesPerLane = 4;
  LaunchConfig config = launch({1}, {32});
  EXPECT_EQ(bind(kernel.summary, config, a100(), Scenario::High)
                .accesses[0]
                .extent->high,
            INT64_MAX - 1);
  access.highest = {Expr(INT64_MAX - 3), ""};
  EXPECT_FALSE(
      bind(kernel.summary, config, a100(), Scenario::High).accesses[0].extent);
}

TEST(Bind, UnknownTripCountHasNoUpperBound) {
  KernelBuilder kernel;
  int loop = kernel.loop("arg0");
  kernel.block("1", loop);
  BoundKernel bound =
      bind(kernel.summary, launch({1}, {32}), a100(), Scenario::High);
  EXPECT_FALSE(bound.isComplete);
  EXPECT_FALSE(bound.hasUpperBound);
}

TEST(Bind, CodeThatNeverRunsNeedNotBeKnown) {
  KernelBuilder kernel;
  int loop = kernel.loop("arg0");
  unsigned never = kernel.block("min([tid.x < 0], [arg1 == 3])", loop);
  kernel.access(never, "4*arg0*tid.x");
  BoundKernel bound =
      bind(kernel.summary, launch({1}, {32}), a100(), Scenario::Low);
  EXPECT_TRUE(bound.isComplete) << bound.unknowns.front();
}

TEST(Bind, UnlikelyBranchOnDataIsAssumedAway) {
  KernelBuilder kernel;
  kernel.block("[data0 != 0]");
  kernel.block("[data1 != 0]");
  kernel.summary.dataSymbols = {{"data0", "indirect", false, 0.01, {}},
                                {"data1", "indirect", false, 0.5, {}}};
  BoundKernel bound =
      bind(kernel.summary, launch({1}, {32}), a100(), Scenario::High);
  EXPECT_EQ(bound.blocks[0].warpExecutions, 0);
  EXPECT_EQ(bound.blocks[1].warpExecutions, 1);
  EXPECT_FALSE(bound.isComplete) << "an even branch stays open";
}

TEST(Bind, UnrolledLoopRunsGroupsAndALeftover) {
  KernelBuilder kernel;
  int loop = kernel.loop("10");
  unsigned body = kernel.block("1", loop);
  kernel.code(body, 4, 8); // 2 an iteration
  kernel.code(body, 1, 3);
  BoundKernel bound =
      bind(kernel.summary, launch({1}, {32}), a100(), Scenario::Low);
  // Two groups of four, two single iterations.
  EXPECT_EQ(bound.instructions[InstructionClass::Fp32], 2 * 8 + 2 * 3);
}

// Warps come to a loop twice and run what begins a version if they have turns
// for it: for groups of four, also where groups of eight take all of them.
TEST(Bind, VersionsOfALoopBeginWhereTheyHaveTurns) {
  for (unsigned trips = 1; trips < 40; ++trips) {
    KernelBuilder kernel;
    int outer = kernel.loop("2");
    unsigned body =
        kernel.block("1", kernel.loop(std::to_string(trips), outer));
    kernel.code(body, 8, 0);
    kernel.code(body, 4, 0);
    kernel.code(body, 1, 0);
    kernel.code(body, 0, 1000, 4);
    kernel.code(body, 0, 1, 1);
    BoundKernel bound =
        bind(kernel.summary, launch({1}, {32}), a100(), Scenario::Low);
    EXPECT_EQ(bound.instructions[InstructionClass::Fp32],
              2 * (1000 * (trips >= 4) + (trips % 4 > 0)))
        << trips;
  }
}

// Lanes of a warp go over a row of so many columns by the block's width: what
// is left to each after whole groups they do side by side.
TEST(Bind, LanesThatLeaveAnUnrolledLoopApartDoTheirRestsTogether) {
  for (unsigned width : {4u, 8u, 24u, 32u, 64u})
    for (unsigned columns = 1; columns < 600; columns += 7) {
      KernelBuilder kernel;
      std::string trips = "max(0, floordiv(" + std::to_string(columns - 1) +
                          " - tid.x, " + std::to_string(width) + ") + 1)";
      unsigned body = kernel.block("1", kernel.loop(trips));
      kernel.code(body, 16, 1e6);
      kernel.code(body, 4, 1e3);
      kernel.code(body, 1, 1);
      BoundKernel bound =
          bind(kernel.summary, launch({3}, {width, 8}), a100(), Scenario::Low);
      double expected = 0;
      for (unsigned first = 0; first < width * 8; first += 32) {
        unsigned most[3] = {};
        for (unsigned thread = first; thread < first + 32; ++thread) {
          unsigned x = thread % width;
          unsigned turns = x < columns ? (columns - 1 - x) / width + 1 : 0;
          most[0] = std::max(most[0], turns / 16);
          most[1] = std::max(most[1], turns % 16 / 4);
          most[2] = std::max(most[2], turns % 4);
        }
        expected += 1e6 * most[0] + 1e3 * most[1] + most[2];
      }
      double warps = width * 8 / 32;
      EXPECT_NEAR(bound.instructions[InstructionClass::Fp32] * warps, expected,
                  1e-6 * expected)
          << columns << " columns, blocks of " << width;
    }
}

TEST(Bind, TriangularLoop) {
  KernelBuilder kernel;
  int outer = kernel.loop("8");
  int inner = kernel.loop("i0 + 1", outer);
  kernel.block("1", inner);
  BoundKernel bound =
      bind(kernel.summary, launch({2}, {32}), a100(), Scenario::Low);
  EXPECT_EQ(bound.blocks[0].warpExecutions, 2 * 36);
}

TEST(Bind, DivergenceIsWhereLanesDisagree) {
  KernelBuilder kernel;
  unsigned entry = kernel.block("1");
  kernel.summary.branches = {{entry, {parse("[mod(tid.x, 2) == 0]"), ""}, {}},
                             {entry, {parse("[mod(tid.x, 64) < 32]"), ""}, {}},
                             {entry, {parse("[tid.x < 16]"), ""}, {}},
                             {entry, {parse("[data0 != 0]"), ""}, {}}};
  kernel.summary.dataSymbols = {{"data0", "indirect", false, 0.5, {}}};
  BoundKernel bound =
      bind(kernel.summary, launch({10}, {128}), a100(), Scenario::Low);
  EXPECT_EQ(bound.branches[0].divergent, 40);
  EXPECT_EQ(bound.branches[1].divergent, 0) << "whole warps agree";
  EXPECT_EQ(bound.branches[2].divergent, 10);
  EXPECT_FALSE(bound.branches[3].isKnown);
}

TEST(Bind, HalvingLoopOfAReduction) {
  KernelBuilder kernel;
  // for (s = ntid/2; s > 0; s /= 2) if (tid < s) ...
  int loop = kernel.loop("log2(floordiv(ntid.x, 2)) + 1");
  kernel.block("1", loop);
  kernel.block("[tid.x < floordiv(ntid.x, 2*pow2(i0))]", loop);
  BoundKernel bound =
      bind(kernel.summary, launch({1}, {256}), a100(), Scenario::Low);
  EXPECT_EQ(bound.blocks[0].warpExecutions, 8 * 8);
  // 128, 64, 32 lanes in 4, 2, 1 warps; then 16, 8, 4, 2, 1 in one warp each.
  EXPECT_EQ(bound.blocks[1].warpExecutions, 4 + 2 + 1 + 5);
  EXPECT_EQ(bound.blocks[1].laneExecutions, 255);
}

/// Blocks of 8 x 32 threads: a warp has four rows of eight lanes.
static double sectorsOfRequest(KernelBuilder &kernel, Scenario scenario) {
  BoundKernel bound =
      bind(kernel.summary, launch({64}, {8, 32}), a100(), scenario);
  EXPECT_FALSE(bound.isComplete);
  const RequestCounts &counts = bound.accesses[0].counts;
  return counts.sectors / counts.requests;
}

TEST(Bind, LanesThatAgreeOnDataAreServedTogether) {
  KernelBuilder kernel;
  kernel.summary.dataSymbols = {
      {"data0", "indirect", false, {}, {}, {Expr::symbol("tid.y")}}};
  kernel.access(kernel.block("1"), "4*data0*arg0 + 4*tid.x");
  EXPECT_EQ(sectorsOfRequest(kernel, Scenario::Low), 1);
  EXPECT_EQ(sectorsOfRequest(kernel, Scenario::Expected), 4);
  EXPECT_EQ(sectorsOfRequest(kernel, Scenario::High), 8);
}

// Lanes side by side are so wherever data begin to count, and in a ring too;
// only what is multiplied by data is anywhere.
TEST(Bind, DataThatLanesShareMoveThemTogether) {
  for (auto [offset, sectors] :
       {std::pair("4*mod(data0 + tid.x + 8*tid.y, 1024)", 4),
        std::pair("4*min(max(data0 + tid.x + 8*tid.y, 0), 4095)", 4),
        std::pair("4*data0*tid.x", 8)}) {
    KernelBuilder kernel;
    kernel.summary.dataSymbols = {{"data0", "indirect", true, {}, {}}};
    kernel.access(kernel.block("1"), offset);
    EXPECT_EQ(sectorsOfRequest(kernel, Scenario::Expected), sectors) << offset;
  }
}

// Warps that go over a row together have a last turn that is not full: rows of
// 40 words take two, though they are one and a quarter.
TEST(Bind, TheLastTurnOfRowsIsNotFull) {
  KernelBuilder kernel;
  kernel.summary.dataSymbols = {{"data0",
                                 "indirect",
                                 true,
                                 {},
                                 {},
                                 {parse("floordiv(tid.x + 256*ctaid.x, 32)")}}};
  int loop = kernel.loop("1");
  kernel.summary.loops[loop].tripCount = MaybeExpr::unknown("indirect");
  kernel.access(kernel.block("1", loop), "0");
  Access &access = kernel.summary.accesses[0];
  access.offset = MaybeExpr::unknown("indirect");
  access.picked = parse("4*data0 + 4*mod(tid.x, 32) + 128*i0");
  access.objectInBytes = 64 * 8 * 40 * 4;
  BoundKernel bound =
      bind(kernel.summary, launch({64}, {256}), a100(), Scenario::Expected);
  EXPECT_EQ(bound.accesses[0].counts.requests, 2 * 64 * 8);
}

// Where threads go over rows that data begin and end, all rows are what is
// known to be there: 64 blocks of 256 threads have 16 words each of 1 MiB.
TEST(Bind, RowsAreTheirArrayTogether) {
  KernelBuilder kernel;
  kernel.summary.dataSymbols = {
      {"data0", "indirect", false, {}, {}, {parse("tid.x + 256*ctaid.x")}}};
  int loop = kernel.loop("1");
  kernel.summary.loops[loop].tripCount = MaybeExpr::unknown("indirect");
  kernel.access(kernel.block("1", loop), "0");
  Access &access = kernel.summary.accesses[0];
  access.offset = MaybeExpr::unknown("indirect");
  access.picked = parse("4*data0 + 4*i0");
  auto lanes = [&](Scenario scenario) {
    BoundKernel bound =
        bind(kernel.summary, launch({64}, {256}), a100(), scenario);
    return bound.hasUpperBound ? bound.accesses[0].counts.lanes : -1;
  };
  EXPECT_EQ(lanes(Scenario::Expected), -1) << "of no known size";
  access.objectInBytes = 1 << 20;
  access.base = "@values";
  double threads = 64 * 256;
  EXPECT_EQ(lanes(Scenario::Low), threads);
  EXPECT_EQ(lanes(Scenario::Expected), 16 * threads);
  EXPECT_EQ(lanes(Scenario::High), 32 * 16 * threads);
  BoundKernel bound =
      bind(kernel.summary, launch({64}, {256}), a100(), Scenario::Expected);
  EXPECT_FALSE(bound.isComplete);
  EXPECT_TRUE(bound.loops[0].openBecause.empty());
  EXPECT_EQ(bound.assumptions.back(),
            "the loop goes over all of @values once, 16 turns in the mean");
  // Warps have 512 rows together, blocks 64, and their lanes see each word or
  // share it out.
  auto turns = [&](const char *changesWith, const char *offset) {
    kernel.summary.dataSymbols[0].changesWith = {parse(changesWith)};
    access.picked = parse(offset);
    return lanes(Scenario::Expected) / threads;
  };
  EXPECT_EQ(turns("floordiv(tid.x, 32) + 8*ctaid.x", "4*data0 + 4*i0"), 512);
  EXPECT_EQ(turns("ctaid.x", "4*data0 + 4*i0"), 4096);
  EXPECT_EQ(turns("ctaid.x", "4*data0 + 4*tid.x + 4*ntid.x*i0"), 16);
}

TEST(Bind, FloatingPointThatLanesShareChangesLittle) {
  KernelBuilder kernel;
  kernel.summary.dataSymbols = {
      {"data0", "float", false, {}, {}, {Expr::symbol("tid.y")}}};
  kernel.access(kernel.block("1"), "4*data0 + 4*tid.x");
  EXPECT_EQ(sectorsOfRequest(kernel, Scenario::Expected), 1);
  EXPECT_EQ(sectorsOfRequest(kernel, Scenario::High), 8);
  BoundKernel bound =
      bind(kernel.summary, launch({64}, {8, 32}), a100(), Scenario::Expected);
  EXPECT_TRUE(bound.accesses[0].pattern) << "reuse can be counted";
  EXPECT_EQ(bound.assumptions.back(),
            "addresses change little by a floating-point value");
}

TEST(Bind, LanesThatAgreeOnNothingAreApart) {
  KernelBuilder kernel;
  kernel.summary.dataSymbols = {{"data0", "indirect", false, {}, {}}};
  kernel.access(kernel.block("1"), "4*data0 + 4*tid.x");
  EXPECT_EQ(sectorsOfRequest(kernel, Scenario::Expected), 32);
}

// What moves all lanes alike leads to other banks, and to as many.
TEST(Bind, BanksDoNotHangOnWhereAWarpBegins) {
  KernelBuilder kernel;
  kernel.summary.dataSymbols = {{"data0", "atomic", true, {}, {}},
                                {"data1", "indirect", false, {}, {}}};
  unsigned block = kernel.block("1");
  for (const char *offset : {"4*data0 + 128*arg0*ctaid.x + 8*tid.x",
                             "2*data0 + 8*tid.x", "4*data1 + 8*tid.x"})
    kernel.access(block, offset, MemorySpace::Shared);
  // Of the same offset elsewhere nothing of the sort is known.
  kernel.access(block, "4*data0 + 128*arg0*ctaid.x + 8*tid.x");
  for (Scenario scenario :
       {Scenario::Low, Scenario::Expected, Scenario::High}) {
    BoundKernel bound =
        bind(kernel.summary, launch({64}, {256}), a100(), scenario);
    EXPECT_TRUE(bound.accesses[0].isKnown);
    EXPECT_FALSE(bound.accesses[0].extent);
    EXPECT_EQ(bound.accesses[0].counts.bankPasses,
              2 * bound.accesses[0].counts.requests);
    for (unsigned open : {1, 2, 3})
      EXPECT_FALSE(bound.accesses[open].isKnown) << open;
  }
}

TEST(Bind, PitchNobodyStatedKeepsRowsTogether) {
  KernelBuilder kernel;
  kernel.access(kernel.block("1"), "4*arg0*tid.y + 4*tid.x");
  EXPECT_EQ(sectorsOfRequest(kernel, Scenario::Low), 1);
  EXPECT_EQ(sectorsOfRequest(kernel, Scenario::Expected), 4);
}

TEST(Bind, RowsAreExpectedToBeAsWideAsTheLaunch) {
  KernelBuilder kernel;
  kernel.access(kernel.block("1"),
                "4*arg0*ctaid.y + 4*ntid.x*ctaid.x + 4*tid.x");
  LaunchConfig config = launch({3, 5}, {30});
  BoundKernel low = bind(kernel.summary, config, a100(), Scenario::Low);
  EXPECT_FALSE(low.accesses[0].pattern);
  BoundKernel expected =
      bind(kernel.summary, config, a100(), Scenario::Expected);
  EXPECT_FALSE(expected.accesses[0].isKnown);
  ASSERT_TRUE(expected.accesses[0].pattern);
  EXPECT_EQ(expected.accesses[0].pattern->blockStride(1), 4 * 96)
      << "90 threads along x, in whole lines";
}

TEST(Bind, OpenRowPitchKeepsThePattern) {
  KernelBuilder kernel;
  unsigned entry = kernel.block("1");
  kernel.access(entry, "4*arg0*ctaid.x + 4*tid.x");
  kernel.access(entry, "4*arg0*tid.x");
  LaunchConfig config = launch({16}, {32});
  BoundKernel low = bind(kernel.summary, config, a100(), Scenario::Low);
  BoundKernel high = bind(kernel.summary, config, a100(), Scenario::High);
  EXPECT_EQ(low.accesses[0].counts.sectors, 16 * 4);
  EXPECT_EQ(high.accesses[0].counts.sectors, 16 * 5) << "unaligned rows";
  EXPECT_EQ(low.accesses[1].counts.sectors, 16 * 1);
  EXPECT_EQ(high.accesses[1].counts.sectors, 16 * 32);
}

/// Of the many blocks a few would be looked at.
TEST(Bind, IndexThatCouldWrapDoesNot) {
  KernelBuilder kernel;
  kernel.access(kernel.block("1"),
                "4*mod(ctaid.x*ntid.x + tid.x + 2147483648, 4294967296)");
  BoundKernel bound =
      bind(kernel.summary, launch({100000}, {256}), a100(), Scenario::Expected);
  EXPECT_TRUE(bound.isExact);
  EXPECT_EQ(bound.accesses[0].counts.sectors, 3200000);
  EXPECT_EQ(*bound.objects[0].extentInBytes, 102400000);
}

TEST(Bind, IndirectAccessIsNeverGuessed) {
  KernelBuilder kernel;
  unsigned entry = kernel.block("1");
  kernel.access(entry, "0").offset = MaybeExpr::unknown("indirect");
  LaunchConfig config = launch({16}, {32});
  BoundKernel low = bind(kernel.summary, config, a100(), Scenario::Low);
  BoundKernel high = bind(kernel.summary, config, a100(), Scenario::High);
  EXPECT_FALSE(low.accesses[0].isKnown);
  EXPECT_EQ(low.accesses[0].counts.sectors, 16);
  EXPECT_EQ(high.accesses[0].counts.sectors, 16 * 32);
  EXPECT_FALSE(low.objects[0].extentInBytes);
}

// 32 lanes pick from 128 bytes: all in one line, and on words that meet.
TEST(Bind, LanesMeetInASmallVariable) {
  KernelBuilder kernel;
  Access &access = kernel.access(kernel.block("1"), "0");
  access.offset = MaybeExpr::unknown("indirect");
  access.base = "@table";
  access.objectInBytes = 128;
  LaunchConfig config = launch({16}, {32});
  BoundKernel bound = bind(kernel.summary, config, a100(), Scenario::Expected);
  EXPECT_EQ(bound.accesses[0].counts.lines, 16);
  EXPECT_NEAR(bound.accesses[0].counts.sectors, 16 * 4, 0.1);
  EXPECT_LT(bound.accesses[0].counts.l1Cycles, 16 * 4);
  // There are no more than these four sectors.
  EXPECT_EQ(bind(kernel.summary, config, a100(), Scenario::High)
                .accesses[0]
                .counts.sectors,
            16 * 4);
}

TEST(Bind, WordsOfPrivateArraysLieSideBySide) {
  KernelBuilder kernel;
  Access &access = kernel.access(kernel.block("1"), "0", MemorySpace::Local);
  access.offset = MaybeExpr::unknown("indirect");
  access.bytesPerLane = 8;
  BoundKernel bound =
      bind(kernel.summary, launch({16}, {32}), a100(), Scenario::Expected);
  EXPECT_EQ(bound.accesses[0].counts.sectors, 16 * 8);
  EXPECT_EQ(bound.accesses[0].counts.fewestSectors, 16 * 8);
}

// Of 32 lanes on 32 banks, 3.53 are expected to meet on the fullest.
TEST(Bind, WhatDataIsExpectedToDo) {
  KernelBuilder kernel;
  unsigned entry = kernel.block("1"), branch = kernel.block("data0");
  kernel.summary.staticSharedInBytes = 4096;
  kernel.access(entry, "0").offset = MaybeExpr::unknown("indirect");
  kernel.access(entry, "0").offset = MaybeExpr::unknown("indirect");
  kernel.summary.accesses[1].space = MemorySpace::Shared;
  BoundKernel bound =
      bind(kernel.summary, launch({16}, {32}), a100(), Scenario::Expected);
  EXPECT_FALSE(bound.isComplete);
  EXPECT_TRUE(bound.hasUpperBound);
  EXPECT_EQ(bound.accesses[0].counts.sectors, 16 * 32);
  EXPECT_NEAR(bound.accesses[1].counts.bankPasses, 16 * 3.53, 0.2);
  EXPECT_EQ(bound.blocks[branch].warpExecutions, 16);
}

// A warp whose lanes agree takes one side of a branch, and is expected to take
// the one with more to do; lanes that may disagree take both.
TEST(Bind, LanesThatAgreeTakeOneSide) {
  for (bool uniform : {true, false}) {
    KernelBuilder kernel;
    kernel.code(kernel.block("[data0 == 0]"), 1, 10);
    kernel.code(kernel.block("[data0 != 0]", kernel.loop("100")), 1, 5);
    kernel.code(kernel.block("[arg0 >= 5]"), 1, 30);
    kernel.code(kernel.block("[arg0 < 5]"), 1, 20);
    kernel.summary.dataSymbols = {{"data0", "indirect", uniform, {}, {}}};
    auto executed = [&](Scenario scenario) {
      BoundKernel bound =
          bind(kernel.summary, launch({1}, {32}), a100(), scenario);
      std::vector<double> blocks;
      for (const BoundBlock &block : bound.blocks)
        blocks.push_back(block.warpExecutions);
      return blocks;
    };
    double light = uniform ? 0 : 1;
    std::vector<double> expected{light, 100, 1, 0}, least{1, 0, 0, 1};
    EXPECT_EQ(executed(Scenario::Expected), expected);
    EXPECT_EQ(executed(Scenario::High), expected);
    EXPECT_EQ(executed(Scenario::Low), least);
  }
}

// Of a switch, one case: that with most to do, with what falls through to it.
TEST(Bind, LanesThatAgreeTakeOneCase) {
  for (bool uniform : {true, false}) {
    KernelBuilder kernel;
    for (auto [guard, instructions] :
         {std::pair("[data0 == 0]", 10), std::pair("[data0 == 1]", 30),
          std::pair("max([data0 == 2], [data0 == 3])", 5),
          std::pair("[3 == data0]", 15),
          std::pair("min([data0 != 0], [data0 != 1])", 4)})
      kernel.code(kernel.block(guard), 1, instructions);
    kernel.summary.dataSymbols = {{"data0", "indirect", uniform, {}, {}}};
    BoundKernel bound =
        bind(kernel.summary, launch({1}, {32}), a100(), Scenario::Expected);
    std::vector<double> blocks;
    for (const BoundBlock &block : bound.blocks)
      blocks.push_back(block.warpExecutions);
    EXPECT_EQ(blocks, uniform ? std::vector<double>({0, 1, 0, 0, 0})
                              : std::vector<double>(5, 1));
    EXPECT_FALSE(bound.isComplete);
  }
}

// A warp that does not come to a predicated block issues it too.
TEST(Bind, PredicatedBlocks) {
  KernelBuilder kernel;
  unsigned entry = kernel.block("1"), side = kernel.block("[tid.x < 32]");
  kernel.code(side, 1, 5);
  auto bound = [&] {
    return bind(kernel.summary, launch({16}, {64}), a100(), Scenario::Low);
  };
  EXPECT_EQ(bound().instructions.total(), 2.5);
  kernel.summary.blocks[side].predicatedIn = static_cast<int>(entry);
  EXPECT_EQ(bound().instructions[InstructionClass::Fp32], 2.5);
  EXPECT_EQ(bound().instructions.total(), 5);
}

/// A kernel whose first warps do \p first instructions between two barriers and
/// whose last ones \p last, before all of them do ten; bound for four warps.
static BoundKernel boundArms(const char *isFirst, double first,
                             const char *isLast, double last) {
  static KernelBuilder kernel;
  kernel = KernelBuilder();
  auto add = [&](llvm::StringRef guard, double count, unsigned interval) {
    unsigned block = kernel.block(guard);
    kernel.code(block, 1, count);
    Block &added = kernel.summary.blocks[block];
    added.code[0].path[InstructionClass::Fp32] = count;
    added.interval = interval;
  };
  add(isFirst, first, 0);
  add(isLast, last, 0);
  add("1", 10, 1);
  return bind(kernel.summary, launch({8}, {128}), a100(), Scenario::Low);
}

// Two warps compute while the two others do little: nobody waits for the
// little. Of 240 instructions a block 4 * 20 are done by four warps side by
// side, then 2 * 60 by two, and in the end 4 * 10 by all.
TEST(Bind, WarpsWaitForTheBusiestAtABarrier) {
  BoundKernel bound = boundArms("[tid.x < 64]", 80, "[tid.x >= 64]", 20);
  EXPECT_EQ(bound.instructions[InstructionClass::Fp32], 60);
  EXPECT_EQ(bound.path[InstructionClass::Fp32], 90);
  EXPECT_DOUBLE_EQ(bound.shareAtWork, (80 + 120 * 0.5 + 40) / 240);
}

// Loads that could all be under way at once find registers for some.
TEST(Bind, WarpsWaitForLoadsInTurns) {
  KernelBuilder kernel;
  unsigned block = kernel.block("1");
  kernel.code(block, 1, 10);
  MachineCode &code = kernel.summary.blocks[block].code[0];
  auto waits = [&](InstructionClass id, double loads) {
    code.mix[id] = loads;
    code.path[id] = 2;
    return bind(kernel.summary, launch({8}, {128}), a100(), Scenario::Low)
        .path[id];
  };
  EXPECT_EQ(waits(InstructionClass::LoadShared, 20), 2);
  EXPECT_EQ(waits(InstructionClass::LoadShared, 50), 5);
  EXPECT_EQ(waits(InstructionClass::LoadGlobal, 80), 2);
  EXPECT_EQ(waits(InstructionClass::LoadGlobal, 200), 5);
}

// In both arms there is a barrier, at the end of one and at the start of the
// other: they are one.
TEST(Bind, BarriersOfTwoArmsAreOne) {
  KernelBuilder kernel;
  unsigned first = kernel.block("[tid.x < 64]"),
           last = kernel.block("[tid.x >= 64]");
  kernel.summary.blocks[last].interval = 1;
  for (unsigned arm : {first, last}) {
    kernel.code(arm, 1, 10);
    MachineCode &code = kernel.summary.blocks[arm].code[0];
    code.mix[InstructionClass::Barrier] = 1;
    code.path = code.mix;
    unsigned other =
        kernel.block(arm == first ? "[tid.x >= 64]" : "[tid.x < 64]");
    kernel.code(other, 1, 1);
    kernel.summary.blocks[other].interval = arm == first ? 0 : 1;
  }
  BoundKernel bound =
      bind(kernel.summary, launch({8}, {128}), a100(), Scenario::Low);
  EXPECT_EQ(bound.path[InstructionClass::Fp32], 20);
  EXPECT_EQ(bound.path[InstructionClass::Barrier], 1);
}

TEST(Bind, WarpsThatDoAsMuchAreAllAtWork) {
  BoundKernel bound = boundArms("[tid.x < 64]", 80, "[tid.x >= 64]", 80);
  EXPECT_EQ(bound.path[InstructionClass::Fp32], 90);
  EXPECT_EQ(bound.shareAtWork, 1);
}

// Where some warp runs both, or lanes of it, one comes after the other.
TEST(Bind, WhatOneWarpDoesIsDoneInTurn) {
  for (const char *isFirst : {"[tid.x < 65]", "[mod(tid.x, 2) == 0]", "1"}) {
    BoundKernel bound = boundArms(isFirst, 80, "[tid.x >= 64]", 20);
    EXPECT_EQ(bound.path[InstructionClass::Fp32], 110) << isFirst;
    EXPECT_EQ(bound.shareAtWork, 1) << isFirst;
  }
}

TEST(Bind, ResidencyCanBeCapped) {
  KernelBuilder kernel;
  kernel.block("1");
  LaunchConfig config = launch({1024}, {256});
  config.maxBlocksPerSM = {2, LaunchOrigin::CommandLine};
  BoundKernel bound = bind(kernel.summary, config, a100(), Scenario::Low);
  EXPECT_EQ(bound.occupancy.activeBlocksPerSM, 2u);
  EXPECT_EQ(bound.occupancy.activeWarpsPerSM, 16u);
  EXPECT_EQ(bound.occupancy.occupancy, 0.25);
}

} // namespace
