// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a prediction says of what the launch or the code leaves open.

#include "auspex/Model/Predict.h"
#include "auspex/Model/SeedInputs.h"

#include "../Kernel/KernelBuilder.h"
#include "../Kernel/Kernels.h"
#include "llvm/ADT/STLExtras.h"

#include "gtest/gtest.h"

using namespace auspex;
using namespace auspex::test;

namespace {

Prediction predictOn(const KernelBuilder &kernel, const LaunchConfig &config) {
  return llvm::cantFail(predict(kernel.summary, config, a100()));
}

bool mentions(llvm::ArrayRef<std::string> sentences, llvm::StringRef text) {
  return llvm::any_of(sentences, [&](llvm::StringRef sentence) {
    return sentence.contains(text);
  });
}

bool assumesDynamicShared(const KernelBuilder &kernel,
                          const LaunchConfig &config) {
  return mentions(predictOn(kernel, config).assumptions,
                  "dynamic shared memory is not known: 0 B assumed");
}

TEST(Predict, SaysThatDynamicSharedMemoryIsAssumed) {
  KernelBuilder kernel;
  kernel.code(kernel.block("1"), 1, 3);
  kernel.summary.usesDynamicShared = true;
  LaunchConfig config = launch({1000}, {128});
  EXPECT_TRUE(assumesDynamicShared(kernel, config));
  config.dynamicShared = {0, LaunchOrigin::Source};
  EXPECT_FALSE(assumesDynamicShared(kernel, config));
}

// A source that states a size states one of shared memory too, if only 0; a
// command line that does not speak of it means none.
TEST(Predict, DynamicSharedMemoryThatNobodyUsesIsOpenInTheSourceAlone) {
  KernelBuilder kernel;
  kernel.code(kernel.block("1"), 1, 3);
  LaunchConfig config = launch({1000}, {128});
  EXPECT_FALSE(assumesDynamicShared(kernel, config));
  config.block->origin = LaunchOrigin::Source;
  EXPECT_TRUE(assumesDynamicShared(kernel, config));
}

TEST(Predict, SmallGridsFillNoSM) {
  KernelBuilder kernel;
  unsigned entry = kernel.block("1");
  kernel.code(entry, 1, 3);
  kernel.access(entry, "4*tid.x");
  auto residentOf = [&](Dim3 grid) {
    BoundKernel bound =
        bind(kernel.summary,
             completeLaunch(launch(grid, {32}), kernel.summary, a100()), a100(),
             Scenario::Low);
    return llvm::cantFail(mwpCwpInput(bound, a100())).activeBlocksPerSM;
  };
  EXPECT_EQ(residentOf({1}), 1u);
  EXPECT_EQ(residentOf({2 * 108}), 2u);
  EXPECT_EQ(residentOf({1 << 20}), 32u);
}

TEST(Predict, NamesALoopWithoutEndBehindAnOpenBranch) {
  KernelBuilder kernel;
  kernel.code(kernel.block("1"), 1, 3);
  int loop = kernel.loop("1");
  kernel.summary.loops[loop].tripCount = MaybeExpr::unknown("indirect");
  kernel.summary.dataSymbols.push_back({"data0", "indirect", false, {}, {}});
  kernel.code(kernel.block("[data0 != 0]", loop), 1, 3);
  Prediction prediction = predictOn(kernel, launch({1000}, {128}));
  EXPECT_FALSE(prediction.timeInUs || prediction.timeRangeInUs);
  EXPECT_TRUE(mentions(prediction.unknowns, "whether a branch is taken"));
  EXPECT_TRUE(mentions(prediction.unknowns,
                       "the trip count of the loop is unknown (indirect)"));
  EXPECT_EQ(
      llvm::count_if(prediction.findings,
                     [](const Finding &f) { return f.id == "UnknownLoop"; }),
      1);
}

/// The end of the range where one access is in \p space, at an unknown address.
double upperEnd(MemorySpace space) {
  KernelBuilder kernel;
  unsigned block = kernel.block("1");
  kernel.code(block, 1, 3);
  Access &access = kernel.access(block, "0", space);
  access.base = "";
  access.offset = MaybeExpr::unknown("pointer");
  return predictOn(kernel, launch({100000}, {128})).timeRangeInUs->second;
}

TEST(Predict, AnAccessOfUnknownSpaceMayBeGlobal) {
  EXPECT_GE(upperEnd(MemorySpace::Unknown), upperEnd(MemorySpace::Global));
}

// Its address is known; what is open is the memory.
TEST(Predict, AnUnknownSpaceIsOpenByItself) {
  KernelBuilder kernel;
  unsigned block = kernel.block("1");
  kernel.code(block, 1, 3);
  kernel.access(block, "4*tid.x", MemorySpace::Unknown);
  Prediction prediction = predictOn(kernel, launch({1000}, {128}));
  EXPECT_TRUE(prediction.timeRangeInUs);
  EXPECT_TRUE(mentions(prediction.unknowns,
                       "the memory space of the load is not known"));
}

} // namespace
