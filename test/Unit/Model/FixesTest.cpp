// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each kind of fix against the kernel as it is after the change; and what holds
// for the fixes of every kernel.

#include "auspex/Model/Fixes.h"
#include "auspex/Model/Predict.h"

#include "../Kernel/KernelBuilder.h"
#include "../Kernel/Kernels.h"
#include "Random.h"
#include "llvm/ADT/STLExtras.h"

#include "gtest/gtest.h"

using namespace auspex;
using namespace auspex::test;

namespace {

using enum InstructionClass;

/// A kernel that is put together access by access, with its code.
struct Code : KernelBuilder {
  unsigned body;

  /// In a loop, if it has \p trips.
  explicit Code(llvm::StringRef trips = "")
      : body(block("1", trips.empty() ? -1 : loop(trips))) {
    summary.blocks[body].code.emplace_back();
  }

  MachineCode &code() { return summary.blocks[body].code.front(); }
  InstructionMix &mix() { return code().mix; }
  InstructionMix &path() { return code().path; }

  Access &load(llvm::StringRef offset, unsigned bytes = 4) {
    mix()[LoadGlobal] += 1;
    path()[LoadGlobal] = 1;
    return add(offset, bytes, AccessKind::Load, MemorySpace::Global, "arg2");
  }
  Access &store(llvm::StringRef offset, unsigned bytes = 4) {
    mix()[StoreGlobal] += 1;
    return add(offset, bytes, AccessKind::Store, MemorySpace::Global, "arg3");
  }
  Access &shared(llvm::StringRef offset, AccessKind kind) {
    mix()[kind == AccessKind::Load    ? LoadShared
          : kind == AccessKind::Store ? StoreShared
                                      : AtomicShared] += 1;
    return add(offset, 4, kind, MemorySpace::Shared, "@tile");
  }
  Access &atomic(llvm::StringRef offset, llvm::StringRef operation) {
    Access &access = shared(offset, AccessKind::Atomic);
    access.operation = operation.str();
    access.isReduction = true;
    return access;
  }

private:
  Access &add(llvm::StringRef offset, unsigned bytes, AccessKind kind,
              MemorySpace space, llvm::StringRef base) {
    Access &result = access(body, offset, space);
    result.bytesPerLane = bytes;
    result.kind = kind;
    result.base = base.str();
    // Places differ, so that fixes are told apart.
    result.location = {
        "k.cu", static_cast<unsigned>(summary.accesses.size()), 1, {}};
    return result;
  }
};

LaunchConfig launchOf(Dim3 grid, Dim3 block) {
  LaunchConfig config;
  config.grid = {grid, LaunchOrigin::CommandLine};
  config.block = {block, LaunchOrigin::CommandLine};
  config.dynamicShared = {0, LaunchOrigin::CommandLine};
  return config;
}

Prediction predicted(const Code &code, const LaunchConfig &launch) {
  return llvm::cantFail(predict(code.summary, launch, a100()));
}

const Fix *find(const Prediction &prediction, llvm::StringRef id) {
  auto found = llvm::find_if(prediction.fixes,
                             [&](const Fix &fix) { return fix.id == id; });
  return found == prediction.fixes.end() ? nullptr : &*found;
}

const char *const Linear = "4*ctaid.x*ntid.x + 4*tid.x";

Code transpose(int64_t pitch) {
  Code code;
  std::string rows = std::to_string(pitch);
  for (unsigned i = 0; i < 8; ++i) {
    code.load("4096*ctaid.x + 4*tid.x + 128*tid.y");
    code.shared(rows + "*tid.y + 4*tid.x", AccessKind::Store);
    code.shared(rows + "*tid.x + 4*tid.y", AccessKind::Load);
  }
  code.mix()[Barrier] = code.path()[Barrier] = 1;
  code.summary.staticSharedInBytes = 32 * pitch;
  return code;
}

TEST(Fixes, PaddingIsThePaddedKernel) {
  LaunchConfig launch = launchOf({4096}, {32, 32});
  Prediction plain = predicted(transpose(128), launch);
  const Fix *fix = find(plain, "pad-shared");
  ASSERT_TRUE(fix);
  EXPECT_NE(fix->description.find("tile from 32 to 33 elements of 4 B"),
            std::string::npos)
      << fix->description;
  EXPECT_EQ(fix->timeInUs, predicted(transpose(132), launch).timeInUs);
  EXPECT_FALSE(find(predicted(transpose(132), launch), "pad-shared"));
}

TEST(Fixes, ADiagonalFollowsThePitch) {
  auto make = [](int64_t pitch) {
    Code code("31");
    std::string row = std::to_string(pitch);
    code.shared(std::to_string(pitch + 4) + "*i0", AccessKind::Load);
    for (unsigned i = 0; i < 4; ++i)
      code.shared("4*i0 + " + row + "*tid.x", AccessKind::Load);
    code.summary.staticSharedInBytes = 32 * pitch;
    return code;
  };
  LaunchConfig launch = launchOf({4096}, {32});
  Prediction plain = predicted(make(128), launch);
  const Fix *fix = find(plain, "pad-shared");
  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->timeInUs, predicted(make(132), launch).timeInUs);
}

