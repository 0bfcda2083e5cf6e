// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Support/Numbers.h"

#include "gtest/gtest.h"

using namespace auspex;

TEST(Numbers, Shares) {
  EXPECT_EQ(parseShare("5%"), 0.05);
  EXPECT_EQ(parseShare("5 %"), 0.05);
  EXPECT_EQ(parseShare("0"), 0.0);
  for (const char *wrong : {"", "%", "-1%", "x", "nan", "inf"})
    EXPECT_FALSE(parseShare(wrong)) << wrong;
}

TEST(Numbers, Times) {
  EXPECT_EQ(parseTimeInUs("500ns"), 0.5);
  EXPECT_EQ(parseTimeInUs("2"), 2.0);
  EXPECT_EQ(parseTimeInUs("2 us"), 2.0);
  EXPECT_EQ(parseTimeInUs("3ms"), 3000.0);
  EXPECT_EQ(parseTimeInUs("1s"), 1e6);
  for (const char *wrong : {"", "us", "-1us", "1min", "inf"})
    EXPECT_FALSE(parseTimeInUs(wrong)) << wrong;
}
