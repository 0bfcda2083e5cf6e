// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Expr/Period.h"

#include "gtest/gtest.h"

using namespace auspex;

namespace {

/// "length+shift" along s, once it has been seen to hold.
std::string period(llvm::StringRef text) {
  Expr expr = llvm::cantFail(Expr::parse(text));
  std::optional<Period> period = periodAlong(expr, "s");
  if (!period)
    return "none";
  for (int64_t s = 0; s < 50; ++s)
    for (int64_t x = 0; x < 50; ++x) {
      auto at = [&](int64_t value) {
        return *expr.evaluate([&](llvm::StringRef name) {
          return std::optional(name == "s" ? value : x);
        });
      };
      if (at(s + period->length) != at(s) + period->shift)
        return "wrong";
    }
  return std::to_string(period->length) + "+" + std::to_string(period->shift);
}

TEST(Period, OfSums) {
  EXPECT_EQ(period("x"), "1+0");
  EXPECT_EQ(period("3*s + x*x"), "1+3");
  EXPECT_EQ(period("s*x"), "none") << "grows by x";
  EXPECT_EQ(period("s*s"), "none");
}

TEST(Period, OfQuotientsAndRemainders) {
  EXPECT_EQ(period("mod(s, 30)"), "30+0");
  EXPECT_EQ(period("mod(6*s + x, 30)"), "5+0");
  EXPECT_EQ(period("floordiv(6*s + x, 30)"), "5+1");
  EXPECT_EQ(period("mod(s, 4) + 8*mod(s, 6) + s"), "12+12");
  EXPECT_EQ(period("floordiv(floordiv(s, 3) + x, 5)"), "15+1");
  EXPECT_EQ(period("mod(floordiv(s + x, 4), 6)"), "24+0");
  EXPECT_EQ(period("x*mod(s, 4)"), "4+0");
  EXPECT_EQ(period("x*floordiv(s, 4)"), "none");
  EXPECT_EQ(period("mod(s, x + 1)"), "none") << "a divisor that is no number";
  EXPECT_EQ(period("mod(x, s + 1)"), "none");
}

TEST(Period, OfBits) {
  EXPECT_EQ(period("xor(x, mod(s, 8))"), "8+0");
  EXPECT_EQ(period("xor(s + x, 5)"), "8+8");
  EXPECT_EQ(period("and(s + x, 10)"), "16+0");
  EXPECT_EQ(period("xor(s, x)"), "none");
}

TEST(Period, OfExtrema) {
  EXPECT_EQ(period("min(s + x, s + 3*x + 1)"), "none");
  EXPECT_EQ(period("max(mod(s, 6), x)"), "6+0");
  EXPECT_EQ(period("min(s, x)"), "none");
}

// Too long to be of use, and numbers that would overflow.
TEST(Period, OfLargeDivisors) {
  EXPECT_EQ(period("mod(s, 2000003) + mod(s, 2000029)"), "none");
  EXPECT_EQ(period("mod(s, 9223372036854775807)"), "none");
}

} // namespace