TEST(Fixes, RowsThatCannotBeToldAreNotPadded) {
  // One access runs past the end of its row.
  Code code = transpose(128);
  code.shared("128*tid.y + 8*tid.x", AccessKind::Load);
  EXPECT_FALSE(find(predicted(code, launchOf({4096}, {32, 32})), "pad-shared"));
}

/// Copies \p bytes a lane, with some work for each of \p elements.
Code copy(unsigned bytes, unsigned elements, llvm::StringRef shift = "0") {
  Code code;
  std::string offset = std::to_string(bytes * elements) +
                       "*(ctaid.x*ntid.x + tid.x) + " + shift.str();
  code.load(offset, bytes * elements);
  code.store(offset, bytes * elements);
  code.mix()[IntAdd] = 4 * elements;
  code.mix()[SpecialRegister] = 2;
  code.path()[IntAdd] = 4;
  return code;
}

TEST(Fixes, VectorsAreTheKernelWithVectors) {
  Prediction plain = predicted(copy(1, 1), launchOf({1 << 16}, {256}));
  const Fix *fix = find(plain, "vector-width");
  ASSERT_TRUE(fix);
  EXPECT_NE(fix->description.find("4 neighbouring elements with accesses of 4"),
            std::string::npos)
      << fix->description;
  EXPECT_EQ(fix->timeInUs,
            predicted(copy(1, 4), launchOf({1 << 14}, {256})).timeInUs);
}

TEST(Fixes, VectorsAreAlignedAndBelongToOneNumber) {
  LaunchConfig launch = launchOf({1 << 16}, {256});
  EXPECT_FALSE(find(predicted(copy(1, 1, "1"), launch), "vector-width"));
  // Blocks that overlap.
  Code code = copy(1, 1);
  code.load("ctaid.x*ntid.x + tid.x - ctaid.x", 1);
  EXPECT_FALSE(find(predicted(code, launch), "vector-width"));
}

TEST(Fixes, CoarserThreadsOverlapTheirWaits) {
  Code code;
  code.load(Linear);
  code.store(Linear);
  code.path()[Fp32] = code.mix()[Fp32] = 10;
  LaunchConfig launch = launchOf({1 << 16}, {64});
  launch.maxBlocksPerSM = {2, LaunchOrigin::CommandLine};
  const Prediction prediction = predicted(code, launch);
  const Fix *fix = find(prediction, "coarsening");
  ASSERT_TRUE(fix);
  EXPECT_LT(fix->timeInUs, 0.5 * *prediction.timeInUs);
  // Threads that work together cannot be put together.
  code.mix()[Barrier] = code.path()[Barrier] = 1;
  EXPECT_FALSE(find(predicted(code, launch), "coarsening"));
}

TEST(Fixes, FewerRegistersMakeRoomForABlock) {
  // A chain of loads that L1 serves.
  Code code;
  code.load("4*tid.x");
  code.path()[LoadGlobal] = code.mix()[LoadGlobal] = 50;
  code.mix()[Shuffle] = 1;
  code.summary.registers = 72;
  LaunchConfig launch = launchOf({1 << 14}, {512});
  const Prediction prediction = predicted(code, launch);
  const Fix *fix = find(prediction, "launch-bounds");
  ASSERT_TRUE(fix);
  EXPECT_NE(fix->description.find("__launch_bounds__(512, 2): 64 registers"),
            std::string::npos)
      << fix->description;
  // The spills cost something.
  launch.registers = {64, LaunchOrigin::CommandLine};
  EXPECT_GT(fix->timeInUs, *predicted(code, launch).timeInUs);
}

