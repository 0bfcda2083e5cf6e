// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/MwpCwp.h"

#include "ReferenceCases.h"

using namespace auspex;
using namespace auspex::test;

namespace {

/// The example of Table 2: tiled matrix multiplication, 80 blocks of 128.
MwpCwpInput table2() {
  MwpCwpInput in;
  in.threadsPerBlock = 128;
  in.blocks = 80;
  in.activeBlocksPerSM = 5;
  in.activeSMs = 16;
  in.compInsts = 27;
  in.uncoalMemInsts = 6;
  in.synchInsts = 6;
  in.uncoalPerMw = 32;
  in.loadBytesPerWarp = 128;
  in.issueCycles = 4;
  in.memLdInCycles = 420;
  in.departureDelUncoalInCycles = 10;
  in.departureDelCoalInCycles = 4;
  in.freqInGHz = 1;
  in.memBandwidthInGBps = 80;
  return in;
}

/// Anything that readMwpCwpInput accepts.
MwpCwpInput randomInput(Random &random) {
  MwpCwpInput in;
  in.threadsPerBlock = random.whole(1, 1024);
  in.blocks = random.whole(1, 1e12);
  in.activeBlocksPerSM = random.whole(1, 128);
  in.activeSMs = random.whole(1, 4096);
  in.compInsts = random.count(1e12);
  in.coalMemInsts = random.count(1e12);
  in.uncoalMemInsts = random.count(1e12);
  in.synchInsts = random.count(1e12);
  in.uncoalPerMw = random.real(1, 1024);
  in.loadBytesPerWarp = random.real(1, 65536);
  in.issueCycles = random.real(0.001, 1000);
  in.memLdInCycles = random.real(0.001, 1e6);
  in.departureDelUncoalInCycles = random.real(0.001, 1e6);
  in.departureDelCoalInCycles = random.real(0.001, 1e6);
  in.freqInGHz = random.real(0.001, 100);
  in.memBandwidthInGBps = random.real(0.001, 1e6);
  return in;
}

TEST(MwpCwp, ReproducesTheReferenceCases) {
  checkReference("mwp_cwp_cases.jsonl", [](const Node &input) {
    return listValues(evaluateMwpCwp(llvm::cantFail(readMwpCwpInput(input))))
        .toJSON();
  });
}

TEST(MwpCwp, EvaluatesTable2Exactly) {
  MwpCwpOutput out = evaluateMwpCwp(table2());
  EXPECT_EQ(out.memLInCycles, 730);
  EXPECT_EQ(out.departureDelayInCycles, 320);
  EXPECT_EQ(out.mwp, 730.0 / 320);
  EXPECT_DOUBLE_EQ(*out.mwpPeakBw, 80 * 730.0 / (128 * 16));
  EXPECT_EQ(out.compCycles, 132);
  EXPECT_EQ(out.memCycles, 4380);
  EXPECT_NEAR(*out.cwpFull, 34.18, 0.005);
  EXPECT_EQ(out.cwp, 20);
  EXPECT_EQ(out.rep, 1);
  EXPECT_EQ(out.kind, MwpCwpCase::MemoryBound);
  EXPECT_DOUBLE_EQ(out.execCyclesApp, 38428.1875);
  EXPECT_DOUBLE_EQ(out.synchCost, 12300);
  EXPECT_DOUBLE_EQ(out.execCycles, 50728.1875);
}

// Table 2 rounds MWP to 2.28 before it goes on.
TEST(MwpCwp, RoundingMwpGivesTable2AsPrinted) {
  MwpCwpOutput out = evaluateMwpCwp(table2());
  double mwp = std::round(*out.mwp * 100) / 100;
  EXPECT_EQ(mwp, 2.28);
  double app = out.memCycles * 20 / mwp + out.compCycles / 6 * (mwp - 1);
  double synch = *out.departureDelayInCycles * (mwp - 1) * 6 * 5;
  EXPECT_EQ(std::round(app), 38449); // the paper's 38 450 is rounded up
  EXPECT_EQ(std::round(synch), 12288);
  EXPECT_EQ(std::ceil(app) + synch, 50738);
}

TEST(MwpCwp, WithoutMemoryInstructionsOnlyComputes) {
  MwpCwpInput in = table2();
  in.uncoalMemInsts = 0;
  MwpCwpOutput out = evaluateMwpCwp(in);
  EXPECT_FALSE(out.memLInCycles || out.departureDelayInCycles || out.mwp ||
               out.mwpPeakBw || out.mwpWithoutBwFull);
  EXPECT_EQ(out.kind, MwpCwpCase::ComputeBound);
  EXPECT_EQ(out.cwpFull, 1);
  EXPECT_EQ(out.execCyclesApp, 27 * 4 * 20); // comp_cycles * N * rep
  EXPECT_EQ(out.synchCost, 0);
  EXPECT_EQ(out.cpi, 4);
  EXPECT_EQ(listValues(out).toJSON().get("mwp"), nullptr);
}

TEST(MwpCwp, WithoutInstructionsTakesNoTime) {
  MwpCwpInput in = table2();
  in.uncoalMemInsts = in.compInsts = 0;
  MwpCwpOutput out = evaluateMwpCwp(in);
  EXPECT_FALSE(out.cwpFull || out.cwp || out.cpi);
  EXPECT_EQ(out.execCycles, 0);
}

TEST(MwpCwp, CountsWholeWarps) {
  MwpCwpInput in = table2();
  in.threadsPerBlock = 97;
  EXPECT_EQ(evaluateMwpCwp(in).execCycles, evaluateMwpCwp(table2()).execCycles);
  EXPECT_EQ(evaluateMwpCwp(in).cpi, evaluateMwpCwp(table2()).cpi);
}

// One warp that needs more than its SM's bandwidth: MWP is below 1 and MWP - 1,
// as printed in Eq. 23 and 26, would be a negative number of warps.
TEST(MwpCwp, StarvedMemoryIsNeverNegative) {
  MwpCwpInput in = table2();
  in.memBandwidthInGBps = 1;
  in.compInsts = 1e6;
  MwpCwpOutput out = evaluateMwpCwp(in);
  EXPECT_LT(*out.mwp, 1);
  EXPECT_EQ(out.synchCost, 0);
  EXPECT_DOUBLE_EQ(out.execCycles, out.memCycles * 20 / *out.mwp);
}

TEST(MwpCwp, IsFiniteAndNotNegative) {
  Random random;
  for (int i = 0; i < 20000; ++i) {
    MwpCwpInput in = randomInput(random);
    SCOPED_TRACE(
        llvm::formatv("{0}", llvm::json::Value(listValues(in).toJSON())).str());
    for (const NamedValue &entry : listValues(evaluateMwpCwp(in))) {
      double number = entry.value.getAsNumber().value_or(0);
      ASSERT_TRUE(std::isfinite(number) && number >= 0) << entry.key.str();
    }
  }
}

TEST(MwpCwp, IsProportionalToTheBlocks) {
  Random random;
  for (int i = 0; i < 2000; ++i) {
    MwpCwpInput in = randomInput(random), twice = in;
    twice.blocks *= 2;
    EXPECT_DOUBLE_EQ(evaluateMwpCwp(twice).execCycles,
                     2 * evaluateMwpCwp(in).execCycles);
  }
}

// Eq. 23 falls with MWP while Mem_cycles * N * #Mem_insts > Comp_cycles *
// MWP^2, which CWP_full >= MWP + 1 implies (N >= MWP). It need not at the step
// to another case: see EquationsMayPunishBandwidth.
TEST(MwpCwp, BandwidthHelpsWellInsideTheMemoryBoundCase) {
  Random random;
  unsigned compared = 0;
  for (int i = 0; i < 20000; ++i) {
    MwpCwpInput in = randomInput(random), more = in;
    more.memBandwidthInGBps *= 1 + random.unit();
    MwpCwpOutput slow = evaluateMwpCwp(in), fast = evaluateMwpCwp(more);
    if (in.coalMemInsts + in.uncoalMemInsts < 1 ||
        slow.kind != MwpCwpCase::MemoryBound ||
        fast.kind != MwpCwpCase::MemoryBound || *fast.cwpFull < *fast.mwp + 1)
      continue;
    ++compared;
    EXPECT_LE(fast.execCyclesApp, slow.execCyclesApp * (1 + 1e-12));
  }
  EXPECT_GT(compared, 1000u);
}

// A warning to whoever ranks variants by this model: where computation is
// longer than memory, Eq. 23 still charges each further memory warp a
// computation period.
TEST(MwpCwp, EquationsMayPunishBandwidth) {
  MwpCwpInput in = table2();
  in.compInsts = 2000;
  in.uncoalMemInsts = 0;
  in.coalMemInsts = 1;
  in.memBandwidthInGBps = 10;
  MwpCwpInput more = in;
  more.memBandwidthInGBps = 50;
  EXPECT_EQ(evaluateMwpCwp(in).kind, MwpCwpCase::MemoryBound);
  EXPECT_EQ(evaluateMwpCwp(more).kind, MwpCwpCase::MemoryBound);
  EXPECT_GT(evaluateMwpCwp(more).execCyclesApp,
            evaluateMwpCwp(in).execCyclesApp);
}

} // namespace
