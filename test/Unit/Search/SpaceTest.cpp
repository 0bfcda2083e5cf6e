// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Search/Space.h"

#include "Kernels.h"
#include "gtest/gtest.h"

using namespace auspex;
using namespace auspex::test;

namespace {

using Values = std::vector<int64_t>;

Values values(llvm::StringRef text) {
  return llvm::cantFail(parseRange(text, {}));
}
std::string rangeError(llvm::StringRef text) {
  return errorText(parseRange(text, {}));
}
std::vector<std::string> blocks(llvm::StringRef text) {
  std::vector<std::string> result;
  for (const Dim3 &block : llvm::cantFail(parseBlocks(text, {})))
    result.push_back(block.str());
  return result;
}
std::string blockError(llvm::StringRef text) {
  return errorText(parseBlocks(text, {"--block", 0, ""}));
}

TEST(Range, ReadsListsStepsAndPowers) {
  EXPECT_EQ(values("7"), Values{7});
  EXPECT_EQ(values("96,32,64,32"), (Values{32, 64, 96}));
  EXPECT_EQ(values("1..4"), (Values{1, 2, 3, 4}));
  EXPECT_EQ(values("1..10:3"), (Values{1, 4, 7, 10}));
  EXPECT_EQ(values("3..33:pow2"), (Values{4, 8, 16, 32}));
  EXPECT_EQ(values("-2..2:2, 9"), (Values{-2, 0, 2, 9}));
  EXPECT_EQ(values("9223372036854775806..9223372036854775807").size(), 2u);
  EXPECT_EQ(values("1..9223372036854775807:pow2").size(), 63u);
}

TEST(Range, SaysWhatIsWrong) {
  EXPECT_EQ(rangeError("8..4"), "the range 8..4 is empty; write 4..8");
  EXPECT_EQ(rangeError("5..7:pow2"), "there is no power of 2 in 5..7");
  EXPECT_EQ(rangeError("1..8:0"), "the step is 0; it has to be at least 1");
  EXPECT_EQ(rangeError("1..8:-2"), "the step is -2; it has to be at least 1");
  for (const char *text :
       {"", "x", "1..", "..4", "1..8:", "1..8:2:2", "1..8:three", "4x", "1,",
        "9223372036854775808", "1..99999999999999999999"})
    EXPECT_TRUE(
        llvm::StringRef(rangeError(text)).starts_with("expected values"))
        << text << ": " << rangeError(text);
  for (const char *text :
       {"1..99999999", "-9223372036854775808..9223372036854775807"})
    EXPECT_TRUE(llvm::StringRef(rangeError(text)).starts_with("more than"))
        << text;
}

TEST(Blocks, AreInOrderAndWithinTheThreads) {
  EXPECT_EQ(blocks("x=32,64,y=1,2"),
            (std::vector<std::string>{"32x1x1", "64x1x1", "32x2x1", "64x2x1"}));
  EXPECT_EQ(blocks("z=2,x=16..64:pow2,threads=64..100"),
            (std::vector<std::string>{"32x1x2"}));
  EXPECT_EQ(blocks("x=1..1024:pow2,threads=96,128"),
            (std::vector<std::string>{"128x1x1"}));
  // More than a GPU takes is the sweep's to list.
  EXPECT_EQ(blocks("x=2048"), (std::vector<std::string>{"2048x1x1"}));
}

TEST(Blocks, SayWhatIsWrong) {
  EXPECT_EQ(blockError("x=0..4"),
            "--block: x: the size is 0; it has to be at least 1");
  EXPECT_EQ(blockError("x=32,y=-8"),
            "--block: y: the size is -8; it has to be at least 1");
  EXPECT_EQ(blockError("w=4"),
            "--block: w: a block has x, y and z; threads restricts their "
            "product");
  EXPECT_EQ(blockError("x=4,x=8"), "--block: x: it is given twice; remove one");
  EXPECT_EQ(blockError("x=1..16,threads=32..64"),
            "--block: no block has between 32 and 64 threads as threads= "
            "wants");
  EXPECT_TRUE(llvm::StringRef(blockError("256"))
                  .starts_with("--block: expected for instance x="));
  EXPECT_EQ(blockError("x=8..4"), "--block: x: the range 8..4 is empty; write "
                                  "4..8");
  // Sides of 2^62 have more threads than can be counted.
  EXPECT_TRUE(llvm::StringRef(blockError("x=4611686018427387904,y="
                                         "4611686018427387904,threads=1..8"))
                  .starts_with("--block: no block"));
  EXPECT_TRUE(
      llvm::StringRef(blockError("x=1..9999999,y=1..9999999,z=1..9999999"))
          .starts_with("--block: more than 16777216 blocks"));
}

TEST(Space, CoversTheThreadsOfTheBase) {
  KernelSummary kernel = rows();
  auto space = llvm::cantFail(SweepSpace::create(
      kernel, launchOf(kernel, "grid:10x3x2,block:100x1x4,n=1,m=1"),
      {{128, 1, 1}, {7, 2, 8}}, {}));
  ASSERT_EQ(space.size(), 2u);
  EXPECT_EQ(space.at(0).grid->value.str(), "8x3x8");
  EXPECT_EQ(space.at(1).grid->value.str(), "143x2x1");
  EXPECT_EQ(space.at(1).block->value.str(), "7x2x8");
}

TEST(Space, GoesThroughArguments) {
  KernelSummary kernel = rows();
  auto space = llvm::cantFail(
      SweepSpace::create(kernel, launchOf(kernel, "grid:8,block:32,n=1,m=1"),
                         {}, {{"n", {16, 32}}, {"arg2", {1, 2, 3}}}));
  ASSERT_EQ(space.size(), 6u);
  LaunchConfig launch = space.at(4);
  EXPECT_EQ(launch.arguments.at("arg1").value, 32);
  EXPECT_EQ(launch.arguments.at("arg2").value, 2);
  EXPECT_EQ(launch.block->value.str(), "32x1x1");
}

LaunchRules rules(llvm::StringRef grid, llvm::StringRef shared = "") {
  LaunchRules result;
  if (!grid.empty())
    result.grid = llvm::cantFail(parseGridRule(grid, {}));
  if (!shared.empty())
    result.shared = llvm::cantFail(parseRule(shared, {}));
  return result;
}

TEST(Space, GridAndSharedMemoryFollowRules) {
  KernelSummary kernel = rows();
  auto space = llvm::cantFail(SweepSpace::create(
      kernel, launchOf(kernel, "grid:8,block:32,n=100,m=5"),
      {{32, 2, 1}, {64, 1, 1}}, {{"m", {2, 3}}},
      rules("x=(n + ntid.x - 1)/ntid.x,z=m*ntid.y", "8*ntid.x + m")));
  LaunchConfig launch = space.at(2);
  EXPECT_EQ(launch.block->value.str(), "32x2x1");
  EXPECT_EQ(launch.grid->value.str(), "4x1x6");
  EXPECT_EQ(launch.grid->origin, LaunchOrigin::CommandLine);
  EXPECT_EQ(launch.dynamicShared->value, 259u);
  EXPECT_EQ(space.at(1).grid->value.str(), "2x1x2");
}

TEST(Space, RulesWithoutAValueAreProblems) {
  KernelSummary kernel = rows();
  auto problemOf = [&](llvm::StringRef grid, llvm::StringRef shared) {
    auto space = llvm::cantFail(SweepSpace::create(
        kernel, launchOf(kernel, "grid:8,block:32,n=100,m=5"), {}, {{"m", {0}}},
        rules(grid, shared)));
    auto problem = space.ruleProblem(space.at(0));
    return problem ? problem->part.str() + ": " + problem->message : "";
  };
  EXPECT_EQ(problemOf("x=n/m", ""),
            "grid: the rule for x has no value here: it divides by 0, or "
            "exceeds 64 bits");
  EXPECT_EQ(problemOf("y=n*9223372036854775807", "n"),
            "grid: the rule for y has no value here: it divides by 0, or "
            "exceeds 64 bits");
  EXPECT_EQ(problemOf("x=n", "n/m"),
            "shared: the rule for shared memory has no value here: it "
            "divides by 0, or exceeds 64 bits");
  EXPECT_EQ(problemOf("x=n", "0 - n"),
            "shared: the rule for shared memory gives -100 B");
  EXPECT_EQ(problemOf("x=n", "n"), "");
}

TEST(Space, RulesUseWhatIsThere) {
  KernelSummary kernel = rows();
  LaunchConfig base = launchOf(kernel, "grid:8,block:32,m=1");
  auto error = [&](const LaunchRules &rules) {
    return errorText(SweepSpace::create(kernel, base, {}, {}, rules));
  };
  EXPECT_EQ(error(rules("x=q")),
            "--grid: k: q: the kernel has no such argument; its integer "
            "arguments are n (arg1) and m (arg2)");
  EXPECT_EQ(error(rules("x=n")),
            "--grid: it needs the value of n, which nobody states; give it by "
            "--arg or --launch");
  EXPECT_EQ(error(rules("", "tid.x")),
            "--shared: k: tid.x: the kernel has no such argument; its integer "
            "arguments are n (arg1) and m (arg2)");
  Place place{"--grid", 0, ""};
  EXPECT_EQ(errorText(parseGridRule("w=3", place)),
            "--grid: w: a grid has x, y and z");
  EXPECT_EQ(errorText(parseGridRule("x=1,x=2", place)),
            "--grid: x: it is given twice; remove one");
  EXPECT_EQ(errorText(parseGridRule("x=n/(", place)),
            "--grid: x: in the expression 'n/(': it ends too early");
}

TEST(Space, SaysWhatIsWrong) {
  KernelSummary kernel = rows();
  LaunchConfig base = launchOf(kernel, "grid:8,block:32,n=1,m=1");
  auto error = [&](std::vector<ArgumentRange> arguments) {
    return errorText(SweepSpace::create(kernel, base, {}, arguments));
  };
  EXPECT_EQ(error({{"q", {1}}}),
            "--arg: k: q: the kernel has no such argument; its integer "
            "arguments are n (arg1) and m (arg2)");
  EXPECT_EQ(error({{"n", {1}}, {"1", {2}}}),
            "--arg: 1: it is given twice; remove one");
  EXPECT_EQ(error({{"n", {1, int64_t(1) << 40}}}),
            "--arg: k: arg1: 1099511627776 does not fit its 4 bytes");
  Values many(5000);
  for (size_t i = 0; i < many.size(); ++i)
    many[i] = i;
  EXPECT_EQ(error({{"n", many}, {"m", many}}),
            "more than 16777216 configurations; take larger steps, pow2, or "
            "fewer values");
  base.grid->value = {INT32_MAX, 65535, 65535};
  EXPECT_EQ(error({}), "grid 2147483647x65535x65535 of blocks of 32x1x1 has "
                       "more than 2^63 threads");
}

} // namespace
