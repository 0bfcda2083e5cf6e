// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Kernel/RunRecord.h"

#include "KernelBuilder.h"
#include "gtest/gtest.h"

using namespace auspex;
using namespace auspex::test;

namespace {

/// A kernel with a block and an access, launched once.
RunRecord oneLaunch() {
  KernelBuilder kernel;
  kernel.access(kernel.block("1"), "4*tid.x").base = "@x";
  RunRecord record;
  record.program = "./program";
  record.gpu = "A100-40GB";
  record.problems = {"stopped after 10 s"};
  record.kernels = {kernel.summary};
  LaunchGroup group;
  group.launch.kernel = "k";
  group.launch.grid = {{2, 1, 1}, LaunchOrigin::Profile};
  group.launch.block = {{64, 1, 1}, LaunchOrigin::Profile};
  group.launch.dynamicShared = {16, LaunchOrigin::Profile};
  group.launch.arguments["arg0"] = {-5, LaunchOrigin::Profile};
  group.first = 3;
  group.times = 2;
  DynamicProfile &profile = group.profile;
  profile.kernel = "k";
  profile.shape = {{2, 1, 1}, {64, 1, 1}};
  profile.blocksPerWave = 216;
  BlockProfile block;
  block.warpExecutions = 8;
  block.laneExecutions = 250;
  block.byActiveLanes = {0, 0, 0, 0, 0, 0, 2, 6};
  block.divergent = 1;
  block.loopEntries = 4;
  profile.blocks = {block};
  AccessProfile access;
  access.counts.requests = 8;
  access.counts.lanes = 250;
  access.counts.sectors = 32;
  access.counts.l1Cycles = 8.5;
  access.newSectorsInBlock = 16;
  access.byMultiplicity[3] = 1;
  access.extent = Interval{0, 512};
  profile.accesses = {access};
  profile.objects = {{"@x", 512, 16, 16}};
  profile.warpInstructions = 100;
  profile.threadInstructions = 3000;
  profile.unfinishedBlocks = 1;
  profile.sampledBlocks = 2;
  record.launches = {group};
  return record;
}

llvm::Expected<RunRecord> readText(llvm::StringRef text) {
  llvm::Expected<Node> document = parseDocument(text, "run.json");
  if (!document)
    return document.takeError();
  return readRunRecord(*document);
}

std::string readError(llvm::StringRef text) {
  auto result = readText(text);
  return result ? "no error" : llvm::toString(result.takeError());
}

std::string with(llvm::StringRef from, llvm::StringRef to) {
  std::string text = writeRunRecord(oneLaunch());
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from.str();
  return text.replace(at, from.size(), to);
}

TEST(RunRecord, ReadsBackAsItWas) {
  RunRecord written = oneLaunch();
  std::string text = writeRunRecord(written);
  RunRecord record = llvm::cantFail(readText(text));
  EXPECT_EQ(record.program, written.program);
  EXPECT_EQ(record.gpu, written.gpu);
  EXPECT_EQ(record.problems, written.problems);
  EXPECT_EQ(record.kernels, written.kernels);
  ASSERT_EQ(record.launches.size(), 1u);
  const LaunchGroup &group = record.launches[0];
  EXPECT_EQ(group.launch.arguments, written.launches[0].launch.arguments);
  EXPECT_EQ(group.launch.grid->origin, LaunchOrigin::Profile);
  EXPECT_EQ(group.first, 3u);
  EXPECT_EQ(group.times, 2u);
  EXPECT_EQ(group.profile, written.launches[0].profile);
  EXPECT_EQ(writeRunRecord(record), text);
}

TEST(RunRecord, RefusesCountsThatNoLaunchHas) {
  EXPECT_EQ(readError(with("\"l1Cycles\":8.5", "\"l1Cycles\":1e300")),
            "run.json:55: launches[0].profile.accesses[0].l1Cycles: 1e300 is "
            "out of range; it has to be at most 1.000000e+18");
  EXPECT_EQ(readError(with("\"extent\":[0,512]", "\"extent\":[5,-7]")),
            "run.json:55: launches[0].profile.accesses[0].extent: expected a "
            "range of bytes, [low, high]");
  EXPECT_EQ(readError(with("\"byMultiplicity\":[0,0,0,1",
                           "\"byMultiplicity\":[0,0,0,-1")),
            "run.json:55: launches[0].profile.accesses[0].byMultiplicity: "
            "expected counts of 0 or more");
}

TEST(RunRecord, ProfileFitsItsKernel) {
  EXPECT_EQ(
      readError(with("\"times\": 2", "\"times\": 0")),
      "run.json:44: launches[0].times: 0 is out of range; it has to be at "
      "least 1");
  EXPECT_NE(readError(with("\"kernel\":\"k\"", "\"kernel\":\"q\""))
                .find("there is no kernel 'q' among the kernels"),
            std::string::npos);
  EXPECT_NE(
      readError(with("\"requests\":8,", "\"request\":8,")).find("request"),
      std::string::npos);
  EXPECT_NE(readError(with("\"extent\":[0,512]", "\"extent\":[0]"))
                .find("expected a list of 2 integers"),
            std::string::npos);
}

TEST(RunRecord, SumsProfiles) {
  DynamicProfile profile = oneLaunch().launches[0].profile, sum;
  addProfile(profile, sum);
  EXPECT_EQ(sum, profile);
  addProfile(profile, sum);
  EXPECT_EQ(sum.blocks[0].laneExecutions, 500u);
  EXPECT_EQ(sum.blocks[0].byActiveLanes[7], 12u);
  EXPECT_EQ(sum.accesses[0].counts.sectors, 64);
  EXPECT_EQ(sum.accesses[0].extent, (Interval{0, 512}));
  EXPECT_EQ(sum.objects.size(), 1u);
  EXPECT_EQ(sum.objects[0].sectorsInWaves, 32u);
}

TEST(RunRecord, SumHasNoExtentWhereALaunchHasNone) {
  DynamicProfile profile = oneLaunch().launches[0].profile, sum;
  addProfile(profile, sum);
  profile.accesses[0].extent.reset();
  addProfile(profile, sum);
  EXPECT_FALSE(sum.accesses[0].extent);
}

} // namespace
