// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Support/Json.h"

#include "gtest/gtest.h"

#include <limits>
#include <random>

using namespace auspex;
namespace json = llvm::json;

namespace {

std::string written(llvm::function_ref<void(json::OStream &)> write,
                    unsigned indent = 0) {
  std::string text;
  llvm::raw_string_ostream os(text);
  json::OStream out(os, indent);
  write(out);
  return text;
}

std::string written(const json::Value &value) {
  return written([&](json::OStream &out) { writeValue(out, value); });
}

TEST(ShortestNumber, HasNoMoreDigitsThanTheNumber) {
  EXPECT_EQ(shortestNumber(0), "0");
  EXPECT_EQ(shortestNumber(1.35), "1.35");
  EXPECT_EQ(shortestNumber(33.1), "33.1");
  EXPECT_EQ(shortestNumber(-0.1), "-0.1");
  EXPECT_EQ(shortestNumber(1.0 / 3), "0.3333333333333333");
}

TEST(ShortestNumber, HasAnExponentOnlyWhereItHelps) {
  EXPECT_EQ(shortestNumber(100000), "100000");
  EXPECT_EQ(shortestNumber(1555e9), "1555000000000");
  EXPECT_EQ(shortestNumber(0.00005), "0.00005");
  EXPECT_EQ(shortestNumber(1e-9), "1e-09");
  EXPECT_EQ(shortestNumber(1e300), "1e+300");
}

TEST(ShortestNumber, IsNullWhereJsonHasNoNumber) {
  EXPECT_EQ(shortestNumber(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(shortestNumber(std::numeric_limits<double>::quiet_NaN()), "null");
}

TEST(ShortestNumber, ReadsBackAsTheSameNumber) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 10000; ++round) {
    uint64_t bits = random();
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    if (!std::isfinite(value))
      continue;
    EXPECT_EQ(std::strtod(shortestNumber(value).c_str(), nullptr), value);
  }
}

TEST(WriteValue, PrintsNumbersShortAtEveryDepth) {
  EXPECT_EQ(written(json::Object{{"b", json::Array{0.1, 2, true, nullptr}},
                                 {"a", json::Object{{"x", 1.35}}}}),
            R"({"a":{"x":1.35},"b":[0.1,2,true,null]})");
  EXPECT_EQ(written(json::Value(INT64_MAX)), "9223372036854775807");
  EXPECT_EQ(written(json::Value(UINT64_MAX)), "18446744073709551615");
}

TEST(WriteText, RepairsWhatIsNotUtf8) {
  auto text = [](llvm::StringRef bytes) {
    return written([&](json::OStream &out) { writeText(out, bytes); });
  };
  EXPECT_EQ(text("a\"b\n"), R"("a\"b\n")");
  EXPECT_EQ(text("\xc3\xa9"), "\"\xc3\xa9\"");
  EXPECT_EQ(text("a\xff"), "\"a\xef\xbf\xbd\"");
}

TEST(WriteOnOneLine, KeepsARecordTogether) {
  auto record = [](json::OStream &out) {
    out.object([&] {
      out.attribute("line", 3);
      writeNumber(out, "share", 0.1);
    });
  };
  EXPECT_EQ(
      written(
          [&](json::OStream &out) {
            out.array([&] {
              writeOnOneLine(out, record);
              writeOnOneLine(out, record);
            });
          },
          2),
      "[\n  {\"line\":3,\"share\":0.1},\n  {\"line\":3,\"share\":0.1}\n]");
}

} // namespace
