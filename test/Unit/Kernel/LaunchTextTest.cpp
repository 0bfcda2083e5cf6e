// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Kernels.h"
#include "gtest/gtest.h"

using namespace auspex;
using namespace auspex::test;

namespace {

LaunchConfig parse(llvm::StringRef text) {
  return llvm::cantFail(parseLaunchText(text, LaunchOrigin::CommandLine));
}

std::string parseError(llvm::StringRef text) {
  return errorText(
      parseLaunchText(text, LaunchOrigin::CommandLine, {"", 0, "--launch"}));
}

TEST(LaunchText, ReadsEveryPart) {
  LaunchConfig launch = parse("saxpy=grid:4096x2x1, block:256,shared:1024,"
                              "registers:40,maxBlocksPerSM:2,warmL2:true,"
                              "n=1048576,on=true,k=-0x10");
  EXPECT_EQ(launch.kernel, "saxpy");
  EXPECT_EQ(launch.grid->value, (Dim3{4096, 2, 1}));
  EXPECT_EQ(launch.grid->origin, LaunchOrigin::CommandLine);
  EXPECT_EQ(launch.block->value, Dim3{256});
  EXPECT_EQ(launch.dynamicShared->value, 1024u);
  EXPECT_EQ(launch.registers->value, 40u);
  EXPECT_EQ(launch.maxBlocksPerSM->value, 2u);
  EXPECT_TRUE(launch.warmL2->value);
  EXPECT_EQ(launch.arguments.at("n").value, 1048576);
  EXPECT_EQ(launch.arguments.at("on").value, 1);
  EXPECT_EQ(launch.arguments.at("k").value, -16);
  EXPECT_EQ(launch.arguments.size(), 3u);
}

TEST(LaunchText, MayLackTheName) {
  LaunchConfig launch = parse("grid:8, n=5");
  EXPECT_EQ(launch.kernel, "");
  EXPECT_EQ(launch.grid->value, Dim3{8});
  EXPECT_FALSE(launch.block);
  EXPECT_EQ(parse("n=5").arguments.at("n").value, 5);
  EXPECT_EQ(parse("n=5").kernel, "");
}

TEST(LaunchText, MayNeedTheName) {
  EXPECT_EQ(errorText(parseNamedLaunchText("=grid:4", {"--launch", 0, ""})),
            "--launch: kernel: the name is missing; write 'NAME=grid:4'");
}

TEST(LaunchText, TakesNamesWithBrackets) {
  EXPECT_EQ(parse("ns::k<float, 3>=grid:8").kernel, "ns::k<float, 3>");
  EXPECT_EQ(parse("k(int, float*)=n=5").kernel, "k(int, float*)");
  EXPECT_EQ(parse("k(int, float*)=n=5").arguments.at("n").value, 5);
  EXPECT_EQ(parse(" _Z1kv = n=5").kernel, "_Z1kv");
}

TEST(LaunchText, KeepsThePlace) {
  LaunchConfig launch = llvm::cantFail(
      parseLaunchText("grid:8", LaunchOrigin::Pragma, {"x.cu", 7, ""}));
  EXPECT_EQ(launch.location.file, "x.cu");
  EXPECT_EQ(launch.location.line, 7u);
  EXPECT_EQ(errorText(parseLaunchText("blok:8", LaunchOrigin::Pragma,
                                      {"x.cu", 7, ""})),
            "x.cu:7: blok: unknown key; did you mean block?");
}

TEST(LaunchText, RefusesWhatNoGPUHas) {
  EXPECT_EQ(parseError("k=block:2048"),
            "--launch: block: 2048 threads exceed the 1024 a block can have");
  EXPECT_EQ(parseError("k=block:64x32"),
            "--launch: block: 2048 threads exceed the 1024 a block can have");
  EXPECT_EQ(parseError("k=block:1x1x128"),
            "--launch: block: 128 threads along z exceed the 64 a block can "
            "have");
  EXPECT_EQ(parseError("k=grid:1x65536"),
            "--launch: grid: 65536 blocks along y exceed the 65535 a grid can "
            "have");
  EXPECT_EQ(parseError("k=grid:2147483648"),
            "--launch: grid: 2147483648 blocks along x exceed the 2147483647 a "
            "grid can have");
  EXPECT_EQ(parseError("k=block:9223372036854775807x9223372036854775807"),
            "--launch: block: 18446744073709551615 threads exceed the 1024 a "
            "block can have");
  EXPECT_EQ(parseError("k=grid:99999999999999999999999"),
            "--launch: grid: 9223372036854775807 blocks along x exceed the "
            "2147483647 a grid can have");
  EXPECT_EQ(parseError("k=shared:-1"),
            "--launch: shared: -1 is out of range; it has to be at least 0");
  EXPECT_EQ(parseError("k=registers:0"),
            "--launch: registers: 0 is out of range; it has to be at least 1");
}

TEST(LaunchText, RefusesZeroAndNegativeSizes) {
  EXPECT_EQ(parseError("k=grid:80x0"),
            "--launch: grid: the size along y is 0; it has to be at least 1");
  EXPECT_EQ(parseError("k=block:-256"),
            "--launch: block: the size along x is -256; it has to be at least "
            "1");
  EXPECT_EQ(parseError("k=block:0x16"),
            "--launch: block: the size along x is 0; it has to be at least 1");
}

TEST(LaunchText, RefusesWhatIsNoSize) {
  for (llvm::StringRef text : {"k=grid:80x", "k=grid:x", "k=grid:n",
                               "k=grid:1.5", "k=grid:8x8y", "k=grid:8=8"})
    EXPECT_TRUE(llvm::StringRef(parseError(text))
                    .starts_with("--launch: grid: expected a size such as 256, "
                                 "16x16 or [16, 16], found '"))
        << parseError(text);
  EXPECT_EQ(parseError("k=grid:1x1x1x1"),
            "--launch: grid: expected 1 to 3 sizes, found 4");
}

TEST(LaunchText, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(parseError("k=blok:256"),
            "--launch: blok: unknown key; did you mean block?");
  EXPECT_TRUE(llvm::StringRef(parseError("k=grid:80,n:1024"))
                  .starts_with("--launch: n: unknown key; there are args, "
                               "block, "));
  EXPECT_EQ(parseError("k=grid:8,256"),
            "--launch: expected KEY:value, for instance grid:80x1x1, or an "
            "argument as name=value, found '256'");
  EXPECT_EQ(parseError("k=grid:8,grid:9"),
            "--launch: grid: the key is given twice; remove one");
  EXPECT_EQ(parseError("k=n=8,n=9"),
            "--launch: n: the key is given twice; remove one");
  EXPECT_EQ(parseError("k=n=many"),
            "--launch: n: expected a number, true or false, found 'many'");
  EXPECT_EQ(
      parseError("k=kernel:j"),
      "--launch: kernel: write the name in front: name=grid:80,block:256");
  EXPECT_EQ(parseError("k=grid:8,args:n=5"),
            "--launch: args: write arguments without 'args:', as name=value");
}

TEST(LaunchText, RefusesNothing) {
  std::string text = "--launch: nothing is stated; expected for instance "
                     "grid:80x1x1, block:256, n=1024";
  EXPECT_EQ(parseError(""), text);
  EXPECT_EQ(parseError("saxpy="), text);
}

// Names may have brackets, which need not be in pairs: there is no such kernel
// then, as others say.
TEST(LaunchText, SurvivesBrokenBrackets) {
  for (llvm::StringRef text : {"k<=grid:8", "(((", "=", ",", ":=,=:", "k=,"})
    EXPECT_TRUE(llvm::StringRef(parseError(text)).starts_with("--launch: "))
        << text.str() << ": " << parseError(text);
  EXPECT_EQ(parse(">>=n=5").kernel, ">>");
  EXPECT_EQ(parse("k>=1").arguments.count("k>"), 1u);
  EXPECT_EQ(parse("=grid:8").kernel, "");
}

} // namespace
