// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/HW/Occupancy.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <cstdlib>

using namespace auspex;
using llvm::StringRef;

namespace {

/// Rows of a table of answers of cuda_occupancy.h, by column name.
class AnswerTable {
public:
  explicit AnswerTable(const std::string &path) {
    auto file = llvm::MemoryBuffer::getFile(path);
    EXPECT_TRUE(static_cast<bool>(file)) << path;
    if (!file)
      return;
    buffer = std::move(*file);
    llvm::SmallVector<StringRef, 0> lines;
    buffer->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
    lines[0].split(columns, ',');
    rows.assign(lines.begin() + 1, lines.end());
  }

  size_t size() const { return rows.size(); }
  StringRef line(size_t row) const { return rows[row]; }

  StringRef text(size_t row, StringRef column) const {
    llvm::SmallVector<StringRef, 20> cells;
    rows[row].split(cells, ',');
    for (size_t i = 0; i < columns.size(); ++i)
      if (columns[i] == column)
        return cells[i];
    ADD_FAILURE() << "no column " << column.str();
    return "";
  }

  int64_t number(size_t row, StringRef column) const {
    int64_t value = -2;
    EXPECT_FALSE(text(row, column).getAsInteger(10, value));
    return value;
  }

private:
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  llvm::SmallVector<StringRef, 20> columns;
  std::vector<StringRef> rows;
};

BlockResources resourcesOf(const AnswerTable &table, size_t row) {
  BlockResources block;
  block.threadsPerBlock = table.number(row, "block");
  block.registersPerThread = table.number(row, "regs");
  block.staticShared = table.number(row, "static_smem");
  block.dynamicShared = table.number(row, "dyn_smem");
  block.maxDynamicShared = block.dynamicShared;
  block.carveout = table.number(row, "carveout");
  block.barriers = table.number(row, "barriers");
  return block;
}

/// Compares every answer; stops at the first row that differs.
void compare(const AnswerTable &table) {
  for (size_t row = 0; row < table.size(); ++row) {
    std::optional<unsigned> arch = parseArch(table.text(row, "cc"));
    ASSERT_TRUE(arch);
    std::optional<SMLimits> limits = smLimitsOfArch(*arch);
    ASSERT_TRUE(limits) << table.line(row).str();
    Occupancy ours = computeOccupancy(*limits, resourcesOf(table, row));
    auto same = [&](StringRef column, int64_t value) {
      return table.number(row, column) == value;
    };
    bool equal =
        same("active_blocks", ours.activeBlocksPerSM) &&
        same("limit_warps", ours.limitWarps) &&
        same("limit_regs", ours.limitRegisters) &&
        same("limit_smem", ours.limitShared) &&
        same("limit_blocks", ours.limitBlocks) &&
        same("limit_barriers", ours.limitBarriers) &&
        same("alloc_smem_per_block", ours.allocatedSharedPerBlock) &&
        same("alloc_regs_per_block", ours.allocatedRegistersPerBlock) &&
        same("limiting_mask", ours.limiters);
    ASSERT_TRUE(equal) << table.line(row).str() << "\nours: blocks "
                       << ours.activeBlocksPerSM << " warps " << ours.limitWarps
                       << " regs " << ours.limitRegisters << " shared "
                       << ours.limitShared << " barriers " << ours.limitBarriers
                       << " alloc " << ours.allocatedSharedPerBlock << " "
                       << ours.allocatedRegistersPerBlock << " mask "
                       << ours.limiters;
  }
}

TEST(Occupancy, AgreesWithTheVendorsHeader) {
  AnswerTable table(std::string(AUSPEX_TEST_DATA) + "/occupancy.csv");
  ASSERT_GT(table.size(), 300u);
  compare(table);
}

/// All combinations that were tried; they are not part of the sources.
TEST(Occupancy, AgreesWithTheVendorsHeaderEverywhere) {
  const char *shared = std::getenv("AUSPEX_SHARED");
  const char *source = std::getenv("AUSPEX_SOURCE_DIR");
  std::string folder = shared   ? shared
                       : source ? std::string(source) + "/../shared"
                                : "../shared";
  std::string path = folder + "/facts/occupancy/golden_occupancy.csv";
  if (!llvm::sys::fs::exists(path))
    GTEST_SKIP() << path << " is not here; set AUSPEX_SHARED";
  AnswerTable table(path);
  ASSERT_EQ(table.size(), 23907u);
  compare(table);
}

BlockResources blockOf(unsigned threads, unsigned registers,
                       uint64_t shared = 0) {
  BlockResources block;
  block.threadsPerBlock = threads;
  block.registersPerThread = registers;
  block.staticShared = shared;
  return block;
}

unsigned blocks(unsigned arch, const BlockResources &block) {
  return computeOccupancy(*smLimitsOfArch(arch), block).activeBlocksPerSM;
}

/// Worked examples of the CUDA Occupancy Calculator for older architectures.
TEST(Occupancy, OlderArchitecturesAllocateTheirWay) {
  // 1.0, 256 threads of 10 registers: 2560 a block, 8192 / 2560.
  EXPECT_EQ(blocks(10, blockOf(256, 10)), 3u);
  EXPECT_EQ(blocks(10, blockOf(256, 11)), 2u);
  // 1.x rounds warps up to two: 96 threads take four warps of registers.
  Occupancy odd = computeOccupancy(*smLimitsOfArch(13), blockOf(96, 16));
  EXPECT_EQ(odd.allocatedRegistersPerBlock, 4u * 32 * 16);
  // 1.0 allocates shared memory in units of 512 B.
  EXPECT_EQ(blocks(10, blockOf(64, 8, 4097)), 3u);
  // 2.0: 21 registers take 704 a warp, so 46 warps are left of 48.
  EXPECT_EQ(blocks(20, blockOf(192, 20)), 8u);
  EXPECT_EQ(blocks(20, blockOf(192, 21)), 7u);
  EXPECT_EQ(blocks(20, blockOf(256, 64)), 0u) << "63 registers at most";
  // 3.5 has whole warps in each of four partitions.
  EXPECT_EQ(blocks(35, blockOf(256, 63)), 4u);
  // 6.0 checks a block's registers as if it had four partitions.
  EXPECT_EQ(blocks(60, blockOf(1000, 64)), 1u);
  EXPECT_EQ(blocks(60, blockOf(288, 168)), 1u);
  EXPECT_EQ(blocks(60, blockOf(288, 200)), 0u);
}

TEST(Occupancy, SharedMemoryNeedsOptIn) {
  BlockResources block = blockOf(256, 32);
  block.dynamicShared = 65536;
  EXPECT_EQ(blocks(80, block), 0u);
  EXPECT_EQ(noBlockReason(*smLimitsOfArch(80), block),
            "a block's 65536 B of shared memory exceed the 49152 B a block can "
            "have without opting in (then 166912 B)");
  block.maxDynamicShared = 65536;
  EXPECT_EQ(blocks(80, block), 2u);
  block.maxDynamicShared = 65535;
  EXPECT_EQ(noBlockReason(*smLimitsOfArch(80), block),
            "65536 B of dynamic shared memory exceed the 65535 B the kernel "
            "opted in to");
}

TEST(Occupancy, ReservedSharedMemoryFillsTheSmallestCarveout) {
  BlockResources block = blockOf(32, 32);
  block.carveout = 0;
  EXPECT_EQ(blocks(80, block), 8u);
  EXPECT_EQ(blocks(75, block), 16u) << "0 means the smallest, 32 KiB";
}

TEST(Occupancy, NamesItsLimiters) {
  Occupancy two = computeOccupancy(*smLimitsOfArch(80), blockOf(256, 32));
  EXPECT_EQ(two.limiterText(), "warps and registers");
  EXPECT_EQ(two.occupancy, 1);
  BlockResources eight = blockOf(32, 32);
  eight.barriers = 8;
  Occupancy barriers = computeOccupancy(*smLimitsOfArch(90), eight);
  EXPECT_EQ(barriers.limiters, unsigned(LimitBlocks | LimitBarriers));
  EXPECT_EQ(barriers.limiterText(), "barriers");
}

/// Blocks of many shapes on every architecture.
template <typename Check> void forManyBlocks(Check check) {
  for (unsigned arch : archsWithLimits())
    for (unsigned threads : {32u, 96u, 160u, 256u, 384u, 512u})
      for (unsigned registers = 0; registers <= 260; registers += 13)
        for (uint64_t shared : {0u, 1000u, 9000u, 20000u, 49152u, 60000u}) {
          BlockResources block = blockOf(threads, registers, shared);
          block.maxDynamicShared = 0;
          check(*smLimitsOfArch(arch), block);
        }
}

TEST(Occupancy, MoreOfAResourceNeverAllowsMoreBlocks) {
  forManyBlocks([](const SMLimits &limits, const BlockResources &block) {
    unsigned now = computeOccupancy(limits, block).activeBlocksPerSM;
    BlockResources registers = block, shared = block, barriers = block;
    ++registers.registersPerThread;
    shared.staticShared += 500;
    ++barriers.barriers;
    if (block.registersPerThread) {
      EXPECT_LE(computeOccupancy(limits, registers).activeBlocksPerSM, now);
    }
    EXPECT_LE(computeOccupancy(limits, shared).activeBlocksPerSM, now);
    EXPECT_LE(computeOccupancy(limits, barriers).activeBlocksPerSM, now);
  });
}

TEST(Occupancy, StaysWithinTheSM) {
  forManyBlocks([](const SMLimits &limits, const BlockResources &block) {
    Occupancy o = computeOccupancy(limits, block);
    uint64_t n = o.activeBlocksPerSM;
    EXPECT_LE(o.activeWarpsPerSM, limits.warpsPerSM());
    EXPECT_LE(o.occupancy, 1);
    EXPECT_LE(n, limits.blocksPerSM);
    if (n) {
      EXPECT_LE(n * o.allocatedRegistersPerBlock, limits.registersPerSM);
      EXPECT_LE(n * o.allocatedSharedPerBlock, limits.sharedPerSM);
    }
    EXPECT_EQ(n == 0, !noBlockReason(limits, block).empty());
    EXPECT_FALSE(o.limiterNames().empty());
  });
}

std::string step(unsigned arch, const BlockResources &block) {
  return nextOccupancyStep(*smLimitsOfArch(arch), block);
}

TEST(NextStep, NamesTheResourceThatHolds) {
  EXPECT_EQ(step(80, blockOf(256, 72)),
            "8 registers a thread fewer (64 instead of 72) allow 4 blocks "
            "instead of 3");
  EXPECT_EQ(step(80, blockOf(256, 33)),
            "1 register a thread fewer (32 instead of 33) allows 7 blocks "
            "instead of 6")
      << "40 registers are allocated, 32 would give 8, 7 need no more than 32";
  EXPECT_EQ(step(80, blockOf(256, 32, 30000)),
            "3120 B of shared memory less (26880 instead of 30000) allow 6 "
            "blocks instead of 5");
  EXPECT_EQ(step(80, blockOf(256, 32)), "") << "full";
}

TEST(NextStep, NamesBothWhereTwoHold) {
  EXPECT_EQ(step(80, blockOf(256, 64, 40000)),
            "16 registers a thread fewer (48 instead of 64) and 7488 B of "
            "shared memory less (32512 instead of 40000) allow 5 blocks "
            "instead of 4");
}

TEST(NextStep, ChangesTheBlockSizeWhereThreadsHold) {
  EXPECT_EQ(step(86, blockOf(1024, 32)),
            "blocks of 768 threads keep 48 warps resident instead of 32");
  EXPECT_EQ(step(80, blockOf(32, 32)),
            "blocks of 64 threads keep 64 warps resident instead of 32");
}

TEST(NextStep, AsksForTheLargestCarveout) {
  BlockResources block = blockOf(128, 32, 8192);
  block.carveout = 25;
  EXPECT_EQ(step(80, block),
            "the largest shared-memory carve-out allows 8 blocks instead of 7");
}

/// "(N instead of" after \p what, or nothing.
std::optional<unsigned> wanted(StringRef text, StringRef what) {
  size_t at = text.find(what);
  unsigned value;
  if (at == StringRef::npos)
    return std::nullopt;
  StringRef rest = text.substr(at + what.size());
  return rest.consumeInteger(10, value) ? std::nullopt
                                        : std::optional<unsigned>(value);
}

TEST(NextStep, IsTrue) {
  unsigned steps = 0;
  forManyBlocks([&](const SMLimits &limits, const BlockResources &block) {
    std::string text = nextOccupancyStep(limits, block);
    auto registers = wanted(text, "fewer (");
    auto shared = wanted(text, "less (");
    if (!registers && !shared)
      return;
    ++steps;
    unsigned now = computeOccupancy(limits, block).activeBlocksPerSM;
    BlockResources then = block;
    then.registersPerThread = registers.value_or(block.registersPerThread);
    then.staticShared = shared.value_or(block.staticShared);
    EXPECT_GT(computeOccupancy(limits, then).activeBlocksPerSM, now) << text;
    // A change one smaller would not do.
    BlockResources almost = then;
    if (registers)
      ++almost.registersPerThread;
    else
      ++almost.staticShared;
    EXPECT_LE(computeOccupancy(limits, almost).activeBlocksPerSM, now) << text;
  });
  EXPECT_GT(steps, 1000u);
}

TEST(MostRegisters, AreWhatLaunchBoundsLeave) {
  SMLimits limits = *smLimitsOfArch(80);
  EXPECT_EQ(mostRegisters(limits, {.threadsPerBlock = 1024}, 1), 64u);
  EXPECT_EQ(mostRegisters(limits, {.threadsPerBlock = 1024}, 2), 32u);
  EXPECT_EQ(mostRegisters(limits, {.threadsPerBlock = 512}, 4), 32u);
  // Registers come in eights.
  EXPECT_EQ(mostRegisters(limits, {.threadsPerBlock = 256}, 3), 80u);
  EXPECT_EQ(mostRegisters(limits, {.threadsPerBlock = 128}, 1), 255u);
}

TEST(MostRegisters, AreNoneWhereThreadsDoNotFit) {
  SMLimits limits = *smLimitsOfArch(80);
  EXPECT_EQ(mostRegisters(limits, {.threadsPerBlock = 1024}, 3), 0u);
  EXPECT_EQ(mostRegisters(limits, {.threadsPerBlock = 2048}, 1), 0u);
}

} // namespace
