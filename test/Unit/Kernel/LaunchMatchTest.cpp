// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernel a launch is meant for, and which of its arguments.
#include "Kernels.h"
#include "auspex/Kernel/KernelNames.h"
#include "gtest/gtest.h"

using namespace auspex;
using namespace auspex::test;

namespace {

bool matches(llvm::StringRef name, llvm::StringRef mangled) {
  return isCalled(name, kernel(mangled));
}

TEST(LaunchMatch, TakesEveryNameOfAFunction) {
  llvm::StringRef mangled = "_ZN2ns5saxpyEifPKfPf";
  EXPECT_TRUE(matches(mangled, mangled));
  EXPECT_TRUE(matches("ns::saxpy", mangled));
  EXPECT_TRUE(matches("saxpy", mangled));
  EXPECT_TRUE(matches("ns::saxpy(int, float, float const*, float*)", mangled));
  EXPECT_TRUE(matches("ns::saxpy(int,float,float const *,float *)", mangled));
  EXPECT_FALSE(matches("ns", mangled));
  EXPECT_FALSE(matches("axpy", mangled));
  EXPECT_FALSE(matches("other::saxpy", mangled));
  EXPECT_FALSE(matches("saxpy<float>", mangled));
  EXPECT_FALSE(matches("ns::saxpy(int)", mangled));
  EXPECT_FALSE(matches("", mangled));
}

TEST(LaunchMatch, TakesEveryNameOfATemplateInstance) {
  // void ns::k<float, 256u>(float*, int)
  llvm::StringRef mangled = "_ZN2ns1kIfLj256EEEvPT_i";
  EXPECT_TRUE(matches("k", mangled));
  EXPECT_TRUE(matches("ns::k", mangled));
  EXPECT_TRUE(matches("k<float, 256u>", mangled));
  EXPECT_TRUE(matches("ns::k<float,256>", mangled));
  EXPECT_TRUE(matches("void ns::k<float, 256u>(float*, int)", mangled));
  EXPECT_FALSE(matches("k<double, 256>", mangled));
  EXPECT_FALSE(matches("k<float, 25>", mangled));
}

TEST(LaunchMatch, LooksIntoNestedTemplates) {
  // void a<ns::b>::k<ns::c<int>>(): the last component is k.
  llvm::StringRef mangled = "_ZN1aIN2ns1bEE1kINS0_1cIiEEEEvv";
  ASSERT_EQ(llvm::demangle(mangled), "void a<ns::b>::k<ns::c<int>>()");
  EXPECT_TRUE(matches("k", mangled));
  EXPECT_TRUE(matches("k<ns::c<int>>", mangled));
  EXPECT_TRUE(matches("k<ns::c<int> >", mangled));
  EXPECT_TRUE(matches("a<ns::b>::k", mangled));
  EXPECT_FALSE(matches("c", mangled));
}

TEST(LaunchMatch, TakesUnmangledAndInternalNames) {
  EXPECT_TRUE(matches("saxpy", "saxpy"));
  EXPECT_FALSE(matches("saxp", "saxpy"));
  EXPECT_TRUE(matches("k", "_ZN12_GLOBAL__N_11kEv"));
  EXPECT_TRUE(matches("(anonymous namespace)::k", "_ZN12_GLOBAL__N_11kEv"));
  // What -fgpu-rdc makes of a static kernel.
  EXPECT_TRUE(matches("_ZL1kv", "_ZL1kv__intern__0123456789abcdef"));
  EXPECT_TRUE(matches("k", "_ZL1kv__intern__0123456789abcdef"));
  EXPECT_TRUE(matches("k()", "_ZL1kv__intern__0123456789abcdef"));
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

LaunchConfig with(std::map<std::string, Stated<int64_t>> arguments) {
  LaunchConfig config;
  config.kernel = "saxpy";
  config.arguments = std::move(arguments);
  config.location.file = "launches.yaml";
  config.location.line = 7;
  return config;
}

TEST(LaunchArguments, BecomeSymbols) {
  for (llvm::StringRef name : {"n", "0", "arg0"}) {
    LaunchConfig config = llvm::cantFail(resolveArguments(
        with({{name.str(), {1024, LaunchOrigin::File}}}), saxpy()));
    ASSERT_EQ(config.arguments.size(), 1u);
    EXPECT_EQ(config.arguments.at("arg0").value, 1024);
    EXPECT_EQ(config.arguments.at("arg0").origin, LaunchOrigin::File);
  }
}

TEST(LaunchArguments, ResolveTwiceToTheSame) {
  LaunchConfig once =
      llvm::cantFail(resolveArguments(with({{"n", {5}}}), saxpy()));
  LaunchConfig twice = llvm::cantFail(resolveArguments(once, saxpy()));
  EXPECT_EQ(once.arguments, twice.arguments);
}

std::string resolveError(llvm::StringRef name, int64_t value = 1,
                         const KernelSummary &summary = saxpy()) {
  return errorText(resolveArguments(with({{name.str(), {value}}}), summary));
}

TEST(LaunchArguments, NamesThoseThatDoNotExist) {
  EXPECT_EQ(resolveError("m"),
            "launches.yaml:7: saxpy: m: the kernel has no such argument; its "
            "integer argument is n (arg0); its floating-point argument is a "
            "(arg1)");
  EXPECT_EQ(
      resolveError("arg4"),
      "launches.yaml:7: saxpy: arg4: the kernel has no such argument; its "
      "integer argument is n (arg0); its floating-point argument is a (arg1)");
  EXPECT_EQ(resolveError("grid"),
            "launches.yaml:7: saxpy: grid: the kernel has no such argument "
            "(grid:... with a colon sets the launch's); its integer argument "
            "is n (arg0); its floating-point argument is a (arg1)");
}

TEST(LaunchArguments, NamesThoseThatAreNoIntegers) {
  EXPECT_EQ(resolveError("arg3"),
            "launches.yaml:7: saxpy: arg3: it is a pointer, and can be 0, "
            "null; its integer argument is n (arg0)");
  EXPECT_EQ(resolveError("arg3", 0), "no error");
  EXPECT_EQ(resolveError("arg0.4"),
            "launches.yaml:7: saxpy: arg0.4: it is no struct; its integer "
            "argument is n (arg0)");
}

TEST(LaunchArguments, FloatsMayBeStatedAsIntegers) {
  LaunchConfig stated = with({{"a", {3, LaunchOrigin::File}}});
  LaunchConfig resolved = llvm::cantFail(resolveArguments(stated, saxpy()));
  EXPECT_TRUE(resolved.arguments.empty());
  EXPECT_EQ(resolved.floatArguments.at("arg1").value, 3.0);
  EXPECT_EQ(resolved.floatArguments.at("arg1").origin, LaunchOrigin::File);

  LaunchConfig other;
  other.floatArguments["n"] = {128.0};
  EXPECT_EQ(llvm::cantFail(resolveArguments(other, saxpy()))
                .arguments.at("arg0")
                .value,
            128);

  LaunchConfig wrong;
  wrong.location = {"launches.yaml", 7, 0, {}};
  wrong.floatArguments["n"] = {0.5};
  EXPECT_EQ(errorText(resolveArguments(wrong, saxpy())),
            "launches.yaml:7: saxpy: n: it is an integer");
}

TEST(LaunchArguments, RefusesValuesThatDoNotFit) {
  EXPECT_EQ(resolveError("n", 5000000000),
            "launches.yaml:7: saxpy: n: 5000000000 does not fit its 4 bytes");
  EXPECT_EQ(resolveError("n", 4000000000), "no error");
  EXPECT_EQ(resolveError("n", -5), "no error");
}

TEST(LaunchArguments, RefusesGridsOfOthers) {
  LaunchConfig config = with({});
  auto grid = [&](llvm::StringRef symbol) {
    std::array<Expr, 3> axes = {Expr::symbol(symbol), Expr(1), Expr(1)};
    config.gridOfArguments = {axes, LaunchOrigin::File};
    return errorText(resolveArguments(config, saxpy()));
  };
  EXPECT_EQ(grid("arg0"), "no error");
  EXPECT_EQ(grid("arg9").find("launches.yaml:7: saxpy: gridOfArguments: arg9: "
                              "the kernel has no argument of this symbol"),
            0u);
  EXPECT_NE(grid("n"), "no error"); // symbols alone
}

TEST(LaunchArguments, RefusesTheSameTwice) {
  EXPECT_EQ(
      errorText(resolveArguments(with({{"arg0", {1}}, {"n", {2}}}), saxpy())),
      "launches.yaml:7: saxpy: n: the argument is given twice, as arg0 "
      "too; remove one");
}

TEST(LaunchArguments, AreListedWithoutNamesToo) {
  KernelSummary summary = kernel("_Z1kiPii");
  summary.arguments = {{Argument::Kind::Integer, 4, ""},
                       {Argument::Kind::Pointer, 8, ""},
                       {Argument::Kind::Integer, 8, ""}};
  EXPECT_EQ(resolveError("n", 1, summary),
            "launches.yaml:7: k: n: the kernel has no such argument; its "
            "integer arguments are arg0 and arg2 (the compiler dropped the "
            "names)");
  EXPECT_EQ(resolveError("n", 1, kernel("_Z1kv")),
            "launches.yaml:7: k: n: the kernel has no such argument; it has no "
            "integer argument");
}

TEST(LaunchArguments, ReachIntoStructs) {
  KernelSummary summary = kernel("_Z1k6Params");
  summary.arguments = {{Argument::Kind::Struct, 16, "params"}};
  EXPECT_EQ(resolveError("arg0.8", 1, summary), "no error");
  EXPECT_EQ(resolveError("arg0.16", 1, summary),
            "launches.yaml:7: k: arg0.16: the struct has 16 bytes");
  EXPECT_EQ(resolveError("params", 1, summary),
            "launches.yaml:7: k: params: it is a struct; state its integers by "
            "their byte: arg0.0");
}

TEST(LaunchArguments, AreVariablesToo) {
  KernelSummary summary = kernel("_Z1ki");
  summary.arguments = {{Argument::Kind::Integer, 4, "n"}};
  summary.variables = {{Argument::Kind::Integer, 4, "_ZN2ns5countE"},
                       {Argument::Kind::Integer, 4, "n"},
                       {Argument::Kind::Pointer, 8, "rows"},
                       {Argument::Kind::Struct,
                        16,
                        "grid",
                        {{Argument::Kind::Integer, 0, "width"},
                         {Argument::Kind::Pointer, 8, "cells"}}},
                       {Argument::Kind::Struct,
                        8,
                        "table",
                        {{Argument::Kind::Integer, 0, "[0]"},
                         {Argument::Kind::Integer, 4, "[1]"}}}};
  EXPECT_EQ(argumentName(summary, "@_ZN2ns5countE.0"), "ns::count");
  EXPECT_EQ(argumentName(summary, "@grid.0"), "grid.width");
  EXPECT_EQ(argumentName(summary, "@grid.4"), "grid+4");
  EXPECT_EQ(argumentName(summary, "@table.4"), "table[1]");
  EXPECT_EQ(argumentName(summary, "@other.0"), "");
  EXPECT_EQ(argumentName(summary, "@rows"), "");
  for (llvm::StringRef name :
       {"ns::count", "count", "@_ZN2ns5countE.0", "grid.width", "table[1]"})
    EXPECT_EQ(resolveError(name, 1, summary), "no error") << name.str();
  // A parameter hides a variable of its name, which its symbol names.
  auto resolved = resolveArguments(with({{"n", {1}}, {"@n.0", {2}}}), summary);
  ASSERT_TRUE(bool(resolved));
  EXPECT_EQ(resolved->arguments.at("arg0").value, 1);
  EXPECT_EQ(resolved->arguments.at("@n.0").value, 2);
  EXPECT_EQ(
      resolveError("rows", 1, summary),
      "launches.yaml:7: k: rows: it is a pointer, and can be 0, null; its "
      "integer arguments are n (arg0), the variable ns::count, the variable n, "
      "grid.width, "
      "table[0] and table[1]");
  EXPECT_EQ(resolveError("grid", 1, summary),
            "launches.yaml:7: k: grid: it is a struct; state its members; its "
            "integer arguments are n (arg0), the variable ns::count, the "
            "variable n, grid.width, table[0] and table[1]");
}

} // namespace
