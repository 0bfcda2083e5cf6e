// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Origins, completion and the check against a GPU.
#include "KernelBuilder.h"
#include "Kernels.h"
#include "gtest/gtest.h"

using namespace auspex;
using namespace auspex::test;

namespace {

LaunchConfig launch(llvm::StringRef text) {
  return llvm::cantFail(parseLaunchText(text, LaunchOrigin::Source));
}

TEST(LaunchOrigins, AreTheLeastCertain) {
  LaunchConfig config = launch("grid:80,block:256");
  EXPECT_EQ(config.origin(), LaunchOrigin::Source);
  EXPECT_EQ(config.originText(),
            "grid 80x1x1 and block 256x1x1 from the source");
  config.grid->origin = LaunchOrigin::Assumed;
  EXPECT_EQ(config.origin(), LaunchOrigin::Assumed);
  EXPECT_EQ(config.originText(),
            "grid 80x1x1 assumed and block 256x1x1 from the source");
  config.grid.reset();
  EXPECT_EQ(config.origin(), LaunchOrigin::Assumed);
  EXPECT_EQ(config.originText(),
            "grid not known and block 256x1x1 from the source");
}

TEST(LaunchOrigins, HaveThePlaceOfWhatIsStatedThere) {
  LaunchConfig config = launch("grid:80,block:256,n=5");
  config.location = {"src/x.cu", 9, 3, {}};
  EXPECT_EQ(config.originText(),
            "grid 80x1x1 and block 256x1x1 from the source (x.cu:9)");
  // A launches file says the grid, the source the rest: the place is the
  // file's.
  config.location = {"l.yaml", 2, 0, {}};
  config.grid->origin = LaunchOrigin::File;
  EXPECT_EQ(config.originText(), "grid 80x1x1 from a launches file (l.yaml:2) "
                                 "and block 256x1x1 from the source");
  std::swap(config.grid->origin, config.block->origin);
  EXPECT_EQ(config.originText(), "grid 80x1x1 from the source and block "
                                 "256x1x1 from a launches file (l.yaml:2)");
  // It says an argument, or something else, alone.
  config.block->origin = LaunchOrigin::Source;
  config.arguments["n"].origin = LaunchOrigin::File;
  EXPECT_EQ(config.originText(),
            "grid 80x1x1 and block 256x1x1 from the source, arguments from a "
            "launches file (l.yaml:2)");
  config.arguments.clear();
  config.registers = {32, LaunchOrigin::CommandLine};
  config.location = {};
  EXPECT_EQ(config.originText(), "grid 80x1x1 and block 256x1x1 from the "
                                 "source, the rest from the command line");
}

TEST(LaunchOrigins, TellWhichLaunchIsAssumed) {
  LaunchConfig config = completeLaunch({}, saxpy(), a100());
  config.location = {"x.cu", 9, 3, {}};
  EXPECT_EQ(config.originText(), "grid 864x1x1 and block 256x1x1 assumed for "
                                 "the launch at x.cu:9");
  config.arguments["n"] = {3, LaunchOrigin::Source};
  EXPECT_EQ(config.originText(), "grid 864x1x1 and block 256x1x1 assumed for "
                                 "the launch at x.cu:9");
}

//===----------------------------------------------------------------------===//
// Completion
//===----------------------------------------------------------------------===//

TEST(LaunchCompletion, TakesOneFullWave) {
  // 8 blocks of 256 threads with 32 registers fill an SM of the A100.
  LaunchConfig config = completeLaunch({}, saxpy(), a100());
  EXPECT_EQ(config.block->value, Dim3{256});
  EXPECT_EQ(config.grid->value, Dim3{108 * 8});
  EXPECT_EQ(config.dynamicShared->value, 0u);
  EXPECT_EQ(config.origin(), LaunchOrigin::Assumed);
  EXPECT_EQ(config.originText(), "grid 864x1x1 and block 256x1x1 assumed");
}

// Code that tells threads apart along more axes is launched along these.
TEST(LaunchCompletion, TakesTheDimensionsOfTheCode) {
  KernelSummary plane = saxpy();
  plane.blocks.resize(1);
  plane.blocks[0].guard = {Expr::isLess(Expr::symbol("tid.y"), Expr(9)), ""};
  LaunchConfig config = completeLaunch({}, plane, a100());
  EXPECT_EQ(config.block->value, (Dim3{32, 8}));
  EXPECT_EQ(config.grid->value, (Dim3{864}))
      << "where threads alone are told apart along y, blocks are not";
  plane.blocks[0].guard = {Expr::isLess(Expr::symbol("ctaid.y"), Expr(9)), ""};
  config = completeLaunch({}, plane, a100());
  EXPECT_EQ(config.block->value, (Dim3{256}));
  EXPECT_EQ(config.grid->value, (Dim3{32, 27}));
  plane.blocks[0].guard = {
      Expr::isLess(Expr::symbol("ctaid.y") + Expr::symbol("ctaid.z"), Expr(9)),
      ""};
  EXPECT_EQ(completeLaunch({}, plane, a100()).grid->value, (Dim3{12, 8, 9}));
  plane.blocks[0].guard = {Expr::isLess(Expr::symbol("tid.z"), Expr(9)), ""};
  config = completeLaunch({}, plane, a100());
  EXPECT_EQ(config.block->value, (Dim3{32, 4, 2}));
  plane.maxThreadsPerBlock = 32;
  EXPECT_EQ(completeLaunch({}, plane, a100()).block->value, Dim3{32});
}

// Whoever writes tile[threadIdx.y][threadIdx.x] has no more threads than there
// are places; who asks which threads do so may have more.
TEST(LaunchCompletion, LeavesSharedArraysTheirSize) {
  auto blockFor = [](llvm::StringRef offset, uint64_t bytes,
                     llvm::StringRef guard = "1") {
    KernelBuilder builder;
    Access &store =
        builder.access(builder.block(guard), offset, MemorySpace::Shared);
    store.kind = AccessKind::Store;
    store.bytesPerLane = 4;
    store.objectInBytes = bytes;
    return completeLaunch({}, builder.summary, a100()).block->value;
  };
  EXPECT_EQ(blockFor("4*tid.x", 4 * 256), Dim3{256});
  EXPECT_EQ(blockFor("4*tid.x", 4 * 128), Dim3{128});
  EXPECT_EQ(blockFor("4*tid.x", 4 * 128, "[127 - tid.x >= 0]"), Dim3{256});
  EXPECT_EQ(blockFor("4*tid.x", 4 * 128, "[arg2 - 256*ctaid.x - tid.x >= 0]"),
            Dim3{128});
  EXPECT_EQ(blockFor("64*tid.y + 4*tid.x", 4 * 16 * 16), (Dim3{16, 16}));
  EXPECT_EQ(blockFor("68*tid.y + 4*tid.x", 4 * 17 * 16), (Dim3{16, 16}));
  EXPECT_EQ(blockFor("128*tid.y + 4*tid.x", 4 * 32 * 8), (Dim3{32, 8}));
  EXPECT_EQ(blockFor("288*tid.y + 4*tid.x", 4 * 72 * 4), (Dim3{64, 4}));
}

// Which thread is the first, and a thread's number in its block, can be asked
// of blocks of any shape.
TEST(LaunchCompletion, TakesNumbersForOneDimension) {
  KernelSummary line = saxpy();
  Expr y = Expr::symbol("tid.y"), z = Expr::symbol("tid.z");
  Expr number = Expr::symbol("tid.x") +
                Expr::symbol("ntid.x") * (y + Expr::symbol("ntid.y") * z);
  line.blocks.resize(1);
  line.blocks[0].guard = {Expr::isEqual(Expr::symbol("tid.x") + y + z, 0) *
                              Expr::isLess(number, Expr(9)),
                          ""};
  LaunchConfig config = completeLaunch({}, line, a100());
  EXPECT_EQ(config.block->value, Dim3{256});
  EXPECT_EQ(config.grid->value, Dim3{108 * 8});
}

TEST(LaunchCompletion, KeepsWhatIsStated) {
  LaunchConfig config = completeLaunch(launch("block:16x16"), saxpy(), a100());
  EXPECT_EQ(config.block->value, (Dim3{16, 16, 1}));
  EXPECT_EQ(config.block->origin, LaunchOrigin::Source);
  EXPECT_EQ(config.grid->origin, LaunchOrigin::Assumed);
  config = completeLaunch(launch("grid:7"), saxpy(), a100());
  EXPECT_EQ(config.grid->value, Dim3{7});
  EXPECT_EQ(config.block->origin, LaunchOrigin::Assumed);
}

TEST(LaunchCompletion, FollowsTheKernelsBounds) {
  KernelSummary summary = saxpy();
  summary.maxThreadsPerBlock = 96;
  EXPECT_EQ(completeLaunch({}, summary, a100()).block->value, Dim3{96});
  summary.requiredBlock[0] = 32;
  summary.requiredBlock[1] = 4;
  EXPECT_EQ(completeLaunch({}, summary, a100()).block->value, (Dim3{32, 4, 1}));
}

TEST(LaunchCompletion, CountsRegistersSharedMemoryAndOutsideLimits) {
  KernelSummary summary = saxpy();
  summary.registers = 128; // 2 blocks of 256 threads
  EXPECT_EQ(completeLaunch({}, summary, a100()).grid->value, Dim3{216});
  EXPECT_EQ(completeLaunch(launch("registers:64"), summary, a100()).grid->value,
            Dim3{432});
  EXPECT_EQ(
      completeLaunch(launch("maxBlocksPerSM:1"), summary, a100()).grid->value,
      Dim3{108});
  // Opting in is assumed: 100,000 B leave room for one block.
  EXPECT_EQ(
      completeLaunch(launch("shared:100000"), saxpy(), a100()).grid->value,
      Dim3{108});
}

TEST(CompleteLaunch, CountsBlocksByArguments) {
  LaunchConfig config;
  config.block = {Dim3{256}, LaunchOrigin::Source};
  std::array<Expr, 3> counted = {
      Expr::floorDiv(Expr::symbol("arg2") + Expr(255), Expr(256)), Expr(2),
      Expr(1)};
  config.gridOfArguments = {counted, LaunchOrigin::Source};
  auto grid = [&] { return *completeLaunch(config, saxpy(), a100()).grid; };
  EXPECT_EQ(grid().origin, LaunchOrigin::Assumed); // nobody states arg2
  config.arguments["arg2"] = {1000, LaunchOrigin::Source};
  EXPECT_EQ(grid(), (Stated<Dim3>{{4, 2, 1}, LaunchOrigin::Source}));
  config.arguments["arg2"] = {0, LaunchOrigin::CommandLine};
  EXPECT_EQ(grid().origin, LaunchOrigin::Assumed); // no grid
  // The source's own grid is for the source's own arguments.
  config.grid = {Dim3{7}, LaunchOrigin::Source};
  config.arguments["arg2"] = {1000, LaunchOrigin::Source};
  EXPECT_EQ(grid().value, Dim3{7});
  config.arguments["arg2"] = {1000, LaunchOrigin::CommandLine};
  EXPECT_EQ(grid().value, (Dim3{4, 2, 1}));
  config.grid = {Dim3{7}, LaunchOrigin::CommandLine};
  EXPECT_EQ(grid().value, Dim3{7});
}

// With 64 registers 1024 threads reside in blocks of any size that divides it,
// with 72 the most, 896, in blocks of 896 and 448; the largest counts.
TEST(CompleteLaunch, ChoosesTheBlockThatFillsAnSM) {
  KernelSummary summary = saxpy();
  auto chosen = [&](ChosenBlock block) {
    LaunchConfig config;
    config.chosenBlock = {block, LaunchOrigin::Source};
    return completeLaunch(config, summary, a100());
  };
  summary.registers = 64;
  LaunchConfig config = chosen({.threads = 5000});
  EXPECT_EQ(config.block->value, Dim3{1024});
  EXPECT_EQ(config.grid->value, Dim3{5});
  EXPECT_EQ(config.origin(), LaunchOrigin::Source);
  EXPECT_EQ(chosen({.limit = 300}).block->value, Dim3{256});
  config = chosen({.limit = 256, .threads = 0});
  EXPECT_EQ(config.grid->value, Dim3{4 * 108});
  EXPECT_EQ(config.grid->origin, LaunchOrigin::Source);
  EXPECT_EQ(chosen({}).grid->origin, LaunchOrigin::Assumed);
  summary.registers = 72;
  EXPECT_EQ(chosen({}).block->value, Dim3{896});
  // One block of so much shared memory is all there is room for.
  EXPECT_EQ(chosen({.limit = 512, .shared = 100000}).block->value, Dim3{512});
  summary.maxThreadsPerBlock = 128;
  EXPECT_EQ(chosen({}).block->value, Dim3{128});
  EXPECT_EQ(inBlocksOf(config, Dim3{32}, LaunchOrigin::Assumed).chosenBlock,
            std::nullopt);
}

TEST(LaunchCompletion, SurvivesBlocksThatDoNotFit) {
  LaunchConfig config = launch("grid:1");
  config.grid.reset();
  config.block = {Dim3{4294967295, 4294967295, 4294967295},
                  LaunchOrigin::Source};
  EXPECT_EQ(completeLaunch(config, saxpy(), a100()).grid->value, Dim3{108});
}

//===----------------------------------------------------------------------===//
// Check
//===----------------------------------------------------------------------===//

std::string check(llvm::StringRef text, const KernelSummary &summary = saxpy(),
                  llvm::StringRef gpu = "A100-40GB") {
  GPU description = llvm::cantFail(findGPU(gpu));
  LaunchConfig config = launch(text);
  config.location.file = "x.cu";
  config.location.line = 9;
  return errorText(checkLaunch(config, summary, description));
}

TEST(LaunchCheck, AcceptsWhatRuns) {
  EXPECT_EQ(check("grid:2147483647x65535x65535,block:1024"), "no error");
  EXPECT_EQ(check("grid:1,block:16x1x64,shared:166912"), "no error");
}

TEST(LaunchCheck, KnowsTheGPUsLimits) {
  EXPECT_EQ(check("grid:1,block:1024", saxpy(), "GTX280"),
            "x.cu:9: saxpy: block: 1024 threads exceed the 512 a block can "
            "have on GTX280");
  EXPECT_EQ(check("grid:65536,block:64", saxpy(), "GTX280"),
            "x.cu:9: saxpy: grid: 65536 blocks along x exceed the 65535 a grid "
            "can have on GTX280");
  EXPECT_EQ(check("grid:1,block:256,shared:166913"),
            "x.cu:9: saxpy: shared: 166913 B of dynamic shared memory exceed "
            "the 166912 B a block can have on A100-40GB");
  KernelSummary summary = saxpy();
  summary.staticSharedInBytes = 4096;
  EXPECT_EQ(check("grid:1,block:256,shared:163840", summary),
            "x.cu:9: saxpy: shared: 163840 B of dynamic shared memory and 4096 "
            "B static exceed the 166912 B a block can have on A100-40GB");
}

TEST(LaunchCheck, KnowsTheKernelsBounds) {
  KernelSummary summary = saxpy();
  summary.maxThreadsPerBlock = 128;
  EXPECT_EQ(check("grid:1,block:256", summary),
            "x.cu:9: saxpy: block: 256 threads exceed the 128 of the kernel's "
            "__launch_bounds__");
  summary.maxThreadsPerBlock = 0;
  summary.requiredBlock[0] = 128;
  EXPECT_EQ(check("grid:1,block:64", summary),
            "x.cu:9: saxpy: block: the kernel is compiled for blocks of "
            "128x1x1 alone, not 64x1x1");
}

TEST(LaunchCheck, TrustsRegistersThatAreNoEstimate) {
  KernelSummary summary = saxpy();
  summary.registers = 100;
  EXPECT_EQ(check("grid:1,block:1024", summary), "no error");
  std::string text = "x.cu:9: saxpy: registers: the registers of 32 warps with "
                     "100 a thread exceed the 65536 a block can have on "
                     "A100-40GB";
  EXPECT_EQ(check("grid:1,block:1024,registers:100"), text);
  summary.registerOrigin = RegisterOrigin::Assembler;
  EXPECT_EQ(check("grid:1,block:1024", summary), text);
}

TEST(LaunchCheck, NeedsACompleteLaunch) {
  EXPECT_EQ(check("block:256"), "x.cu:9: saxpy: grid: nobody states it");
  EXPECT_EQ(check("grid:256"), "x.cu:9: saxpy: block: nobody states it");
}

TEST(LaunchCheck, FindsSizesOfZeroFromTheSource) {
  LaunchConfig config = launch("grid:1,block:256");
  config.grid->value.x = 0;
  EXPECT_EQ(errorText(checkLaunch(config, saxpy(), a100())),
            "saxpy: grid: the size along x is 0; it has to be at least 1 on "
            "A100-40GB");
}

} // namespace
