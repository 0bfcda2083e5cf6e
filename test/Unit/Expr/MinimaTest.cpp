// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Expr/Minima.h"

#include "gtest/gtest.h"

using namespace auspex;

namespace {

/// The bound if nobody knows d and e; "" for none.
std::string bounded(llvm::StringRef text) {
  auto isKnown = [](const Expr &expr) {
    return !expr.uses("d") && !expr.uses("e");
  };
  auto bound = boundByMinima(llvm::cantFail(Expr::parse(text)), isKnown);
  return bound ? bound->str() : "";
}

TEST(Minima, KnownOperandsBound) {
  EXPECT_EQ(bounded("a + 1"), "a + 1");
  EXPECT_EQ(bounded("min(a, d)"), "a");
  EXPECT_EQ(bounded("min(a, b, d)"), "min(a, b)");
  EXPECT_EQ(bounded("3*min(a, d) + min(b, e) + 1"), "3*a + b + 1");
  EXPECT_EQ(bounded("min(d, min(a, e) + 2)"), "a + 2");
  EXPECT_EQ(bounded("min(d + 2, e) - d"), "2") << "what is added goes again";
}

TEST(Minima, SubtractedMaximaBound) {
  EXPECT_EQ(bounded("a - max(b, d)"), "a - b");
  EXPECT_EQ(bounded("min(a, d) - 2*max(0, e)"), "a");
  EXPECT_EQ(bounded("min(a, d) - max(a - e, 0)"), "a");
}

TEST(Minima, OtherTermsGiveNoBound) {
  for (llvm::StringRef text :
       {"d", "min(d, e)", "max(a, d)", "-min(a, d)", "b*min(a, d)"})
    EXPECT_EQ(bounded(text), "") << text.str();
}

} // namespace
