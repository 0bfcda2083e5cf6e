// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Support/Table.h"

#include "gtest/gtest.h"

using namespace auspex;

TEST(FormatNumber, KeepsThreeDigitsAndNoExponent) {
  EXPECT_EQ(formatNumber(0), "0");
  EXPECT_EQ(formatNumber(0.012345), "0.0123");
  EXPECT_EQ(formatNumber(12.345), "12.3");
  EXPECT_EQ(formatNumber(1234.5), "1234");
  EXPECT_EQ(formatNumber(4.0), "4");
  EXPECT_EQ(formatNumber(-2.5), "-2.5");
  EXPECT_EQ(formatNumber(1.0 / 0.0), "inf");
}

TEST(FormatTime, PicksTheUnit) {
  EXPECT_EQ(formatTimeInUs(0.87), "870 ns");
  EXPECT_EQ(formatTimeInUs(12.34), "12.3 us");
  EXPECT_EQ(formatTimeInUs(4560), "4.56 ms");
  EXPECT_EQ(formatTimeInUs(1.2e6), "1.2 s");
}

TEST(FormatTime, LeavesOutARangeThatDoesNotShow) {
  EXPECT_EQ(formatTimeInUs(12, std::pair(8.0, 25.0)), "12 us (8 us to 25 us)");
  EXPECT_EQ(formatTimeInUs(std::nullopt, std::pair(8.0, 25.0)),
            "8 us to 25 us");
  EXPECT_EQ(formatTimeInUs(12, std::pair(11.99, 12.01)), "12 us");
  EXPECT_EQ(formatTimeInUs(std::nullopt, std::nullopt), "unknown");
}

TEST(Table, AlignsNumbersToTheRight) {
  Table table({"name", "blocks", "change"});
  table.add({"saxpy", "8", "+5 %"});
  table.add({"transpose", "1024", "-12 %"});
  std::string text;
  llvm::raw_string_ostream os(text);
  table.print(os);
  EXPECT_EQ(os.str(), "name       blocks  change\n"
                      "saxpy           8    +5 %\n"
                      "transpose    1024   -12 %\n");
}
