// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Expr/CompiledExpr.h"

#include "llvm/ADT/StringMap.h"
#include "gtest/gtest.h"

#include <random>

using namespace auspex;

namespace {

Expr parse(llvm::StringRef text) { return llvm::cantFail(Expr::parse(text)); }

std::string canonical(llvm::StringRef text) { return parse(text).str(); }

std::string parseError(llvm::StringRef text) {
  auto result = Expr::parse(text);
  return result ? "no error" : llvm::toString(result.takeError());
}

TEST(Expr, KeepsPolynomialsInNormalForm) {
  EXPECT_EQ(canonical("tid.x + ctaid.x*ntid.x + 3 - tid.x"),
            "ctaid.x*ntid.x + 3");
  EXPECT_EQ(canonical("(a + b)*(a - b)"), "a*a - b*b");
  EXPECT_EQ(canonical("2*(a + 1) - 2*a"), "2");
  EXPECT_EQ(canonical("a - a"), "0");
  EXPECT_EQ(parse("a*b"), parse("b*a"));
}

TEST(Expr, SimplifiesDivisionAndRemainder) {
  EXPECT_EQ(canonical("(32*a + 7) / 32"), "a");
  EXPECT_EQ(canonical("(32*a + b) / 32"), "a + floordiv(b, 32)");
  EXPECT_EQ(canonical("(32*a + b) % 32"), "mod(b, 32)");
  EXPECT_EQ(canonical("(a / 4) / 8"), "floordiv(a, 32)");
  EXPECT_EQ(canonical("(4*a + 255) / 256"), "floordiv(a + 63, 64)");
  EXPECT_EQ(canonical("(4*a - 1) / 8"), "floordiv(a + 1, 2) - 1");
  EXPECT_EQ(canonical("(a % 64) % 32"), "mod(a, 32)");
  EXPECT_EQ(canonical("((a % 32) + 5) % 32"), "mod(a + 5, 32)");
  EXPECT_EQ(canonical("(3*(a % 64) - b) % 32"), "mod(3*a - b, 32)");
  EXPECT_EQ(canonical("(8*(a % 4) + b) % 32"), "mod(8*a + b, 32)");
  EXPECT_EQ(canonical("(3*(a % 5)) % 4"), "mod(3*mod(a, 5), 4)");
  EXPECT_EQ(canonical("and(a, 31)"), "mod(a, 32)");
  EXPECT_EQ(canonical("-7 / 2"), "-4");
  EXPECT_EQ(canonical("-7 % 2"), "1");
}

TEST(Expr, MergesPowersOfTwo) {
  EXPECT_EQ(canonical("pow2(i0 + 3)"), "8*pow2(i0)");
  // The rest alone would be no power.
  EXPECT_EQ(canonical("pow2(32 - min(n, 32))"), "pow2(-min(n, 32) + 32)");
  EXPECT_EQ(canonical("((n / 2) / pow2(i0)) / 2"), "floordiv(n, 4*pow2(i0))");
}

TEST(Expr, TakesWhatNoBitComesToOutOfBitOperations) {
  EXPECT_EQ(canonical("xor(256*ctaid.x + tid.x, 3)"),
            "256*ctaid.x + xor(tid.x, 3)");
  EXPECT_EQ(canonical("or(8*a - 1, 4)"), "8*a - 1");
  EXPECT_EQ(canonical("and(64*a + b, 20)"), "and(b, 20)");
  EXPECT_EQ(canonical("xor(4*a, 3)"), "4*a + 3");
  EXPECT_EQ(canonical("xor(4*a, 4)"), "xor(4*a, 4)");
}

TEST(Expr, SimplifiesExtrema) {
  EXPECT_EQ(canonical("min(a, a + 1)"), "a");
  EXPECT_EQ(canonical("max(a, a + 1)"), "a + 1");
  EXPECT_EQ(canonical("min(b, min(a, b))"), "min(a, b)");
  EXPECT_EQ(canonical("min(min(a, b), a + 1)"), "min(a, b)");
  EXPECT_EQ(canonical("max(min(b, a + 1), min(min(b, a + 3), a + 1))"),
            "min(b, a + 1)");
}

TEST(Expr, NegatesConditions) {
  Expr inside = parse("[i < n]");
  EXPECT_EQ(inside.str(), "[i < n]");
  EXPECT_EQ(Expr::negate(inside).str(), "[n <= i]");
  EXPECT_EQ(Expr::negate(Expr::negate(inside)), inside);
  Expr both = Expr::conjunction(inside, parse("[0 <= i]"));
  EXPECT_EQ(Expr::negate(both),
            Expr::disjunction(parse("[n <= i]"), parse("[i < 0]")));
  EXPECT_TRUE(Expr::conjunction(both, Expr::negate(inside)).isZero());
  EXPECT_EQ(Expr::disjunction(inside, Expr::negate(inside)), Expr(1));
  EXPECT_EQ(canonical("[2*a == 3]"), "0");
  EXPECT_EQ(canonical("[2*a != 4]"), "[a != 2]");
}

TEST(Expr, TakesApartWhatBitsJoin) {
  EXPECT_EQ(canonical("[or(a, b) >= 0]"), canonical("min([a >= 0], [b >= 0])"));
  EXPECT_EQ(canonical("[or(a, b) < 0]"), canonical("max([a < 0], [b < 0])"));
  EXPECT_EQ(canonical("[and(a, b) >= 0]"),
            canonical("max([a >= 0], [b >= 0])"));
  EXPECT_EQ(canonical("[and(a, b) < 0]"), canonical("min([a < 0], [b < 0])"));
}

TEST(Expr, KeepsJoinedConditionsInvalid) {
  Expr invalid = Expr::invalid(), some = parse("[a < b]");
  for (const Expr &other : {invalid, some, Expr(1)}) {
    EXPECT_FALSE(Expr::conjunction(invalid, other).isValid());
    EXPECT_FALSE(Expr::conjunction(other, invalid).isValid());
  }
  EXPECT_FALSE(Expr::disjunction(invalid, invalid).isValid());
  EXPECT_FALSE(Expr::disjunction(invalid, some).isValid());
  // What decides it decides it.
  EXPECT_TRUE(Expr::conjunction(invalid, Expr(0)).isZero());
  EXPECT_EQ(Expr::disjunction(invalid, Expr(1)), Expr(1));
}

TEST(Expr, PrintsWhatItParses) {
  for (llvm::StringRef text :
       {"4*tid.x + 128*ctaid.x + 16", "-a", "-a + 1", "mod(a + 3*b, 7)",
        "min(a, b, c)", "xor(a, b)", "pow2(i0)", "log2(ntid.x)", "[a < b]",
        "[mod(tid.x, 2) == 0]", "max([a < b], [c <= d])", "0",
        "[floordiv(tid.x, 32) <= arg0]", "9223372036854775807"}) {
    EXPECT_EQ(parse(text), parse(parse(text).str())) << text.str();
  }
}

TEST(Expr, RefusesBadText) {
  EXPECT_EQ(parseError("a +"), "in the expression 'a +': it ends too early");
  EXPECT_EQ(parseError("a b"), "in the expression 'a b': 'b' is left over");
  EXPECT_EQ(parseError("foo(a)"),
            "in the expression 'foo(a)': no function 'foo' takes 1 operands");
  EXPECT_EQ(parseError("1 / 0"), "in the expression '1 / 0': a number or the "
                                 "whole is too large, or a divisor is 0");
  EXPECT_NE(parseError("9223372036854775808"), "no error");
  EXPECT_NE(parseError("9223372036854775807 + 1"), "no error");
  EXPECT_NE(parseError(std::string(5000, '(')), "no error");
  EXPECT_NE(parseError("[a]"), "no error");
}

TEST(Expr, HasNoNumberThatCannotBeNegated) {
  Expr least(-INT64_MAX), a = Expr::symbol("a");
  for (const Expr &expr : {Expr(INT64_MIN), least - Expr(1), least * a - a,
                           Expr(int64_t(1) << 62) * Expr(-2) * a}) {
    EXPECT_FALSE(expr.isValid());
    EXPECT_TRUE(expr.sum().empty());
  }
  EXPECT_TRUE((least * a).isValid());
  EXPECT_NE(parseError("mod((0-9223372036854775807-1)*floordiv(tid.x,0-tid.y),"
                       "tid.y+1)"),
            "no error");
  EXPECT_EQ(a.substitute([](llvm::StringRef) { return Expr(INT64_MIN); }).str(),
            "?");
}

TEST(Expr, LimitsItsSize) {
  auto repeat = [](llvm::StringRef first, llvm::StringRef part,
                   unsigned times) {
    std::string text = first.str();
    for (unsigned i = 0; i < times; ++i)
      text += part;
    return text;
  };
  EXPECT_TRUE(parse(repeat("a", " % b", Expr::MaxDepth)).isValid());
  EXPECT_NE(parseError(repeat("a", " % b", Expr::MaxDepth + 1)), "no error");
  EXPECT_NE(parseError(repeat("a", " % b", 10000)), "no error");
  std::string product = "a";
  for (unsigned i = 0; i < Expr::MaxFactors; ++i)
    product += "*a" + std::to_string(i);
  EXPECT_NE(parseError(product), "no error");
  EXPECT_NE(parseError(repeat("a", " + a", 80000)), "no error") << "too long";
  // Each level holds the one below it twice.
  std::string doubled = "a";
  for (unsigned i = 0; i < 20; ++i)
    doubled =
        "mod((" + doubled + " + 1)*(b + 2), " + std::to_string(7 + i) + ")";
  EXPECT_NE(parseError(doubled), "no error");
}

TEST(Expr, SplitsLinearly) {
  Expr address = parse("4*tid.x*n + 4*tid.x + 8*mod(ctaid.x, 3) + 5");
  auto linear = address.linearIn("tid.x");
  ASSERT_TRUE(linear);
  EXPECT_EQ(linear->factor->str(), "4*n + 4");
  EXPECT_EQ(linear->rest->str(), "8*mod(ctaid.x, 3) + 5");
  EXPECT_FALSE(address.linearIn("ctaid.x"));
  EXPECT_FALSE(parse("a*a").linearIn("a"));
}

TEST(Expr, SubstitutesAndSimplifies) {
  Expr index = parse("(ctaid.x*ntid.x + tid.x) / 64");
  Expr bound = index.substitute([](llvm::StringRef name) {
    return name == "ntid.x" ? std::optional<Expr>(Expr(64)) : std::nullopt;
  });
  EXPECT_EQ(bound.str(), "ctaid.x + floordiv(tid.x, 64)");
  auto ranges = [](llvm::StringRef name) {
    return name == "tid.x" ? Interval{0, 63} : Interval{};
  };
  EXPECT_EQ(bound.simplify(ranges).str(), "ctaid.x");
  EXPECT_EQ(parse("mod(tid.x, 64)").simplify(ranges).str(), "tid.x");
  EXPECT_EQ(parse("mod(3*tid.x + 200, 400)").simplify(ranges).str(),
            "3*tid.x + 200");
  EXPECT_EQ(parse("mod(tid.x - 90, 32)").simplify(ranges).str(),
            "mod(tid.x + 6, 32)");
  EXPECT_EQ(parse("mod(-tid.x + 31, 64)").simplify(ranges).str(),
            "mod(-tid.x + 31, 64)");
  EXPECT_EQ(parse("mod(-tid.x, 64)").simplify(ranges).str(), "mod(-tid.x, 64)");
  EXPECT_EQ(parse("mod(-tid.x - 1, 64)").simplify(ranges).str(), "-tid.x + 63");
  EXPECT_EQ(parse("[tid.x < 64]").simplify(ranges), Expr(1));
  EXPECT_EQ(parse("min(tid.x, 99)").simplify(ranges).str(), "tid.x");
}

TEST(Expr, OverflowIsInvalidNotWrong) {
  Expr big(INT64_MAX);
  EXPECT_FALSE((big + Expr(1)).isValid());
  EXPECT_FALSE((big * Expr(2)).isValid());
  EXPECT_FALSE(Expr::min(big + Expr(1), Expr(0)).isValid());
  EXPECT_FALSE(parse("a*2")
                   .evaluate([](llvm::StringRef) {
                     return std::optional<int64_t>(INT64_MAX);
                   })
                   .has_value());
}

/// Random expressions over a, b and c.
class RandomExpr {
public:
  explicit RandomExpr(unsigned seed) : random(seed) {}

