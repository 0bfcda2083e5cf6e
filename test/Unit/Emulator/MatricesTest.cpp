// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of matrices that a warp holds, against products on the host. Where
// an element lies is written down here as the PTX ISA's tables do it.
#include "RunIR.h"
#include "llvm/ADT/APFloat.h"

#include <functional>

using namespace auspex;
using namespace auspex::test;

namespace {

struct Place {
  unsigned row, column;
};
using Layout = std::function<Place(unsigned group, unsigned inGroup, unsigned)>;

struct Case {
  const char *intrinsic;
  unsigned m, n, k;
  /// Bits of an element of A and B, registers of A, B and C.
  unsigned bits, a, b, c;
  /// Their types in the IR.
  const char *operandType, *resultType;
  Layout placeA, placeB;
};

/// C of 16 rows: c0 and c1 in the row of the group's number, c2 and c3 8 below.
Place placeC(unsigned group, unsigned inGroup, unsigned i) {
  return {group + (i < 2 ? 0 : 8), inGroup * 2 + (i & 1)};
}

const Layout halvesA16 = [](unsigned g, unsigned t, unsigned i) {
  return Place{i < 2 || (4 <= i && i < 6) ? g : g + 8,
               t * 2 + (i & 1) + (i < 4 ? 0 : 8)};
};
const Layout halvesB16 = [](unsigned g, unsigned t, unsigned i) {
  return Place{t * 2 + (i & 1) + (i < 2 ? 0 : 8), g};
};
const Layout halvesA8 = [](unsigned g, unsigned t, unsigned i) {
  return Place{i < 2 ? g : g + 8, t * 2 + (i & 1)};
};
const Layout halvesB8 = [](unsigned g, unsigned t, unsigned i) {
  return Place{t * 2 + i, g};
};
const Layout wordsA8 = [](unsigned g, unsigned t, unsigned i) {
  return Place{i % 2 == 0 ? g : g + 8, i < 2 ? t : t + 4};
};
const Layout wordsB8 = [](unsigned g, unsigned t, unsigned i) {
  return Place{i == 0 ? t : t + 4, g};
};
const Layout bytesA32 = [](unsigned g, unsigned t, unsigned i) {
  return Place{i < 4 || (8 <= i && i < 12) ? g : g + 8,
               t * 4 + (i & 3) + (i < 8 ? 0 : 16)};
};
const Layout bytesB32 = [](unsigned g, unsigned t, unsigned i) {
  return Place{t * 4 + (i & 3) + (i < 4 ? 0 : 16), g};
};
const Layout bytesA16 = [](unsigned g, unsigned t, unsigned i) {
  return Place{g, t * 4 + i};
};
const Layout bytesB16 = [](unsigned g, unsigned t, unsigned i) {
  return Place{t * 4 + i, g};
};
const Layout nibblesA64 = [](unsigned g, unsigned t, unsigned i) {
  return Place{i < 8 || (16 <= i && i < 24) ? g : g + 8,
               t * 8 + (i & 7) + (i < 16 ? 0 : 32)};
};
const Layout nibblesB64 = [](unsigned g, unsigned t, unsigned i) {
  return Place{t * 8 + (i & 7) + (i < 8 ? 0 : 32), g};
};
const Layout bitsA256 = [](unsigned g, unsigned t, unsigned i) {
  return Place{i < 32 || (64 <= i && i < 96) ? g : g + 8,
               t * 32 + (i & 31) + (i < 64 ? 0 : 128)};
};
const Layout bitsB256 = [](unsigned g, unsigned t, unsigned i) {
  return Place{t * 32 + (i & 31) + (i < 32 ? 0 : 128), g};
};

const Case Cases[] = {
    {"m16n8k16.row.col.f32.f32", 16, 8, 16, 16, 4, 2, 4, "<2 x half>", "float",
     halvesA16, halvesB16},
    {"m16n8k8.row.col.f32.f32", 16, 8, 8, 16, 2, 1, 4, "<2 x half>", "float",
     halvesA8, halvesB8},
    {"m16n8k16.row.col.bf16", 16, 8, 16, 16, 4, 2, 4, "i32", "float", halvesA16,
     halvesB16},
    {"m16n8k8.row.col.tf32", 16, 8, 8, 32, 4, 2, 4, "i32", "float", wordsA8,
     wordsB8},
    {"m16n8k32.row.col.s8", 16, 8, 32, 8, 4, 2, 4, "i32", "i32", bytesA32,
     bytesB32},
    {"m8n8k16.row.col.s8", 8, 8, 16, 8, 1, 1, 2, "i32", "i32", bytesA16,
     bytesB16},
    {"m16n8k64.row.col.s4", 16, 8, 64, 4, 4, 2, 4, "i32", "i32", nibblesA64,
     nibblesB64},
    {"xor.popc.m16n8k256.row.col.b1", 16, 8, 256, 1, 4, 2, 4, "i32", "i32",
     bitsA256, bitsB256},
};

/// "type %a0, type %a1, ..."; each value is loaded from a row of 32 of them.
std::string loads(const char *name, const char *type, unsigned count,
                  std::string &arguments) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    std::string value = std::string("%") + name + std::to_string(i);
    text += "  " + value + ".i = add i32 %lane, " + std::to_string(32 * i) +
            "\n  " + value + ".p = getelementptr " + type + ", ptr %" + name +
            ", i32 " + value + ".i\n  " + value + " = load " + type + ", ptr " +
            value + ".p\n";
    arguments += (arguments.empty() ? "" : ", ") + (type + (" " + value));
  }
  return text;
}

