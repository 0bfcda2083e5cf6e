// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Kernels.h"
#include "gtest/gtest.h"

using namespace auspex;
using namespace auspex::test;

namespace {

llvm::Expected<std::vector<LaunchConfig>> read(llvm::StringRef text) {
  llvm::Expected<Node> document = parseDocument(text, "launches.yaml");
  if (!document)
    return document.takeError();
  return parseLaunchFile(*document);
}

std::string readError(llvm::StringRef text) { return errorText(read(text)); }

/// The error for one launch of k with \p line in line 3.
std::string lineError(llvm::StringRef line) {
  return readError(("launches:\n  - kernel: k\n    " + line + "\n").str());
}

TEST(LaunchFile, ReadsEveryPart) {
  auto launches = llvm::cantFail(read(R"(
launches:
  - kernel: saxpy
    grid: [4096]
    block: 256
    shared: 0
    args: {n: 1048576, arg1: -3, 2: true}
    registers: 32
  - kernel: ns::k<float>
    grid: "16x8"
    block: 16x8x4
    maxBlocksPerSM: 2
    warmL2: true
  - kernel: chosen
    chosenBlock: {limit: 512, shared: 64, threads: 1000}
  - kernel: counted
    gridOfArguments: ['floordiv(arg1 + 255, 256)', 2, 1]
)"));
  ASSERT_EQ(launches.size(), 4u);
  EXPECT_EQ(launches[0].kernel, "saxpy");
  EXPECT_EQ(launches[0].grid->value, Dim3{4096});
  EXPECT_EQ(launches[0].grid->origin, LaunchOrigin::File);
  EXPECT_EQ(launches[0].block->value, Dim3{256});
  EXPECT_EQ(launches[0].dynamicShared->value, 0u);
  EXPECT_EQ(launches[0].registers->value, 32u);
  EXPECT_EQ(launches[0].arguments.at("n").value, 1048576);
  EXPECT_EQ(launches[0].arguments.at("arg1").value, -3);
  EXPECT_EQ(launches[0].arguments.at("2").value, 1);
  EXPECT_EQ(launches[0].location.str(), "launches.yaml:3:0");
  EXPECT_EQ(launches[1].grid->value, (Dim3{16, 8, 1}));
  EXPECT_EQ(launches[1].block->value, (Dim3{16, 8, 4}));
  EXPECT_EQ(launches[1].maxBlocksPerSM->value, 2u);
  EXPECT_TRUE(launches[1].warmL2->value);
  EXPECT_FALSE(launches[0].warmL2);
  EXPECT_FALSE(launches[1].dynamicShared);
  EXPECT_EQ(launches[2].chosenBlock->value, (ChosenBlock{512, 64, 1000}));
  EXPECT_EQ(launches[3].gridOfArguments->value[0].str(),
            "floordiv(arg1 + 255, 256)");
  EXPECT_EQ(launches[3].gridOfArguments->value[1], Expr(2));
}

TEST(LaunchFile, TakesArgumentsByPositionInAList) {
  auto launches = llvm::cantFail(
      read("launches:\n  - kernel: k\n    args: [7, null, false]\n"));
  EXPECT_EQ(launches[0].arguments.size(), 2u);
  EXPECT_EQ(launches[0].arguments.at("0").value, 7);
  EXPECT_EQ(launches[0].arguments.at("2").value, 0);
}

TEST(LaunchFile, HasObjectsOfASizeThatMemoryHas) {
  auto launches =
      llvm::cantFail(read("launches:\n  - kernel: k\n"
                          "    objectsInBytes: {x: 1099511627776}"));
  EXPECT_EQ(launches[0].objectsInBytes.at("x").value, uint64_t(1) << 40);
  EXPECT_EQ(lineError("objectsInBytes: {x: 1099511627777}"),
            "launches.yaml:3: launches[0].objectsInBytes.x: an object has at "
            "most 1099511627776 bytes");
  EXPECT_EQ(lineError("objectsInBytes: {x: 0}"),
            "launches.yaml:3: launches[0].objectsInBytes.x: an object has at "
            "least one byte");
}

TEST(LaunchFile, MayBeJsonAndEmpty) {
  EXPECT_EQ(llvm::cantFail(read(R"({"launches": []})")).size(), 0u);
  auto launches = llvm::cantFail(
      read(R"({"launches": [{"kernel": "k", "grid": [1e3, 2]}]})"));
  EXPECT_EQ(launches[0].grid->value, (Dim3{1000, 2, 1}));
}

TEST(LaunchFile, NamesFileLineKeyAndRemedy) {
  EXPECT_EQ(
      lineError("block: 2048"),
      "launches.yaml:3: launches[0].block: 2048 threads exceed the 1024 a "
      "block can have");
  EXPECT_EQ(lineError("gird: 256"),
            "launches.yaml:3: launches[0].gird: unknown key; did you mean "
            "grid?");
  EXPECT_EQ(lineError("grid: 80x0"),
            "launches.yaml:3: launches[0].grid: the size along y is 0; it has "
            "to be at least 1");
  EXPECT_EQ(lineError("grid: [80, -1]"),
            "launches.yaml:3: launches[0].grid: the size along y is -1; it has "
            "to be at least 1");
  EXPECT_EQ(lineError("grid: {x: 80}"),
            "launches.yaml:3: launches[0].grid: expected a size such as 256, "
            "16x16 or [16, 16], found a mapping");
  EXPECT_EQ(lineError("grid: []"),
            "launches.yaml:3: launches[0].grid: expected 1 to 3 sizes, found "
            "0");
  EXPECT_EQ(lineError("shared: big"),
            "launches.yaml:3: launches[0].shared: expected an integer, found "
            "'big'");
  EXPECT_EQ(lineError("args: {n: many}"),
            "launches.yaml:3: launches[0].args.n: expected a number, true or "
            "false, found 'many'");
  EXPECT_EQ(lineError("args: 5"),
            "launches.yaml:3: launches[0].args: expected the arguments as "
            "{name: value}, found '5'");
}

TEST(LaunchFile, NeedsLaunchesWithAKernel) {
  EXPECT_EQ(readError("launch: []"), "launches.yaml:1: launches: the key is "
                                     "missing; 'launch' stands there");
  EXPECT_EQ(readError("launches: 5"),
            "launches.yaml:1: launches: expected a list, found '5'");
  EXPECT_EQ(readError("launches:\n  - grid: 5\n"),
            "launches.yaml:2: launches[0].kernel: the key is missing");
  EXPECT_EQ(readError("launches:\n  - kernel: ''\n"),
            "launches.yaml:2: launches[0].kernel: the name is empty");
  EXPECT_EQ(readError("launches:\n  - saxpy\n"),
            "launches.yaml:2: launches[0]: expected a mapping, found 'saxpy'");
}

TEST(LaunchFile, NamesAFileThatIsNotThere) {
  std::string text = errorText(loadLaunchFile("/nonexistent/launches.yaml"));
  EXPECT_TRUE(llvm::StringRef(text).starts_with(
      "/nonexistent/launches.yaml: cannot be read: "))
      << text;
}

} // namespace
