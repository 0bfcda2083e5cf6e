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
    32 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 22 registers, used 0 barriers, 48 bytes cumulative stack size, 364 bytes cmem[0]
ptxas info    : Compile time = 1.525 ms
ptxas info    : Function properties for _Z6calleePfi
    16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
)";

KernelSummary kernel(llvm::StringRef name) {
  KernelSummary summary;
  summary.name = name.str();
  summary.registers = 99;
  summary.localInBytes = 7;
  return summary;
}

TEST(AssemblerReport, GivesRegistersToTheirKernels) {
  std::vector<KernelSummary> summaries = {kernel("_Z5callsPfi"),
                                          kernel("_Z5plainPf")};
  readAssemblerReport(Report, summaries);
  EXPECT_EQ(summaries[0].registers, 22u);
  EXPECT_EQ(summaries[1].registers, 8u);
  for (const KernelSummary &summary : summaries)
    EXPECT_EQ(summary.registerOrigin, RegisterOrigin::Assembler);
}

// What a function that is called takes is part of the cumulative size, and no
// kernel's own frame.
TEST(AssemblerReport, GivesLocalMemoryWithThatOfCalledFunctions) {
  std::vector<KernelSummary> summaries = {kernel("_Z5callsPfi"),
                                          kernel("_Z5plainPf")};
  readAssemblerReport(Report, summaries);
  EXPECT_EQ(summaries[0].localInBytes, 48u);
  EXPECT_EQ(summaries[1].localInBytes, 0u);
}

TEST(AssemblerReport, LeavesOtherKernelsAlone) {
  std::vector<KernelSummary> summaries = {kernel("_Z5plainPfS_")};
  readAssemblerReport(Report, summaries);
  EXPECT_EQ(summaries[0].registers, 99u);
  EXPECT_EQ(summaries[0].localInBytes, 7u);
  EXPECT_EQ(summaries[0].registerOrigin, RegisterOrigin::Estimated);
}

TEST(AssemblerReport, TakesNothingFromOtherTexts) {
  std::vector<KernelSummary> summaries = {kernel("_Z5plainPf")};
  readAssemblerReport("ptxas fatal   : Unresolved extern function 'f'\n",
                      summaries);
  readAssemblerReport("", summaries);
  readAssemblerReport("Compiling entry function '", summaries);
  EXPECT_EQ(summaries[0].registers, 99u);
}

} // namespace
