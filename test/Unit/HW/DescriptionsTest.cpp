// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The descriptions of hwdesc/, all of them.
#include "auspex/HW/Occupancy.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

using namespace auspex;
using llvm::StringRef;

namespace {

class Descriptions : public testing::TestWithParam<std::string> {
protected:
  const EmbeddedFile &description() const { return *findEmbedded(GetParam()); }
  GPU gpu() const { return llvm::cantFail(findGPU(GetParam())); }
};

std::string testName(const testing::TestParamInfo<std::string> &name) {
  std::string text;
  for (char c : name.param)
    if (llvm::isAlnum(c))
      text += c;
  return text;
}

INSTANTIATE_TEST_SUITE_P(HW, Descriptions, testing::ValuesIn(gpuNames()),
                         testName);

TEST_P(Descriptions, IsFoundByItsFilesName) {
  EXPECT_EQ(description().fileName, GetParam() + ".yaml");
}

/// Library.cpp reads on only until it has these.
TEST_P(Descriptions, BeginsWithItsNames) {
  llvm::SmallVector<StringRef, 0> lines;
  description().text.split(lines, '\n');
  llvm::erase_if(lines, [](StringRef line) {
    return line.empty() || line.starts_with("#");
  });
  EXPECT_TRUE(lines[0].starts_with("name: "));
  EXPECT_TRUE(lines[1].starts_with("aliases: "));
  EXPECT_TRUE(lines[2].starts_with("compute_capability: "));
}

TEST_P(Descriptions, AgreesWithTheTableOfArchitectures) {
  SMLimits ours = smLimits(gpu());
  std::optional<SMLimits> table = smLimitsOfArch(ours.arch);
  ASSERT_TRUE(table);
  EXPECT_EQ(ours.threadsPerBlock, table->threadsPerBlock);
  EXPECT_EQ(ours.threadsPerSM, table->threadsPerSM);
  EXPECT_EQ(ours.blocksPerSM, table->blocksPerSM);
  EXPECT_EQ(ours.registersPerSM, table->registersPerSM);
  EXPECT_EQ(ours.registersPerBlock, table->registersPerBlock);
  EXPECT_EQ(ours.registersPerThread, table->registersPerThread);
  EXPECT_EQ(ours.registerUnit, table->registerUnit);
  EXPECT_EQ(ours.registersAllocatedPerBlock, table->registersAllocatedPerBlock);
  EXPECT_EQ(ours.subPartitions, table->subPartitions);
  EXPECT_EQ(ours.sharedPerSM, table->sharedPerSM);
  EXPECT_EQ(ours.sharedPerBlock, table->sharedPerBlock);
  EXPECT_EQ(ours.sharedPerBlockOptIn, table->sharedPerBlockOptIn);
  EXPECT_EQ(ours.sharedUnit, table->sharedUnit);
  EXPECT_EQ(ours.sharedReserved, table->sharedReserved);
  EXPECT_EQ(ours.barriersPerSM, table->barriersPerSM);
  EXPECT_EQ(ours.carveouts, table->carveouts);
}

/// Sources are for readers: citations on one line.
TEST_P(Descriptions, CitesItsSources) {
  GPU gpu = this->gpu();
  for (const QuantityInfo &info : quantityInfos()) {
    const std::optional<Quantity> &quantity = gpu.quantity(info.id);
    if (!quantity)
      continue;
    EXPECT_GE(quantity->source.size(), 8u) << info.key.str();
    EXPECT_LE(quantity->source.size(), 160u) << info.key.str();
    EXPECT_EQ(quantity->source.find('\n'), std::string::npos);
    EXPECT_NE(quantity->borrowedFrom, gpu.name) << info.key.str();
  }
}

TEST_P(Descriptions, LeavesTheQueueingFactorToCalibration) {
  EXPECT_FALSE(gpu().has(Q::QueueingFactor));
}

TEST(DescriptionNames, AreUnique) {
  llvm::StringSet<> seen;
  for (const std::string &name : gpuNames()) {
    GPU gpu = llvm::cantFail(findGPU(name));
    std::vector<std::string> all = gpu.aliases;
    all.push_back(gpu.name);
    for (const std::string &each : all) {
      EXPECT_TRUE(seen.insert(each).second) << each;
      EXPECT_EQ(findEmbedded(each), findEmbedded(name)) << each;
    }
  }
}

TEST(DescriptionNames, CoverTheArchitecturesOfTheDesign) {
  const std::pair<unsigned, StringRef> expected[] = {
      {60, "P100"},      {70, "V100-PCIe"}, {75, "T4"},
      {80, "A100-40GB"}, {86, "RTX-A6000"}, {89, "L40"},
      {90, "H100-SXM"},  {100, "B200"},     {120, "RTX-5090"}};
  for (auto [arch, name] : expected) {
    EXPECT_EQ(gpuForArch(arch), name);
    EXPECT_EQ(llvm::cantFail(findGPU(name)).arch, arch);
  }
}

} // namespace
