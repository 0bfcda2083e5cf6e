// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchRecorder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace auspex;

namespace {

class LaunchRecorderTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("record", "json", path));
    kernel.name = "k";
    kernel.demangled = "k(int*, int, short)";
    kernel.arch = 80;
    kernel.arguments = {{Argument::Kind::Pointer, 8, "p"},
                        {Argument::Kind::Integer, 4, "n"},
                        {Argument::Kind::Integer, 2, "s"},
                        {Argument::Kind::Struct, 16, "sizes"}};
    kernel.blocks.emplace_back().name = "b0";
    kernel.loops.emplace_back().iv = "i0";
    kernel.loops[0].tripCount.expr =
        Expr::symbol("arg3.4") + Expr::symbol("@steps.4");
    kernel.variables = {{Argument::Kind::Struct, 8, "steps"}};
  }
  void TearDown() override { llvm::sys::fs::remove(path); }

  void launch(LaunchRecorder &recorder, int64_t grid, int32_t n, int16_t s,
              uint64_t unfinished = 0) {
    char parameters[32] = {};
    std::memcpy(parameters + 8, &n, sizeof(n));
    std::memcpy(parameters + 12, &s, sizeof(s));
    int32_t sizes[] = {11, 22, 33, 44};
    std::memcpy(parameters + 16, sizes, sizeof(sizes));
    DynamicProfile profile;
    profile.kernel = "k";
    profile.shape = {{grid, 1, 1}, {64, 1, 1}};
    profile.unfinishedBlocks = unfinished;
    profile.blocks.resize(1);
    profile.blocks[0].warpExecutions = 2 * grid;
    std::vector<Program::KernelInfo::Parameter> layout = {
        {0, 8, {}},
        {8, 4, {}},
        {12, 2, {}},
        {16, 16, {{0, 4}, {4, 4}, {8, 4}, {12, 4}}}};
    int32_t steps[] = {7, 8};
    llvm::ArrayRef<char> bytes(reinterpret_cast<char *>(steps), sizeof(steps));
    recorder.record(kernel, profile.shape, 16,
                    {parameters, layout, {{"steps", bytes, {{0, 4}, {4, 4}}}}},
                    profile);
  }

  RunRecord read() {
    auto document = loadDocument(path);
    EXPECT_TRUE(bool(document));
    auto record = readRunRecord(*document);
    EXPECT_TRUE(bool(record)) << llvm::toString(record.takeError());
    return record ? *record : RunRecord();
  }

  llvm::SmallString<128> path;
  KernelSummary kernel;
};

} // namespace

TEST_F(LaunchRecorderTest, LaunchesThatAreAlikeAreOneGroup) {
  LaunchRecorder recorder(path.str().str());
  recorder.setGpu("A100-40GB");
  launch(recorder, 3, 100, -1);
  launch(recorder, 3, 101, -1);
  launch(recorder, 3, 100, -1);
  launch(recorder, 4, 100, -1);
  recorder.write();
  RunRecord record = read();
  EXPECT_EQ(record.gpu, "A100-40GB");
  ASSERT_EQ(record.kernels.size(), 1u);
  ASSERT_EQ(record.launches.size(), 3u);
  const LaunchGroup &first = record.launches[0];
  EXPECT_EQ(first.times, 2u);
  EXPECT_EQ(first.first, 0u);
  EXPECT_EQ(first.launch.arguments.at("arg1").value, 100);
  EXPECT_EQ(first.launch.arguments.at("arg2").value, -1);
  EXPECT_EQ(first.launch.arguments.count("arg0"), 0u);
  // Of a struct, what the summary asks for.
  EXPECT_EQ(first.launch.arguments.at("arg3.4").value, 22);
  EXPECT_EQ(first.launch.arguments.count("arg3.8"), 0u);
  // Of a variable likewise.
  EXPECT_EQ(first.launch.arguments.at("@steps.4").value, 8);
  EXPECT_EQ(first.launch.arguments.count("@steps.0"), 0u);
  EXPECT_EQ(first.launch.dynamicShared->value, 16u);
  EXPECT_EQ(first.profile.blocks[0].warpExecutions, 12u);
  EXPECT_EQ(record.launches[2].first, 3u);
}

// L2 has what an equal launch left just before, unless something came between.
TEST_F(LaunchRecorderTest, LaunchesAgainAndAgainAreWarm) {
  LaunchRecorder recorder(path.str().str());
  for (int i = 0; i < 3; ++i)
    launch(recorder, 3, 100, -1);
  for (int i = 0; i < 3; ++i) {
    launch(recorder, 4, 100, -1);
    recorder.noteOtherWork();
  }
  for (int i = 0; i < 3; ++i) {
    launch(recorder, 5, 100, -1);
    launch(recorder, 6, 100, -1);
  }
  recorder.write();
  RunRecord record = read();
  ASSERT_EQ(record.launches.size(), 4u);
  EXPECT_TRUE(record.launches[0].launch.isL2Warm());
  for (unsigned i : {1, 2, 3})
    EXPECT_FALSE(record.launches[i].launch.isL2Warm()) << i;
}

TEST_F(LaunchRecorderTest, AStoppedLaunchIsLikeNoOther) {
  LaunchRecorder recorder(path.str().str());
  launch(recorder, 3, 100, -1);
  launch(recorder, 3, 100, -1, /*unfinished=*/2);
  recorder.write();
  RunRecord record = read();
  ASSERT_EQ(record.launches.size(), 2u);
  EXPECT_EQ(record.launches[1].profile.unfinishedBlocks, 2u);
}

TEST_F(LaunchRecorderTest, WritesWhatIsNew) {
  LaunchRecorder recorder(path.str().str());
  recorder.write();
  EXPECT_TRUE(read().launches.empty());
  launch(recorder, 1, 1, 1);
  recorder.addProblem("It stopped.");
  recorder.write();
  RunRecord record = read();
  EXPECT_EQ(record.launches.size(), 1u);
  EXPECT_EQ(record.problems, std::vector<std::string>{"It stopped."});
}

TEST_F(LaunchRecorderTest, OffWithoutPath) {
  LaunchRecorder recorder("");
  EXPECT_FALSE(recorder.isOn());
  recorder.write();
}
