// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of all widths against that of the host.
#include "RunIR.h"

#include <cmath>
#include <random>

using namespace auspex;
using namespace auspex::test;

namespace {

/// Runs an instruction of IR on 32 pairs; `{0}`-like names are %a and %b.
template <class T, class R = T>
std::vector<R> compute(llvm::StringRef type, llvm::StringRef resultType,
                       llvm::StringRef body, const std::vector<T> &a,
                       const std::vector<T> &b,
                       llvm::StringRef declarations = "") {
  Runner runner((declarations +
                 "\ndefine ptx_kernel void @k(ptr %pa, ptr %pb, "
                 "ptr %out) {\n"
                 "  %tid = call i32 "
                 "@llvm.nvvm.read.ptx.sreg.tid.x()\n"
                 "  %qa = getelementptr " +
                 type +
                 ", ptr %pa, i32 %tid\n"
                 "  %qb = getelementptr " +
                 type +
                 ", ptr %pb, i32 %tid\n"
                 "  %a = load " +
                 type +
                 ", ptr %qa\n"
                 "  %b = load " +
                 type + ", ptr %qb\n" + body + "\n  %qo = getelementptr " +
                 resultType +
                 ", ptr %out, i32 %tid\n"
                 "  store " +
                 resultType +
                 " %r, ptr %qo\n"
                 "  ret void\n}\n")
                    .str());
  EXPECT_EQ(runner.error, "");
  T *pa = runner.allocate<T>(32), *pb = runner.allocate<T>(32);
  R *out = runner.allocate<R>(32);
  std::copy(a.begin(), a.end(), pa);
  std::copy(b.begin(), b.end(), pb);
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, pa, pb, out);
  EXPECT_EQ(runner.error, "") << body.str();
  return std::vector<R>(out, out + 32);
}

template <class T> std::vector<T> randomIntegers(unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values(32);
  for (T &value : values)
    value = static_cast<T>(random() >> (random() % 64));
  values[0] = 0;
  values[1] = static_cast<T>(~T(0));
  values[2] = std::numeric_limits<T>::min();
  return values;
}

template <class T> class Integers : public testing::Test {};
using IntegerTypes = testing::Types<int8_t, int16_t, int32_t, int64_t>;
TYPED_TEST_SUITE(Integers, IntegerTypes);

TYPED_TEST(Integers, EqualTheHosts) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  std::string type = "i" + std::to_string(8 * sizeof(T));
  std::vector<T> a = randomIntegers<T>(1), b = randomIntegers<T>(2);
  for (T &value : b)
    if (value == 0 || value == -1)
      value = 3;
  struct Row {
    const char *name;
    T (*function)(T, T);
  };
  static const Row rows[] = {
      {"add", [](T a, T b) { return T(U(a) + U(b)); }},
      {"sub", [](T a, T b) { return T(U(a) - U(b)); }},
      {"mul", [](T a, T b) { return T(uint64_t(a) * uint64_t(b)); }},
      {"sdiv", [](T a, T b) { return T(a / b); }},
      {"udiv", [](T a, T b) { return T(U(a) / U(b)); }},
      {"srem", [](T a, T b) { return T(a % b); }},
      {"urem", [](T a, T b) { return T(U(a) % U(b)); }},
      {"and", [](T a, T b) { return T(a & b); }},
      {"or", [](T a, T b) { return T(a | b); }},
      {"xor", [](T a, T b) { return T(a ^ b); }}};
  for (const Row &row : rows) {
    std::vector<T> results = compute<T>(
        type, type,
        ("  %r = " + llvm::Twine(row.name) + " " + type + " %a, %b").str(), a,
        b);
    for (unsigned i = 0; i < 32; ++i)
      EXPECT_EQ(results[i], row.function(a[i], b[i])) << row.name << ' ' << i;
  }
}

TEST(Arithmetic, WideProducts) {
  std::vector<uint64_t> a(32, 0xfedcba9876543210), b(32, 0x123456789abcdef0);
  std::vector<uint64_t> high = compute<uint64_t>(
      "i64", "i64",
      "  %wa = zext i64 %a to i128\n  %wb = zext i64 %b to i128\n"
      "  %p = mul i128 %wa, %wb\n  %s = lshr i128 %p, 64\n"
      "  %r = trunc i128 %s to i64",
      a, b);
  __extension__ typedef unsigned __int128 Wide;
  EXPECT_EQ(high[5], static_cast<uint64_t>((Wide(a[5]) * b[5]) >> 64));
}

