// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Analysis/Assembler.h"

#include "gtest/gtest.h"

using namespace auspex;

namespace {

/// What ptxas 13.0 printed with -v about two kernels, of which one calls a
/// function that is not inlined.
constexpr llvm::StringLiteral Report = R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z5plainPf' for 'sm_80'
ptxas info    : Function properties for _Z5plainPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers, 360 bytes cmem[0]
ptxas info    : Compile time = 1.539 ms
ptxas info    : Compiling entry function '_Z5callsPfi' for 'sm_80'
ptxas info    : Function properties for _Z5callsPfi
    32 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 22 registers, used 0 barriers, 48 bytes cumulative stack size, 364 bytes cmem[0]
ptxas info    : Compile time = 1.525 ms
ptxas info    : Function properties for _Z6calleePfi
    16 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
)";

TEST(AssemblerReport, GivesRegistersToTheirKernels) {
  AssemblerReport kernels = readAssemblerReport(Report);
  EXPECT_EQ(kernels["_Z5callsPfi"].registers, 22u);
  EXPECT_EQ(kernels["_Z5plainPf"].registers, 8u);
}

// What a function that is called takes is part of the cumulative size, and no
// kernel's own frame.
TEST(AssemblerReport, GivesLocalMemoryWithThatOfCalledFunctions) {
  AssemblerReport kernels = readAssemblerReport(Report);
  EXPECT_EQ(kernels["_Z5callsPfi"].localInBytes, 48u);
  EXPECT_EQ(kernels["_Z5plainPf"].localInBytes, 0u);
}

TEST(AssemblerReport, GivesSpillsToTheirKernels) {
  AssemblerReport kernels = readAssemblerReport(Report);
  EXPECT_EQ(kernels["_Z5callsPfi"].spillStoresInBytes, 12u);
  EXPECT_EQ(kernels["_Z5callsPfi"].spillLoadsInBytes, 16u);
  EXPECT_EQ(kernels["_Z5plainPf"].spillLoadsInBytes, 0u);
}

TEST(AssemblerReport, HoldsKernelsAlone) {
  AssemblerReport kernels = readAssemblerReport(Report);
  EXPECT_EQ(kernels.size(), 2u);
  EXPECT_FALSE(kernels.contains("_Z6calleePfi"));
}

TEST(AssemblerReport, TakesNothingFromOtherTexts) {
  EXPECT_TRUE(
      readAssemblerReport("ptxas fatal   : Unresolved extern function 'f'\n")
          .empty());
  EXPECT_TRUE(readAssemblerReport("").empty());
  EXPECT_TRUE(readAssemblerReport("Compiling entry function '").empty());
}

} // namespace
