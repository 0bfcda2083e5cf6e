// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Expr/Recurrence.h"

#include "gtest/gtest.h"

#include <map>

using namespace auspex;

namespace {

/// n and m are sizes, t an index, c a constant of any sign, i the counter.
Interval interval(llvm::StringRef symbol) {
  if (symbol == "n" || symbol == "m")
    return {1, 1000};
  if (symbol == "t")
    return {0, 31};
  return symbol == "i" ? Interval{0, 1000} : Interval{};
}

Expr parse(llvm::StringRef text) { return llvm::cantFail(Expr::parse(text)); }

std::optional<Expr> solve(llvm::StringRef start, llvm::StringRef next) {
  return auspex::solve({parse(start), parse(next), "self", "i"}, interval);
}

/// The solution's text, once it has given what the loop gives.
std::string solved(llvm::StringRef start, llvm::StringRef next) {
  std::optional<Expr> solution = solve(start, next);
  if (!solution)
    return "none";
  Expr first = parse(start), after = parse(next);
  for (int64_t n : {1, 2, 7, 64})
    for (int64_t m : {1, 3, 10})
      for (int64_t t : {0, 1, 5, 31})
        for (int64_t c : {-3, 0, 4}) {
          std::map<std::string, int64_t> values{
              {"n", n}, {"m", m}, {"t", t}, {"c", c}};
          auto lookup = [&](llvm::StringRef name) -> std::optional<int64_t> {
            auto found = values.find(name.str());
            return found == values.end() ? std::nullopt
                                         : std::optional(found->second);
          };
          values["self"] = *first.evaluate(lookup);
          for (int64_t i = 0; i < 62; ++i) {
            values["i"] = i;
            if (solution->evaluate(lookup) != values["self"])
              return "wrong in iteration " + std::to_string(i) + " with n " +
                     std::to_string(n) + ", m " + std::to_string(m) + ", t " +
                     std::to_string(t) + ", c " + std::to_string(c) + ": " +
                     solution->str();
            values["self"] = *after.evaluate(lookup);
          }
        }
  return solution->str();
}

/// For solutions whose text says little.
void expectSolved(llvm::StringRef start, llvm::StringRef next) {
  std::string text = solved(start, next);
  EXPECT_TRUE(text != "none" && !llvm::StringRef(text).starts_with("wrong"))
      << start.str() << ", " << next.str() << ": " << text;
}

TEST(Recurrence, StartsAgainAtABound) {
  // Before the step: `(self >= 20 ? 0 : self) + 1`.
  EXPECT_EQ(solved("20", "self*[self < 20] + 1"), "mod(i + 19, 20) + 1");
  expectSolved("0", "self*[self < 20] + 1");
  // After it: `self + 3 >= 20 ? 2 : self + 3`.
  EXPECT_EQ(solved("2", "2 + (self + 1)*[self + 3 < 20]"), "3*mod(i, 6) + 2");
  EXPECT_EQ(solved("5", "2 + (self + 1)*[self + 3 < 20]"),
            "3*mod(i + 1, 6) + 2");
  EXPECT_EQ(solved("0", "(self + 1)*[self + 1 < n]"), "mod(i, n)");
  EXPECT_EQ(solved("0", "(self + m)*[self + m < n]"),
            "m*mod(i, floordiv(n - 1, m) + 1)");
  // From beyond the bound.
  expectSolved("50", "7 + (self - 5)*[self <= 20]");
  // Where it starts may lie before the bound or not.
  expectSolved("t", "(self + 1)*[self < 9]");
  // At the bound, and at once again.
  expectSolved("t", "12 + (self - 11)*[self < 9]");
}

TEST(Recurrence, KeepsItsValueOrNot) {
  // `t < 8 ? self : 4 * i + c`.
  expectSolved("c", "self*[t < 8] + (4*i + c)*(1 - [t < 8])");
  expectSolved("m", "self - self*[t < 8] + m*i*[t < 8]");
  EXPECT_EQ(
      auspex::solve({Expr::invalid(), parse("self*[t < 8] + i - i*[t < 8]"),
                     "self", "i", /*startsUnset=*/true},
                    interval)
          ->str(),
      "i - 1");
  // It is added to.
  EXPECT_EQ(solved("c", "self*[t < 8] + 1"), "none");
}

TEST(Recurrence, StartsAgainDownwards) {
  EXPECT_EQ(solved("9", "9 + (self - 10)*[self > 0]"), "-mod(i, 10) + 9");
  EXPECT_EQ(solved("n - 1", "n - 1 + (self - n)*[self != 0]"),
            "n - mod(i, n) - 1");
  expectSolved("t", "20 + (self - 24)*[self >= 4]");
}

TEST(Recurrence, StartsAgainWhereItMeetsAnEnd) {
  EXPECT_EQ(solved("0", "(self + 1)*[self + 1 != n]"), "mod(i, n)");
  EXPECT_EQ(solved("0", "self + 1 - (self + 1)*[self + 1 == n]"), "mod(i, n)");
  EXPECT_EQ(solved("3", "3 + (self + 1)*[self + 4 != 27]"), "4*mod(i, 6) + 3");
  // It may pass the end by, or have passed it.
  EXPECT_EQ(solved("3", "3 + (self + 1)*[self + 4 != 26]"), "none");
  EXPECT_EQ(solved("t", "(self + 1)*[self + 1 != 9]"), "none");
  EXPECT_EQ(solved("c", "(self + 1)*[self + 1 != 9]"), "none");
}

TEST(Recurrence, TakesPositionsInARing) {
  EXPECT_EQ(solved("0", "mod(self + 3, n)"), "mod(3*i, n)");
  EXPECT_EQ(solved("t", "mod(self + 3, 32)"), "mod(3*i + t, 32)");
  EXPECT_EQ(solved("t", "mod(self + 32800, 65536) - 32768"),
            "mod(32*i + t + 32768, 65536) - 32768");
  EXPECT_EQ(solved("3", "self + 2 - 5*[self + 2 >= 5]"), "mod(2*i + 3, 5)");
  EXPECT_EQ(solved("c", "mod(self + 3, n)"), "none");
}

TEST(Recurrence, ClampsAndHalves) {
  expectSolved("c", "min(self + 2, n)");
  expectSolved("c", "max(self - m, 0)");
  EXPECT_EQ(solved("6", "self + min(6, 32 - self)"), "min(32, 6*i + 6)");
  EXPECT_EQ(solved("n", "(self + 1) / 2"),
            "floordiv(n + pow2(i) - 1, pow2(i))");
}

TEST(Recurrence, AddsInSomeIterations) {
  expectSolved("c", "self + 1 - [i == m]");
  expectSolved("c", "self + n*[i >= m] + 2");
  expectSolved("c", "self + n*[i < m]*[t == 5]");
  expectSolved("c", "self + [i != t]");
  EXPECT_EQ(solved("c", "self + [2*i < m]"), "none");
}

TEST(Recurrence, KnowsTheOldOnes) {
  expectSolved("c", "self + 4*n");
  expectSolved("c", "n - self");
  expectSolved("t", "xor(self, m)");
  expectSolved("c", "3*i");
  EXPECT_EQ(solved("c", "self*self"), "none");
  EXPECT_EQ(solved("c", "n*self"), "none");
}

} // namespace