TEST(Fixes, ASmallerCarveOutLeavesMoreToL1) {
  // Each block goes through 48 KiB of its own ten times.
  Code code("10");
  code.summary.blocks[code.body].loop = code.loop("48", 0);
  code.load("49152*ctaid.x + 4*tid.x + 1024*i1");
  // Loads that overlap, so that a few warps are enough.
  code.path()[LoadGlobal] = 0.02;
  code.summary.staticSharedInBytes = 16 << 10;
  LaunchConfig launch = launchOf({1 << 12}, {256});
  const Prediction prediction = predicted(code, launch);
  const Fix *fix = find(prediction, "carve-out");
  ASSERT_TRUE(fix);
  unsigned blocks = 0;
  ASSERT_FALSE(llvm::StringRef(fix->description)
                   .split("KiB: ")
                   .second.split(' ')
                   .first.getAsInteger(10, blocks))
      << fix->description;
  launch.maxBlocksPerSM = {blocks, LaunchOrigin::CommandLine};
  EXPECT_EQ(fix->timeInUs, predicted(code, launch).timeInUs);
}

TEST(Fixes, CopiesSpreadAtomics) {
  Code code;
  for (unsigned i = 0; i < 50; ++i)
    code.atomic("4*mod(tid.x, 4)", "add").location = {"k.cu", 7, 1, {}};
  code.summary.staticSharedInBytes = 16;
  const Prediction prediction = predicted(code, launchOf({1 << 14}, {256}));
  const Fix *fix = find(prediction, "private-copies");
  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->location.line, 7u);
  // Eight lanes meet at a word: more than eight copies gain nothing.
  EXPECT_NE(fix->description.find("keep 8 copies of tile"), std::string::npos)
      << fix->description;
}

TEST(Fixes, OneWordIsReducedFirst) {
  LaunchConfig launch = launchOf({1 << 14}, {256});
  auto isReduced = [&](llvm::StringRef operation, MemorySpace space) {
    Code code;
    Access &access = code.atomic("0", operation);
    access.space = space;
    code.summary.staticSharedInBytes = 4;
    return find(predicted(code, launch), "warp-reduction") != nullptr;
  };
  for (MemorySpace space : {MemorySpace::Shared, MemorySpace::Global}) {
    EXPECT_TRUE(isReduced("fadd", space));
    EXPECT_FALSE(isReduced("max", space)) << "the assembler does it";
    EXPECT_FALSE(isReduced("xchg", space));
  }
}

TEST(Fixes, BlocksOfAFewThreadsGrow) {
  const Prediction prediction =
      predicted(copy(4, 1), launchOf({1 << 16}, {32}));
  const Fix *fix = find(prediction, "block-size");
  ASSERT_TRUE(fix);
  ASSERT_TRUE(fix->launch);
  EXPECT_EQ(fix->timeInUs, predicted(copy(4, 1), *fix->launch).timeInUs);
}

/// Threads that stride by the grid through arg0 elements.
Code gridStride() {
  Code code("max(0, floordiv(arg0 - ctaid.x*ntid.x - tid.x + "
            "ntid.x*nctaid.x - 1, ntid.x*nctaid.x))");
  const char *place = "4*ctaid.x*ntid.x + 4*tid.x + 4*i0*ntid.x*nctaid.x";
  code.load(place);
  code.store(place);
  code.mix()[IntAdd] = 2;
  return code;
}

