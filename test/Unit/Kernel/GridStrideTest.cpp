// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Kernel/GridStride.h"

#include "KernelBuilder.h"
#include "auspex/Kernel/LaunchValues.h"
#include "gtest/gtest.h"

#include <random>

using namespace auspex;
using namespace auspex::test;

namespace {
/// The places of the first access of a kernel with one loop, by the turns of
/// its blocks: all first turns block by block, then all second ones.
std::vector<int64_t> placesByTurns(const KernelSummary &summary,
                                   const LaunchConfig &launch) {
  const Access &access = summary.accesses[0];
  const Expr &guard = summary.blocks[access.block].guard.expr;
  LaunchValues values = valuesInLaunch(
      summary, launch, LaunchShape{launch.grid->value, launch.block->value});
  std::vector<int64_t> places;
  for (int64_t turn = 0;; ++turn) {
    bool isLast = true;
    for (int64_t block = 0; block < launch.grid->value.x; ++block)
      for (int64_t thread = 0; thread < launch.block->value.x; ++thread) {
        auto value = [&](llvm::StringRef name) -> std::optional<int64_t> {
          return name == "tid.x"     ? thread
                 : name == "ctaid.x" ? block
                 : name == "i0"      ? turn
                                     : values.lookup(name);
        };
        if (*summary.loops[0].tripCount.expr.evaluate(value) <= turn)
          continue;
        isLast = false;
        if (*guard.evaluate(value))
          places.push_back(*access.offset.expr.evaluate(value));
      }
    if (isLast)
      return places;
  }
}

KernelBuilder gridStride(llvm::StringRef element = "ctaid.x*ntid.x + tid.x + "
                                                   "i0*nctaid.x*ntid.x") {
  KernelBuilder kernel;
  int loop = kernel.loop("max(0, floordiv(arg0 - ctaid.x*ntid.x - tid.x - 1, "
                         "nctaid.x*ntid.x)) + 1");
  unsigned body = kernel.block("min([ctaid.x*ntid.x + tid.x < arg0], [mod(" +
                                   element.str() + ", arg1) >= 1])",
                               loop);
  kernel.access(body, "4*mod(" + element.str() + ", arg1) + 1024*floordiv(" +
                          element.str() + ", arg1)");
  return kernel;
}
} // namespace

// Against brute force: the same places in the same order.
TEST(GridStride, IsALargerGrid) {
  std::mt19937 random(7);
  auto from = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int round = 0; round < 60; ++round) {
    KernelBuilder kernel = gridStride();
    LaunchConfig config =
        launch({from(1, 6)}, {from(1, 40)},
               {{"arg0", from(1, 600)}, {"arg1", from(1, 50)}});
    auto flat = withoutGridStride(kernel.summary, config);
    bool hasSecondTurn = config.arguments.at("arg0").value >
                         config.grid->value.x * config.block->value.x;
    ASSERT_EQ(flat.has_value(), hasSecondTurn)
        << config.grid->value.x << " blocks of " << config.block->value.x
        << ", n " << config.arguments.at("arg0").value << ", row "
        << config.arguments.at("arg1").value;
    if (flat)
      EXPECT_EQ(placesByTurns(flat->summary, flat->launch),
                placesByTurns(kernel.summary, config));
  }
}

TEST(GridStride, IsOneOfTilesToo) {
  KernelBuilder kernel;
  int loop = kernel.loop("floordiv(arg0 - ctaid.x - 1, nctaid.x) + 1");
  unsigned body = kernel.block("1", loop);
  kernel.access(body, "128*mod(ctaid.x + i0*nctaid.x, arg1) + 4*tid.x");
  LaunchConfig config = launch({7}, {32}, {{"arg0", 40}, {"arg1", 6}});
  auto flat = withoutGridStride(kernel.summary, config);
  ASSERT_TRUE(flat);
  EXPECT_EQ(flat->launch.grid->value.x, 40);
  EXPECT_EQ(placesByTurns(flat->summary, flat->launch),
            placesByTurns(kernel.summary, config));
}

TEST(GridStride, IsNoneIfTurnsAreToldApart) {
  LaunchConfig config = launch({2}, {32}, {{"arg0", 600}, {"arg1", 6}});
  EXPECT_FALSE(withoutGridStride(
      gridStride("ctaid.x*ntid.x + tid.x + 64*i0*i0").summary, config));
  // Something is loaded before the loop.
  KernelBuilder kernel = gridStride();
  kernel.access(kernel.block("1"), "4*tid.x");
  EXPECT_FALSE(withoutGridStride(kernel.summary, config));
}
