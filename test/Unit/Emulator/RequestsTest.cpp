// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RunIR.h"

#include <random>
#include <set>

using namespace auspex;
using namespace auspex::test;

namespace {

/// Every lane reads its own number of bytes at an offset from a table; lanes
/// whose offset is negative do not.
std::string readKernel(llvm::StringRef type, unsigned align) {
  return ("define ptx_kernel void @read(ptr %offsets, ptr %data, ptr %sum) {\n"
          "  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
          "  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
          "  %first = mul i32 %ctaid, 32\n"
          "  %i = add i32 %first, %tid\n"
          "  %p = getelementptr i64, ptr %offsets, i32 %i\n"
          "  %offset = load i64, ptr %p\n"
          "  %reads = icmp sge i64 %offset, 0\n"
          "  br i1 %reads, label %body, label %end\n"
          "body:\n"
          "  %q = getelementptr i8, ptr %data, i64 %offset\n"
          "  %v = load " +
          type + ", ptr %q, align " + llvm::Twine(align) +
          "\n"
          "  br label %end\n"
          "end:\n"
          "  ret void\n"
          "}\n")
      .str();
}

/// Offsets of the lanes of one request.
using Offsets = std::array<int64_t, 32>;

Offsets randomOffsets(std::mt19937 &random, unsigned bytes, unsigned align,
                      int64_t size) {
  Offsets offsets;
  unsigned shape = random() % 6;
  int64_t step = static_cast<int64_t>(random() % 40) * align;
  int64_t first = static_cast<int64_t>(random() % 64) * align;
  int64_t range = shape == 4 ? 256 : size - 4096;
  uint32_t mask = random() % 3 ? ~0u : random();
  for (unsigned lane = 0; lane < 32; ++lane) {
    int64_t offset = shape == 0   ? first
                     : shape == 1 ? first + lane * bytes
                     : shape == 2 ? first + lane * step
                     : shape == 3 ? first + lane / 16 * 512 + lane % 16 * bytes
                                  : static_cast<int64_t>(random()) % range;
    offset = offset / align * align;
    offsets[lane] = mask >> lane & 1 ? offset : -1;
  }
  return offsets;
}

struct Width {
  const char *type;
  unsigned bytes, align;
};

class Requests : public testing::TestWithParam<Width> {};

/// Whatever the addresses are, the counts are those of countRequest.
TEST_P(Requests, CountAsTheModelDoes) {
  auto [type, bytes, align] = GetParam();
  std::mt19937 random(bytes * 16 + align);
  Runner runner(readKernel(type, align));
  ASSERT_EQ(runner.error, "");
  constexpr int64_t Size = 1 << 16;
  constexpr int Blocks = 300;
  char *data = runner.allocate<char>(Size);
  int64_t *table = runner.allocate<int64_t>(Blocks * 32);
  MemoryGranularity lines, windows;
  lines.l1Rule = L1Rule::Lines;
  windows.l1Rule = L1Rule::Windows;
  for (const MemoryGranularity &granularity :
       {MemoryGranularity(), lines, windows}) {
    RequestCounts expected;
    uint64_t newSectors = 0;
    std::set<int64_t> inLaunch;
    for (int block = 0; block < Blocks; ++block) {
      Offsets offsets = randomOffsets(random, bytes, align, Size);
      std::copy(offsets.begin(), offsets.end(), table + block * 32);
      uint32_t mask = 0;
      std::set<int64_t> sectors;
      for (unsigned lane = 0; lane < 32; ++lane) {
        if (offsets[lane] < 0)
          continue;
        mask |= 1u << lane;
        for (unsigned byte = 0; byte < bytes; ++byte)
          sectors.insert((offsets[lane] + byte) / 32);
      }
      newSectors += sectors.size();
      inLaunch.insert(sectors.begin(), sectors.end());
      expected.add(countRequest(offsets, mask, bytes, granularity), 1);
    }
    runner.options.granularity = granularity;
    DynamicProfile profile =
        runner.launch("read", {Blocks, 1, 1}, {32, 1, 1}, table, data, data);
    ASSERT_EQ(runner.error, "");
    const RequestCounts &counts = profile.accesses[1].counts;
    EXPECT_EQ(counts.requests, expected.requests);
    EXPECT_EQ(counts.lanes, expected.lanes);
    EXPECT_EQ(counts.sectors, expected.sectors);
    EXPECT_EQ(counts.lines, expected.lines);
    EXPECT_EQ(counts.fewestSectors, expected.fewestSectors);
    EXPECT_EQ(counts.bankPasses, expected.bankPasses);
    EXPECT_EQ(counts.fewestBankPasses, expected.fewestBankPasses);
    EXPECT_EQ(counts.l1Cycles, expected.l1Cycles);
    EXPECT_EQ(counts.sameAddress, expected.sameAddress);
    EXPECT_EQ(counts.lanesOnBank, expected.lanesOnBank);
    EXPECT_EQ(profile.accesses[1].newSectorsInBlock, newSectors);
    for (const ObjectProfile &object : profile.objects)
      if (object.name == "arg1") {
        EXPECT_EQ(object.sectorsInLaunch, inLaunch.size());
      }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Widths, Requests,
    testing::Values(Width{"i8", 1, 1}, Width{"i16", 2, 2}, Width{"i32", 4, 4},
                    Width{"i64", 8, 8}, Width{"<4 x float>", 16, 16},
                    Width{"<2 x i32>", 8, 8}, Width{"<2 x double>", 16, 8},
                    Width{"i32", 4, 1}, Width{"{i32, i64}", 16, 8}));

// Every block reads with a stride of its own, as often as its number says.
constexpr const char *Uneven = R"(
define ptx_kernel void @k(ptr %in) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %mixed = mul i32 %block, 40503
  %shifted = lshr i32 %mixed, 8
  %stride = and i32 %shifted, 15
  %times.0 = urem i32 %block, 7
  %times = add i32 %times.0, 1
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %scaled = mul i32 %tid, %stride
  %at = add i32 %scaled, %i
  %p = getelementptr i32, ptr %in, i32 %at
  %v = load volatile i32, ptr %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %times
  br i1 %more, label %loop, label %end
end:
  ret void
}
)";