TEST(Arithmetic, ConversionsOfWideIntegers) {
  __extension__ typedef __int128 Wide;
  std::vector<double> a(32, 0), b(32, 0);
  a[0] = 0x1.8p100;
  a[1] = -0x1.8p100;
  a[2] = 0x1p127;
  a[3] = -1e300;
  a[4] = NAN;
  std::vector<Wide> r = compute<double, Wide>(
      "double", "i128", "  %r = fptosi double %a to i128", a, b);
  EXPECT_TRUE(r[0] == Wide(3) << 99);
  EXPECT_TRUE(r[1] == -(Wide(3) << 99));
  EXPECT_TRUE(r[2] == ~(Wide(1) << 127));
  EXPECT_TRUE(r[3] == Wide(1) << 127);
  EXPECT_TRUE(r[4] == 0);
  std::vector<double> there = compute<Wide, double>(
      "i128", "double",
      "  %s = sitofp i128 %a to double\n  %u = uitofp i128 %a to double\n"
      "  %f = sitofp i128 %a to float\n  %w = fpext float %f to double\n"
      "  %t = fadd double %s, %u\n  %r = fadd double %t, %w",
      std::vector<Wide>(32, -(Wide(3) << 99)), std::vector<Wide>(32, 0));
  EXPECT_EQ(there[0], 0x1p128 - 3 * 0x1.8p100);
}

TEST(Arithmetic, OddWidthsWrap) {
  std::vector<uint32_t> a(32, 0xffffff), b(32, 2);
  EXPECT_EQ(compute<uint32_t>("i32", "i32",
                              "  %x = trunc i32 %a to i24\n"
                              "  %y = trunc i32 %b to i24\n"
                              "  %z = add i24 %x, %y\n"
                              "  %r = zext i24 %z to i32",
                              a, b)[0],
            1u);
  EXPECT_EQ(compute<uint32_t>("i32", "i32",
                              "  %x = trunc i32 %a to i24\n"
                              "  %y = trunc i32 %b to i24\n"
                              "  %z = sdiv i24 %x, %y\n"
                              "  %w = ashr i24 %x, 3\n"
                              "  %v = or i24 %z, %w\n"
                              "  %r = sext i24 %v to i32",
                              a, b)[0],
            0xffffffffu);
}

TEST(Arithmetic, FloatsRoundAsStated) {
  std::vector<float> a(32, 1.0f), b(32, 0x1p-30f);
  const char *const Declarations =
      "declare float @llvm.nvvm.add.rp.f(float, float)\n"
      "declare float @llvm.nvvm.add.rz.f(float, float)\n"
      "declare float @llvm.nvvm.add.rm.f(float, float)\n";
  auto add = [&](const char *mode) {
    return compute<float>("float", "float",
                          (llvm::Twine("  %r = call float @llvm.nvvm.add.") +
                           mode + ".f(float %a, float %b)")
                              .str(),
                          a, b, Declarations)[3];
  };
  EXPECT_EQ(add("rp"), 1 + 0x1p-23f);
  EXPECT_EQ(add("rz"), 1);
  EXPECT_EQ(add("rm"), 1);
  b.assign(32, -0x1p-30f);
  EXPECT_EQ(add("rm"), 1 - 0x1p-24f);
}

TEST(Arithmetic, ProductsAndSumsAreFused) {
  std::vector<float> a(32, 1 + 0x1p-12f), b(32, -1);
  float expected = std::fma(a[0], a[0], b[0]);
  EXPECT_NE(expected, a[0] * a[0] + b[0]);
  EXPECT_EQ(compute<float>("float", "float",
                           "  %p = fmul contract float %a, %a\n"
                           "  %r = fadd contract float %p, %b",
                           a, b)[0],
            expected);
}

TEST(Arithmetic, HalvesGoThereAndBack) {
  // Every half survives being a float, and adding nothing to it.
  for (uint32_t first = 0; first < 0x7c00; first += 0x1f) {
    std::vector<uint16_t> a(32), b(32, 0);
    for (unsigned i = 0; i < 32; ++i)
      a[i] = static_cast<uint16_t>(std::min(first + i, 0x7bffu));
    static Runner runner(R"(
define ptx_kernel void @k(ptr %in, ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr half, ptr %in, i32 %tid
  %h = load half, ptr %p
  %s = fadd half %h, 0xH0000
  %f = fpext half %s to double
  %g = fptrunc double %f to half
  %q = getelementptr half, ptr %out, i32 %tid
  store half %g, ptr %q
  ret void
}
)");
    static uint16_t *in = runner.allocate<uint16_t>(32),
                    *out = runner.allocate<uint16_t>(32);
    std::copy(a.begin(), a.end(), in);
    runner.launch("k", {1, 1, 1}, {32, 1, 1}, in, out);
    for (unsigned i = 0; i < 32; ++i)
      ASSERT_EQ(out[i], a[i]);
  }
}

TEST(Arithmetic, ConversionsSaturate) {
  std::vector<float> a(32, 0), b(32, 0);
  a[0] = 1e20f;
  a[1] = -1e20f;
  a[2] = NAN;
  a[3] = -2.7f;
  std::vector<int32_t> r = compute<float, int32_t>(
      "float", "i32", "  %r = fptosi float %a to i32", a, b);
  EXPECT_EQ(r[0], INT32_MAX);
  EXPECT_EQ(r[1], INT32_MIN);
  EXPECT_EQ(r[2], 0);
  EXPECT_EQ(r[3], -2);
}

} // namespace
