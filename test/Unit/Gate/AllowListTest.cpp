// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Gate/AllowList.h"

#include "gtest/gtest.h"

using namespace auspex;

TEST(AllowList, Dates) {
  EXPECT_EQ(Date::parse("2027-03-31")->str(), "2027-03-31");
  EXPECT_EQ(Date::parse("2028-02-29")->day, 29);
  for (const char *wrong : {"", "2027-02-29", "2027-3-31", "31.03.2027",
                            "2027-13-01", "2027-00-01", "2027-01-00"})
    EXPECT_FALSE(Date::parse(wrong)) << wrong;
  EXPECT_LT(*Date::parse("2026-12-31"), *Date::parse("2027-01-01"));
}