std::string kernelOf(const Case &test) {
  std::string arguments;
  std::string body = loads("a", test.operandType, test.a, arguments);
  body += loads("b", test.operandType, test.b, arguments);
  body += loads("c", test.resultType, test.c, arguments);
  std::string result = "{ ", types;
  for (unsigned i = 0; i < test.c; ++i)
    result += (i ? ", " : "") + std::string(test.resultType);
  result += " }";
  for (auto [type, count] : {std::pair(test.operandType, test.a + test.b),
                             std::pair(test.resultType, test.c)})
    for (unsigned i = 0; i < count; ++i)
      types += (types.empty() ? "" : ", ") + std::string(type);
  std::string name = std::string("@llvm.nvvm.mma.") + test.intrinsic;
  std::string text = "declare " + result + " " + name + "(" + types +
                     ")\ndefine ptx_kernel void @k(ptr %a, ptr %b, ptr %c, ptr "
                     "%d) {\n  %lane = call i32 "
                     "@llvm.nvvm.read.ptx.sreg.tid.x()\n" +
                     body + "  %r = call " + result + " " + name + "(" +
                     arguments + ")\n";
  for (unsigned i = 0; i < test.c; ++i) {
    std::string value = "%d" + std::to_string(i);
    text += "  " + value + " = extractvalue " + result + " %r, " +
            std::to_string(i) + "\n  " + value + ".i = add i32 %lane, " +
            std::to_string(32 * i) + "\n  " + value + ".p = getelementptr " +
            test.resultType + ", ptr %d, i32 " + value + ".i\n  store " +
            test.resultType + " " + value + ", ptr " + value + ".p\n";
  }
  return text + "  ret void\n}\n";
}

/// Small whole numbers as bits of the case's type.
uint32_t encode(const Case &test, int value) {
  llvm::StringRef name = test.intrinsic;
  if (test.bits < 16)
    return static_cast<uint32_t>(value) & ((1u << test.bits) - 1);
  uint32_t bits = llvm::bit_cast<uint32_t>(static_cast<float>(value));
  if (test.bits == 32)
    return bits | 0x1fff; // which tf32 does not look at
  if (name.contains("bf16"))
    return bits >> 16;
  llvm::APFloat half(static_cast<float>(value));
  bool isInexact;
  half.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven,
               &isInexact);
  return static_cast<uint32_t>(half.bitcastToAPInt().getZExtValue());
}

class MatrixProducts : public testing::TestWithParam<Case> {};