TEST(Fixes, GridsOfStridesFillTheirWaves) {
  for (int64_t blocks : {1, 54, 109, 865, 1800}) {
    LaunchConfig launch = launchOf({blocks}, {256});
    launch.arguments["arg0"] = {1 << 24, LaunchOrigin::CommandLine};
    Prediction plain = predicted(gridStride(), launch);
    const Fix *fix = find(plain, "grid-size");
    ASSERT_TRUE(fix) << blocks;
    EXPECT_FALSE(find(plain, "coarsening")) << blocks;
    ASSERT_TRUE(fix->launch);
    EXPECT_EQ(fix->launch->grid->value.x, 864);
    launch.grid->value = fix->launch->grid->value;
    EXPECT_EQ(fix->timeInUs, predicted(gridStride(), launch).timeInUs);
    launch.grid->value = Dim3{blocks < 1728 ? 864 : 1728};
    EXPECT_LE(fix->timeInUs, predicted(gridStride(), launch).timeInUs);
  }
}

TEST(Fixes, ThreadsDoWhatBlocksOfOneDid) {
  auto copyAt = [](llvm::StringRef offset, llvm::StringRef guard) {
    Code code;
    code.summary.blocks[code.body].guard = {llvm::cantFail(Expr::parse(guard)),
                                            ""};
    code.load(offset, 4);
    code.store(offset, 4);
    code.mix()[IntAdd] = 4;
    return code;
  };
  for (int64_t blocks : {1000, 1 << 20}) {
    Prediction plain =
        predicted(copyAt("4*ctaid.x", "1"), launchOf({blocks}, {1}));
    const Fix *fix = find(plain, "full-warps");
    ASSERT_TRUE(fix) << blocks;
    std::string number = "ctaid.x*ntid.x + tid.x";
    Code wide = copyAt("4*(" + number + ")",
                       "[" + number + " < " + std::to_string(blocks) + "]");
    Prediction expected =
        predicted(wide, launchOf({(blocks + 255) / 256}, {256}));
    EXPECT_EQ(fix->timeInUs, expected.timeInUs) << blocks;
    EXPECT_EQ(fix->launch->grid->value.x, (blocks + 255) / 256);
    // Whoever asks for the size of the block needs no other code.
    EXPECT_FALSE(
        find(predicted(copy(4, 1), launchOf({blocks}, {1})), "full-warps"));
    EXPECT_FALSE(
        find(predicted(copyAt("4*ctaid.x", "1"), launchOf({blocks}, {32})),
             "full-warps"));
  }
}

TEST(Fixes, BlocksThatAccessNothingAreLeftOut) {
  for (int64_t blocks : {40, 44, 45, 4000}) {
    Code code = copy(4, 1);
    code.summary.blocks[code.body].guard = {
        llvm::cantFail(Expr::parse("[ctaid.x*ntid.x + tid.x < 10000]")), ""};
    Prediction plain = predicted(code, launchOf({blocks}, {256}));
    const Fix *fix = find(plain, "idle-blocks");
    ASSERT_EQ(fix != nullptr, blocks == 4000) << blocks;
    if (!fix)
      continue;
    EXPECT_EQ(fix->launch->grid->value.x, 40);
    EXPECT_EQ(fix->timeInUs, predicted(code, launchOf({40}, {256})).timeInUs);
  }
  EXPECT_FALSE(
      find(predicted(copy(4, 1), launchOf({4000}, {256})), "idle-blocks"));
}

TEST(Fixes, ABlockWithItsOwnPlaceKeepsTheGrid) {
  LaunchConfig launch = launchOf({54}, {256});
  launch.arguments["arg0"] = {1 << 24, LaunchOrigin::CommandLine};
  Code code = gridStride();
  code.store("4*ctaid.x");
  EXPECT_FALSE(find(predicted(code, launch), "grid-size"));
}

TEST(Fixes, NothingIsFixedWhereThereIsNoTime) {
  Code code = copy(4, 1);
  EXPECT_FALSE(predicted(code, launchOf({1 << 16}, {32})).fixes.empty());
  code.summary.loops.push_back(
      {"i0", -1, MaybeExpr::unknown("indirect"), false, SourceLocation()});
  code.summary.blocks.front().loop = 0;
  Prediction prediction = predicted(code, launchOf({1 << 16}, {32}));
  ASSERT_FALSE(prediction.timeInUs);
  EXPECT_TRUE(prediction.fixes.empty());
}

//===----------------------------------------------------------------------===//
// All kernels
//===----------------------------------------------------------------------===//

