// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/HW/Clocks.h"

#include "gtest/gtest.h"

using namespace auspex;

namespace {

GPU described(llvm::StringRef name) { return llvm::cantFail(findGPU(name)); }

TEST(Clocks, TheSameClocksChangeNothing) {
  GPU before = described("P100");
  GPU after = llvm::cantFail(
      atClocks(before, {before[Q::SMClock], before[Q::DramClock]}));
  for (const QuantityInfo &info : quantityInfos())
    EXPECT_EQ(before.find(info.id), after.find(info.id)) << info.key.str();
}

TEST(Clocks, HalfTheCoreClock) {
  GPU before = described("V100-PCIe");
  GPU after =
      llvm::cantFail(atClocks(before, {before[Q::SMClock] / 2, std::nullopt}));
  EXPECT_EQ(after.cyclesPerUs(), before.cyclesPerUs() / 2);
  EXPECT_DOUBLE_EQ(after[Q::L2Bandwidth], before[Q::L2Bandwidth] / 2);
  EXPECT_EQ(after[Q::DramReadBandwidth], before[Q::DramReadBandwidth]);
  EXPECT_EQ(after[Q::LatencyL2], before[Q::LatencyL2]);
  EXPECT_EQ(after[Q::LaunchOverhead], before[Q::LaunchOverhead]);
  // 212 cycles to L2 stay; 213 behind it are half as many.
  EXPECT_DOUBLE_EQ(after[Q::LatencyDram], 212 + 213 / 2.0);
  EXPECT_LE(after[Q::SMClockBase], after[Q::SMClock]);
  EXPECT_EQ(after.provenanceText().substr(after.provenanceText().size() - 14),
            "; core 690 MHz");
}

TEST(Clocks, TwiceTheMemoryClock) {
  GPU before = described("P100");
  GPU after = llvm::cantFail(
      atClocks(before, {std::nullopt, 2 * before[Q::DramClock]}));
  EXPECT_DOUBLE_EQ(after[Q::DramBandwidth], 2 * before[Q::DramBandwidth]);
  EXPECT_EQ(after[Q::LatencyDram], before[Q::LatencyDram]);
  EXPECT_EQ(after[Q::SMClock], before[Q::SMClock]);
}

TEST(Clocks, DelaysOfThePublishedModelsAreBandwidths) {
  GPU before = described("GTX280");
  GPU after =
      llvm::cantFail(atClocks(before, {2 * before[Q::SMClock], std::nullopt}));
  EXPECT_DOUBLE_EQ(after[Q::MwpDepartureDelCoal],
                   2 * before[Q::MwpDepartureDelCoal]);
  EXPECT_GT(after[Q::MwpMemLd], before[Q::MwpMemLd]);
}

TEST(Clocks, RefusesWhatCannotBe) {
  auto problem = [](llvm::StringRef gpu, Clocks clocks) {
    return llvm::toString(atClocks(described(gpu), clocks).takeError());
  };
  EXPECT_EQ(problem("P100", {50000, {}}),
            "a clock of 50000 MHz is out of range; it has to be between 100 "
            "and 5000 MHz");
  EXPECT_EQ(problem("A100-40GB", {{}, 1215}),
            "the description of A100-40GB does not say dram_clock, the memory "
            "clock of its bandwidths; add it there");
}

} // namespace