TEST_P(MatrixProducts, MultiplyAsOnTheHost) {
  const Case &test = GetParam();
  Runner runner(kernelOf(test));
  ASSERT_EQ(runner.error, "");
  bool isBit = test.bits == 1, isFloat = test.bits >= 16;
  auto valueA = [&](unsigned row, unsigned column) {
    int value = static_cast<int>((row * 7 + column * 5) % 11) - 5;
    return isBit ? value & 1 : value;
  };
  auto valueB = [&](unsigned row, unsigned column) {
    int value = static_cast<int>((row * 3 + column * 13) % 9) - 4;
    return isBit ? value & 1 : value;
  };
  auto *a = runner.allocate<uint32_t>(32 * test.a);
  auto *b = runner.allocate<uint32_t>(32 * test.b);
  auto *c = runner.allocate<uint32_t>(32 * test.c);
  auto *d = runner.allocate<uint32_t>(32 * test.c);
  unsigned perRegister = 32 / test.bits;
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < test.a * perRegister; ++i) {
      Place at = test.placeA(lane / 4, lane % 4, i);
      a[i / perRegister * 32 + lane] |= encode(test, valueA(at.row, at.column))
                                        << i % perRegister * test.bits;
    }
    for (unsigned i = 0; i < test.b * perRegister; ++i) {
      Place at = test.placeB(lane / 4, lane % 4, i);
      b[i / perRegister * 32 + lane] |= encode(test, valueB(at.row, at.column))
                                        << i % perRegister * test.bits;
    }
    for (unsigned i = 0; i < test.c; ++i) {
      Place at = placeC(lane / 4, lane % 4, i);
      auto value = static_cast<int>(at.row * 100 + at.column);
      c[i * 32 + lane] =
          isFloat ? llvm::bit_cast<uint32_t>(static_cast<float>(value))
                  : static_cast<uint32_t>(value);
    }
  }
  runner.launch("k", {1, 1, 1}, {32, 1, 1}, a, b, c, d);
  ASSERT_EQ(runner.error, "");
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < test.c; ++i) {
      Place at = placeC(lane / 4, lane % 4, i);
      auto expected = static_cast<int>(at.row * 100 + at.column);
      for (unsigned k = 0; k < test.k; ++k)
        expected += isBit ? valueA(at.row, k) ^ valueB(k, at.column)
                          : valueA(at.row, k) * valueB(k, at.column);
      uint32_t bits = d[i * 32 + lane];
      int result = isFloat ? static_cast<int>(llvm::bit_cast<float>(bits))
                           : static_cast<int>(bits);
      ASSERT_EQ(result, expected) << "lane " << lane << ", element " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, MatrixProducts, testing::ValuesIn(Cases),
                         [](const auto &info) {
                           std::string name = info.param.intrinsic;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

TEST(MemoryBarriers, ArrivalsEndThePhaseOfABarrier) {
  // After the third of three arrivals the first one's phase is over, and the
  // next expects three again.
  Runner runner(R"(
@b = internal addrspace(3) global i64 undef, align 8
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3))
declare i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3), i64)
declare i32 @llvm.nvvm.mbarrier.pending.count(i64)
define ptx_kernel void @k(ptr %out) {
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @b, i32 3)
  %s0 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @b)
  %w0 = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @b, i64 %s0)
  %s1 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @b)
  %p1 = call i32 @llvm.nvvm.mbarrier.pending.count(i64 %s1)
  %s2 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @b)
  %w2 = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @b, i64 %s0)
  %s3 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @b)
  %p3 = call i32 @llvm.nvvm.mbarrier.pending.count(i64 %s3)
  %x0 = zext i1 %w0 to i32
  %x2 = zext i1 %w2 to i32
  store i32 %x0, ptr %out
  %o1 = getelementptr i32, ptr %out, i32 1
  store i32 %p1, ptr %o1
  %o2 = getelementptr i32, ptr %out, i32 2
  store i32 %x2, ptr %o2
  %o3 = getelementptr i32, ptr %out, i32 3
  store i32 %p3, ptr %o3
  ret void
}
)");
  auto *out = runner.allocate<uint32_t>(4, 77);
  runner.launch("k", {1, 1, 1}, {1, 1, 1}, out);
  EXPECT_EQ(runner.error, "");
  EXPECT_EQ(std::vector<uint32_t>(out, out + 4),
            (std::vector<uint32_t>{0, 2, 1, 3}));
}

} // namespace
