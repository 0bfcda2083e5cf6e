// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Validate/KernelMap.h"

#include "gtest/gtest.h"

using namespace auspex;

namespace {

Measurement record(std::vector<std::pair<std::string, std::string>> fields) {
  Measurement measurement;
  measurement.place = {"folder/in.jsonl", 7, ""};
  measurement.fields = std::move(fields);
  return measurement;
}

TEST(Measurement, FindsFieldsByShortNames) {
  Measurement m = record({{"gpu", "A100"},
                          {"problem.gpu", "none"},
                          {"problem.n", "3"},
                          {"compile_defs.n", "4"},
                          {"compile_defs.TILE", "16"},
                          {"grid.1", "8"}});
  EXPECT_EQ(m.find("gpu"), "A100");
  EXPECT_EQ(m.find("problem.gpu"), "none");
  EXPECT_EQ(m.find("n"), "3");
  EXPECT_EQ(m.find("compile_defs.n"), "4");
  EXPECT_EQ(m.find("TILE"), "16");
  EXPECT_EQ(m.find("grid.y"), "8");
  EXPECT_EQ(m.find("file"), "in.jsonl");
  EXPECT_EQ(m.find("grid"), std::nullopt);
}

TEST(Measurement, FindsWordsOfCommandLines) {
  Measurement m = record({{"problem.args.0", "-type=float --N=64"},
                          {"problem.args.1", "512 4 -v temp_512"}});
  EXPECT_EQ(m.find("N"), "64");
  EXPECT_EQ(m.find("type"), "float");
  EXPECT_EQ(m.find("args.0"), "512");
  EXPECT_EQ(m.find("args.3"), "temp_512");
  EXPECT_EQ(m.find("args.4"), std::nullopt);
}

MeasuredLaunch interpret(llvm::StringRef map, const Measurement &measurement) {
  KernelMap kernels;
  if (!map.empty())
    llvm::cantFail(kernels.addDocument(
        llvm::cantFail(parseDocument(map, "maps/map.yaml"))));
  return llvm::cantFail(kernels.interpret(measurement));
}

const std::vector<std::pair<std::string, std::string>> Full{
    {"gpu", "A100"},
    {"kernel", "k"},
    {"source_path", "src/k.cu"},
    {"grid.0", "64"},
    {"grid.1", "2"},
    {"block.0", "128"},
    {"dyn_smem", "512"},
    {"problem.n", "100"},
    {"problem.dtype", "float"},
    {"compile_defs.TILE", "16"},
    {"measured_ms", "0.25"}};

TEST(KernelMap, ARecordSpeaksForItself) {
  MeasuredLaunch launch = interpret("", record(Full));
  EXPECT_EQ(launch.problemText, "");
  EXPECT_EQ(launch.source, "src/k.cu");
  EXPECT_EQ(launch.flags, std::vector<std::string>{"-DTILE=16"});
  EXPECT_EQ(launch.launch.grid->value, (Dim3{64, 2, 1}));
  EXPECT_EQ(launch.launch.block->value, (Dim3{128, 1, 1}));
  EXPECT_EQ(launch.launch.dynamicShared->value, 512u);
  EXPECT_EQ(launch.problem, (std::map<std::string, int64_t>{{"n", 100}}));
  EXPECT_EQ(launch.measuredInUs, 250);
}

TEST(KernelMap, TheFirstEntryThatMatchesIsTaken) {
  llvm::StringRef map = "kernels:\n"
                        "  - {match: {kernel: k, n: 99}, kernel: first}\n"
                        "  - {match: {kernel: [j, k]}, kernel: second}\n"
                        "  - {match: {}, kernel: third}\n";
  EXPECT_EQ(interpret(map, record(Full)).launch.kernel, "second");
}

TEST(KernelMap, AnEntrySaysOtherwise) {
  MeasuredLaunch launch =
      interpret("folder: ../kernels\n"
                "gpus: {A100: A100-80GB}\n"
                "kernels:\n"
                "  - match: {kernel: k}\n"
                "    source: '{kernel}_{TILE}.cu'\n"
                "    kernel: 'k<{n / 3}>'\n"
                "    defines: {TILE: null, SIDE: '{2 * TILE}'}\n"
                "    flags: [--use_fast_math, '-DN={n}']\n"
                "    grid: [n, 'max(n, 4)']\n"
                "    shared: 0\n"
                "    registers: 40\n"
                "    args: {m: n * n}\n"
                "    rate: {field: measured_ms, perSecond: 1e3, work: n}\n",
                record(Full));
  EXPECT_EQ(launch.problemText, "");
  EXPECT_EQ(launch.gpu, "A100-80GB");
  EXPECT_EQ(launch.source, "k_16.cu");
  EXPECT_EQ(launch.mapFolder, "maps/../kernels");
  EXPECT_EQ(launch.launch.kernel, "k<33>");
  EXPECT_EQ(launch.flags, (std::vector<std::string>{"--use_fast_math",
                                                    "-DN=100", "-DSIDE=32"}));
  EXPECT_EQ(launch.launch.grid->value, (Dim3{100, 100, 1}));
  EXPECT_EQ(launch.launch.dynamicShared->value, 0u);
  EXPECT_EQ(launch.launch.registers->value, 40u);
  EXPECT_EQ(launch.launch.arguments.at("m").value, 10000);
  // The map says which arguments there are.
  EXPECT_TRUE(launch.problem.empty());
  // 100 at 250 a second.
  EXPECT_DOUBLE_EQ(launch.measuredInUs, 4e5);
}

TEST(KernelMap, WhatIsMissingIsAReason) {
  auto problem = [](llvm::StringRef entry) {
    std::string map = ("kernels:\n  - {match: {}, " + entry + "}\n").str();
    return interpret(map, record(Full)).problemText;
  };
  EXPECT_EQ(problem("grid: m"),
            "maps/map.yaml:2: kernels[0].grid: the record has no field m");
  EXPECT_EQ(problem("grid: dtype"), "maps/map.yaml:2: kernels[0].grid: dtype "
                                    "of the record is 'float', no integer");
  EXPECT_EQ(problem("grid: n / (n - 100)"),
            "maps/map.yaml:2: kernels[0].grid: the value is not defined (a "
            "division by 0, or an overflow)");
  EXPECT_EQ(problem("kernel: 'k{'"),
            "maps/map.yaml:2: kernels[0].kernel: a { has no }");
  EXPECT_EQ(problem("leaveOut: why"), "the map leaves it out: why");
}

} // namespace