  int64_t number(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }

  Expr make(unsigned depth) {
    if (depth == 0 || number(0, 5) == 0)
      return number(0, 1) ? Expr(number(-20, 20))
                          : Expr::symbol(std::string(1, 'a' + number(0, 2)));
    Expr x = make(depth - 1), y = make(depth - 1);
    switch (number(0, 10)) {
    case 0:
    case 1:
      return x + y;
    case 2:
      return x - y;
    case 3:
      return x * y;
    case 4:
      return Expr::floorDiv(x, Expr(number(1, 9)));
    case 5:
      return Expr::mod(x, Expr(number(1, 9)));
    case 6:
      return Expr::min(x, y);
    case 7:
      return Expr::max(x, y);
    case 8:
      return Expr::isAtLeastZero(x);
    case 9:
      return Expr::select(Expr::isEqual(x, y), x, Expr(3));
    default:
      return Expr::bitXor(Expr::mod(x, Expr(16)), Expr::mod(y, Expr(16)));
    }
  }

private:
  std::mt19937 random;
};

using Values = std::array<int64_t, 3>;

std::optional<int64_t> at(const Expr &expr, const Values &values) {
  return expr.evaluate([&](llvm::StringRef name) {
    return std::optional<int64_t>(values[name[0] - 'a']);
  });
}

TEST(ExprProperty, RulesKeepValues) {
  RandomExpr make(1);
  for (int round = 0; round < 3000; ++round) {
    Expr x = make.make(3), y = make.make(3);
    if (!x.isValid() || !y.isValid())
      continue;
    Values v{make.number(-50, 50), make.number(-50, 50), make.number(-50, 50)};
    auto p = at(x, v), q = at(y, v);
    if (!p || !q)
      continue;
    auto equals = [&](const Expr &expr, int64_t expected) {
      if (!expr.isValid())
        return;
      EXPECT_EQ(at(expr, v), std::optional(expected))
          << x.str() << " and " << y.str();
    };
    equals(x + y, *p + *q);
    equals(x - y, *p - *q);
    equals(x * y, *p * *q);
    equals(Expr::min(x, y), std::min(*p, *q));
    equals(Expr::max(x, y), std::max(*p, *q));
    int64_t bits = make.number(0, 40);
    equals(Expr::bitAnd(x, Expr(bits)), *p & bits);
    equals(Expr::bitOr(x, Expr(bits)), *p | bits);
    equals(Expr::bitXor(x, Expr(bits)), *p ^ bits);
    equals(Expr::isAtLeastZero(Expr::bitOr(x, y)), (*p | *q) >= 0);
    equals(Expr::isAtLeastZero(Expr::bitAnd(x, y)), (*p & *q) >= 0);
    equals(Expr::isLess(Expr::bitOr(x, y), 0), (*p | *q) < 0);
    equals(Expr::isLess(Expr::bitAnd(x, y), 0), (*p & *q) < 0);
    equals(Expr::floorDiv(x, Expr(6)), floorDiv(*p, 6));
    equals(Expr::mod(x, Expr(6)), floorMod(*p, 6));
    equals(Expr::isLess(x, y), *p < *q);
    equals(Expr::isEqual(x, y), *p == *q);
    equals(Expr::isNotEqual(x, y), *p != *q);
    Expr less = Expr::isLess(x, y), even = Expr::isEqual(Expr::mod(x, 2), 0);
    equals(Expr::conjunction(less, even), *p < *q && *p % 2 == 0);
    equals(Expr::disjunction(less, even), *p < *q || *p % 2 == 0);
    equals(Expr::negate(Expr::disjunction(less, even)),
           !(*p < *q || *p % 2 == 0));
    equals(parse(x.str()), *p);
  }
}

TEST(ExprProperty, PrintsWhatItParses) {
  RandomExpr make(4);
  for (int round = 0; round < 5000; ++round) {
    Expr x = make.make(4);
    if (!x.isValid())
      continue;
    ASSERT_EQ(parse(x.str()), x) << x.str();
  }
}

TEST(ExprProperty, CompiledEqualsEvaluated) {
  RandomExpr make(2);
  std::vector<std::string> slots{"a", "b", "c"};
  for (int round = 0; round < 3000; ++round) {
    Expr x = make.make(4);
    Values v{make.number(-50, 50), make.number(-50, 50), make.number(-50, 50)};
    auto expected = at(x, v);
    if (!x.isValid() || !expected)
      continue;
    CompiledExpr compiled(x, slots);
    ASSERT_TRUE(compiled.isUsable());
    bool failed = false;
    EXPECT_EQ(compiled.evaluate(v, failed), *expected) << x.str();
    EXPECT_FALSE(failed);
  }
  EXPECT_FALSE(CompiledExpr(Expr::symbol("d"), slots).isUsable());
}

TEST(ExprProperty, LanesAreEvaluatedAsIfAlone) {
  RandomExpr make(5);
  std::vector<std::string> slots{"a", "b", "c"};
  for (int round = 0; round < 2000; ++round) {
    CompiledExpr compiled(make.make(4), slots);
    if (!compiled.isUsable())
      continue;
    std::array<LaneValues, 2> first;
    int64_t scale = round % 10 ? 1 : INT64_MAX / 60;
    for (LaneValues &values : first)
      for (int64_t &value : values)
        value = scale * make.number(-50, 50);
    int64_t rest = make.number(-50, 50);
    uint32_t failed = 0;
    LaneValues result = compiled.evaluateLanes(first, rest, failed);
    for (unsigned lane = 0; lane < 32; ++lane) {
      bool fails = false;
      int64_t alone =
          compiled.evaluate({first[0][lane], first[1][lane], rest}, fails);
      ASSERT_EQ(failed >> lane & 1, fails);
      if (!fails) {
        ASSERT_EQ(result[lane], alone);
      }
    }
  }
}

TEST(ExprProperty, LanesAreDividedAsIfAlone) {
  RandomExpr make(7);
  for (int round = 0; round < 2000; ++round) {
    int64_t most = int64_t(1) << make.number(1, 33);
    int64_t divisor = make.number(1, most);
    LaneValues values;
    for (int64_t &value : values)
      value = make.number(0, most / divisor + 1) * divisor - make.number(0, 1);
    Expr x = Expr::symbol("x");
    for (bool isDivision : {true, false}) {
      CompiledExpr compiled(isDivision ? Expr::floorDiv(x, divisor)
                                       : Expr::mod(x, divisor),
                            {"x"});
      uint32_t failed = 0;
      LaneValues result = compiled.evaluateLanes(values, {}, failed);
      EXPECT_EQ(failed, 0u);
      for (auto [value, quotient] : llvm::zip(values, result))
        ASSERT_EQ(quotient, isDivision ? floorDiv(value, divisor)
                                       : floorMod(value, divisor))
            << value << " by " << divisor;
    }
  }
}

TEST(ExprProperty, CompiledRangeEqualsRange) {
  RandomExpr make(6);
  std::vector<std::string> slots{"a", "b", "c"};
  for (int round = 0; round < 3000; ++round) {
    Expr x = make.make(4);
    CompiledExpr compiled(x, slots);
    if (!compiled.isUsable())
      continue;
    std::array<Interval, 3> bounds;
    for (Interval &bound : bounds) {
      bound.low = make.number(-12, 12);
      bound.high = round % 5 ? bound.low + make.number(0, 6) : Interval::Max;
      if (round % 7 == 0)
        bound.low = Interval::Min;
    }
    EXPECT_EQ(compiled.range(bounds), x.range([&](llvm::StringRef name) {
      return bounds[name[0] - 'a'];
    })) << x.str();
  }
}

TEST(ExprProperty, RangesHoldAllValuesAndSimplifyKeepsThem) {
  RandomExpr make(3);
  for (int round = 0; round < 2000; ++round) {
    Expr x = make.make(3);
    if (!x.isValid())
      continue;
    std::array<Interval, 3> bounds;
    for (Interval &bound : bounds) {
      bound.low = make.number(-12, 12);
      bound.high = bound.low + make.number(0, 6);
    }
    auto symbols = [&](llvm::StringRef name) { return bounds[name[0] - 'a']; };
    Interval range = x.range(symbols);
    Expr simple = x.simplify(symbols), tight = x.tighten(symbols);
    for (int sample = 0; sample < 20; ++sample) {
      Values v;
      for (int i = 0; i < 3; ++i)
        v[i] = make.number(bounds[i].low, bounds[i].high);
      auto value = at(x, v);
      if (!value)
        continue;
      EXPECT_TRUE(range.contains(*value)) << x.str() << " = " << *value;
      ASSERT_TRUE(simple.isValid());
      EXPECT_EQ(at(simple, v), value) << x.str() << " as " << simple.str();
      EXPECT_EQ(at(tight, v), value) << x.str() << " as " << tight.str();
    }
  }
}

// What loops between clamped bounds go is a difference of two large numbers.
TEST(Expr, FindsRemainders) {
  auto remainders = [](llvm::StringRef text) {
    return parse(text).withRemainders().str();
  };
  EXPECT_EQ(remainders("i - 8*floordiv(i, 8)"), "mod(i, 8)");
  EXPECT_EQ(remainders("3*i - 24*floordiv(i, 8) + j"), "j + 3*mod(i, 8)");
  // Of a quotient: one division by both.
  EXPECT_EQ(remainders("2*floordiv(i, 8) - 10*floordiv(i, 40) + 1"),
            parse("2*mod(floordiv(i, 8), 5) + 1").str());
  EXPECT_EQ(remainders("floordiv(i, 8) - 4*floordiv(i, 40)"),
            "floordiv(i, 8) - 4*floordiv(i, 40)");
  EXPECT_EQ(remainders("floordiv(i, 8) - 5*floordiv(j, 40)"),
            "floordiv(i, 8) - 5*floordiv(j, 40)");
  // The same value everywhere, each taken once.
  Expr sum = parse("floordiv(i, 4) - 3*floordiv(i, 12) + floordiv(i, 2) - "
                   "2*floordiv(i, 4) + i - 12*floordiv(i, 12)");
  for (int64_t i = -30; i < 30; ++i) {
    auto value = [&](llvm::StringRef) { return std::optional(i); };
    EXPECT_EQ(sum.withRemainders().evaluate(value), sum.evaluate(value)) << i;
  }
}

TEST(Expr, ReplacesFunctions) {
  Expr replaced = parse("max(mod(i, 8), 3) + floordiv(mod(i, 8), 2)")
                      .substituteFunctions([](const Atom &atom) {
                        return atom.kind == Atom::Kind::Mod
                                   ? std::optional(Expr::symbol("digit"))
                                   : std::nullopt;
                      });
  EXPECT_EQ(replaced, parse("max(digit, 3) + floordiv(digit, 2)"));
}

TEST(Expr, TightensDifferences) {
  auto rangeOf = [](llvm::StringRef text) {
    auto symbols = [](llvm::StringRef name) {
      return name == "a" ? Interval{0, 999999} : Interval{0, 15};
    };
    return parse(text).tighten(symbols).range(symbols);
  };
  EXPECT_EQ(rangeOf("min(1000000, a + 10) - a"), (Interval{1, 10}));
  EXPECT_EQ(rangeOf("a - max(0, a - 10)"), (Interval{0, 10}));
  EXPECT_EQ(rangeOf("max(min(19000000, 20*a + 20), 20*a + 1) - 20*a"),
            (Interval{1, 20}));
  EXPECT_EQ(
      rangeOf("(31 + max(min(19000000, 20*a + 20), 20*a + 1) - 20*a) / 4"),
      (Interval{8, 12}));
  EXPECT_EQ(rangeOf("max(3*a - 50*floordiv(3*a, 50) + 1, 4*a - "
                    "6*floordiv(a, 6) - 50*floordiv(3*a, 50)) - 3*a + "
                    "50*floordiv(3*a, 50)"),
            (Interval{1, 5}));
  EXPECT_EQ(rangeOf("min(999999, a + 10) - max(0, a - 10) + 1"),
            (Interval{1, 21}));
  EXPECT_EQ(rangeOf("max(0, min(999999, a + 10), a - 10) - max(0, a - 10)"),
            (Interval{0, 20}));
  EXPECT_EQ(rangeOf("(7*a + 7*b + 7) / 5 - (7*a + 7*b) / 5"), (Interval{1, 2}));
}

} // namespace