Code randomKernel(Random &random) {
  Code code = random.unit() < 0.3
                  ? Code(std::to_string(static_cast<int>(random.whole(1, 20))))
                  : Code();
  auto pick = [&](std::initializer_list<const char *> texts) {
    return texts.begin()[static_cast<size_t>(random.unit() * texts.size())];
  };
  for (unsigned i = 0; i < random.whole(1, 3); ++i) {
    unsigned bytes = 4 << static_cast<unsigned>(random.unit() * 2);
    code.load(std::to_string(bytes) + "*(ctaid.x*ntid.x + tid.x)", bytes);
  }
  if (random.unit() < 0.3)
    code.load(pick({"128*tid.x + 16384*ctaid.x", "64*ctaid.x", "4*tid.y"}));
  if (random.unit() < 0.5)
    code.store(Linear);
  if (random.unit() < 0.5) {
    code.summary.staticSharedInBytes = random.whole(64, 40000);
    code.shared("128*tid.y + 4*tid.x", AccessKind::Store);
    code.shared(pick({"128*tid.x + 4*tid.y", "8*tid.x", "64*tid.x"}),
                AccessKind::Load);
  }
  if (random.unit() < 0.3)
    code.atomic(pick({"0", "4*mod(tid.x, 8)", "4*floordiv(tid.x, 4)"}),
                pick({"add", "fadd", "cas"}));
  for (InstructionClass id : {Fp32, IntAdd, Sfu, SpecialRegister, Barrier})
    if (random.unit() < 0.5) {
      code.mix()[id] = random.whole(1, 100);
      code.path()[id] = std::floor(code.mix()[id] * random.unit());
    }
  code.summary.registers = random.whole(16, 128);
  return code;
}

TEST(Fixes, AreFewFasterAndWithinTheirBounds) {
  Random random;
  constexpr double Tolerance = 1e-9;
  std::vector<GPU> gpus;
  for (const char *name : {"A100-40GB", "T4", "V100-PCIe", "GTX-980"})
    gpus.push_back(llvm::cantFail(findGPU(name)));
  size_t count = 0;
  for (unsigned i = 0; i < 300; ++i) {
    Code code = randomKernel(random);
    const GPU &gpu = gpus[i % gpus.size()];
    Dim3 block{int64_t(16) << static_cast<unsigned>(random.unit() * 5),
               int64_t(1) << static_cast<unsigned>(random.unit() * 3)};
    LaunchConfig launch =
        launchOf({static_cast<int64_t>(random.whole(1, 20000))}, block);
    if (!computeOccupancy(gpu, blockResources(launch, code.summary))
             .activeBlocksPerSM)
      continue;
    BoundKernel kernel = bind(code.summary, launch, gpu, Scenario::Low);
    MemoryTraffic traffic = computeTraffic(kernel, gpu);
    OperationalInput input = operationalInput(kernel, traffic, gpu);
    double time = evaluateOperational(input, gpu).timeInUs;
    std::vector<Benefit> benefits = operationalBenefits(input, gpu, time);
    for (const Benefit &benefit : benefits) {
      EXPECT_GE(benefit.gainInUs, 0);
      EXPECT_LE(benefit.gainInUs, time);
    }
    auto variants =
        findVariants({kernel, traffic, gpu, input, time, benefits, 1});
    EXPECT_LE(variants.size(), 5u);
    count += variants.size();
    double before = 0;
    for (const Variant &variant : variants) {
      EXPECT_LE(variant.timeInUs, 0.99 * time) << variant.description;
      EXPECT_GE(variant.timeInUs, before);
      before = variant.timeInUs;
      double overhead =
          evaluateOperational(variant.input, gpu).launchOverheadInUs;
      for (const NamedValue &bound : operationalBounds(variant.input, gpu))
        EXPECT_GE(variant.timeInUs * (1 + Tolerance),
                  overhead + *bound.value.getAsNumber())
            << variant.description << ": " << bound.key.str();
      EXPECT_EQ(llvm::count_if(variants,
                               [&](const Variant &other) {
                                 return other.id == variant.id &&
                                        other.location == variant.location;
                               }),
                1);
    }
  }
  // Kernels without fixes would show nothing.
  EXPECT_GT(count, 100u);
}

} // namespace