TEST(Requests, SampledBlocksStandForAllWithinTheirError) {
  Runner all(Uneven), some(Uneven);
  auto *in = all.allocate<uint32_t>(1024);
  auto *same = some.allocate<uint32_t>(1024);
  some.options.sampleBlocks = 400;
  DynamicProfile full = all.launch("k", {2000, 1, 1}, {64, 1, 1}, in);
  DynamicProfile sampled = some.launch("k", {2000, 1, 1}, {64, 1, 1}, same);
  EXPECT_EQ(full.samplingError, 0);
  EXPECT_EQ(full.sampledBlocks, 2000u);
  EXPECT_EQ(sampled.sampledBlocks, 400u);
  // What is not of addresses is as it was.
  EXPECT_EQ(sampled.blocks, full.blocks);
  EXPECT_EQ(sampled.accesses[0].counts.requests,
            full.accesses[0].counts.requests);
  EXPECT_GT(sampled.samplingError, 0);
  EXPECT_LT(sampled.samplingError, 0.15);
  double sectors = full.accesses[0].counts.sectors;
  EXPECT_LE(std::abs(sampled.accesses[0].counts.sectors - sectors),
            sampled.samplingError * sectors);
  // And again the same.
  EXPECT_EQ(some.launch("k", {2000, 1, 1}, {64, 1, 1}, same), sampled);
}

TEST(Requests, AlikeBlocksHaveNoError) {
  Runner runner(R"(
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %out, i32 %tid
  store i32 0, ptr %p
  ret void
}
)");
  auto *out = runner.allocate<uint32_t>(64);
  runner.options.sampleBlocks = 4;
  DynamicProfile profile = runner.launch("k", {64, 1, 1}, {64, 1, 1}, out);
  EXPECT_EQ(profile.samplingError, 0);
  EXPECT_EQ(profile.accesses[0].counts.sectors, 64 * 8);
  // One block says nothing of how blocks differ.
  runner.options.sampleBlocks = 1;
  EXPECT_EQ(runner.launch("k", {64, 1, 1}, {64, 1, 1}, out).samplingError, 1);
}

TEST(Requests, AccessesOfCalledFunctionsAreCounted) {
  Runner runner(R"(
define internal void @callee(ptr %p) noinline {
  %v = load i32, ptr %p
  %w = add i32 %v, 1
  store i32 %w, ptr %p
  ret void
}
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [2 x i32], ptr %out, i32 %tid
  call void @callee(ptr %p)
  ret void
}
)");
  auto *out = runner.allocate<uint32_t>(64);
  for (int times = 0; times < 2; ++times) {
    DynamicProfile profile = runner.launch("k", {3, 1, 1}, {32, 1, 1}, out);
    ASSERT_EQ(profile.calleeAccesses.size(), 2u);
    const CalleeAccess &load = profile.calleeAccesses[0];
    EXPECT_EQ(load.function, "callee");
    EXPECT_EQ(load.kind, "load");
    EXPECT_EQ(load.space, "global");
    EXPECT_EQ(load.profile.counts.requests, 3);
    EXPECT_EQ(load.profile.counts.sectors, 3 * 8);
    EXPECT_EQ(profile.calleeAccesses[1].kind, "store");
  }
}

} // namespace
