// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What holds for the volumes of every kernel.

#include "AccessBuilder.h"
#include "Random.h"
#include "auspex/HW/GPU.h"
#include "auspex/Model/MemoryTraffic.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>

using namespace auspex;
using namespace auspex::test;

namespace {

struct RandomLaunch {
  AccessBuilder kernel;
  Dim3 grid, block;
};

/// Copies, stencils, products and atomics with random strides and reach.
RandomLaunch randomLaunch(Random &random) {
  RandomLaunch made;
  auto number = [&](double low, double high) {
    return static_cast<int64_t>(random.whole(low, high));
  };
  made.block = {8 << (number(1, 5) - 1), number(1, 4), 1};
  made.grid = {number(1, 30), number(1, 30), number(1, 3)};
  int64_t row = 4 * number(1, 4000), plane = row * number(1, 100);
  std::string cell = llvm::formatv("{0}*(ntid.x*ctaid.x + tid.x) + "
                                   "{1}*(ntid.y*ctaid.y + tid.y) + {2}*ctaid.z",
                                   4 * number(1, 12), row, plane);
  if (random.unit() < 0.5) {
    made.kernel.inLoop(std::to_string(number(1, 20)));
    cell += llvm::formatv(" + {0}*i0", 4 * number(1, 1000)).str();
  }
  for (int64_t i = number(1, 6); i > 0; --i)
    made.kernel.load(cell + " + " + std::to_string(4 * number(1, 5000)));
  if (random.unit() < 0.5)
    made.kernel.load(llvm::formatv("4*tid.x + {0}*ctaid.y", row).str());
  if (random.unit() < 0.3)
    made.kernel.atomic("4*mod(tid.x, 7)", 4,
                       random.unit() < 0.5 ? "arg2" : "arg3");
  made.kernel.store(cell, 4, random.unit() < 0.5 ? "arg2" : "arg3");
  return made;
}

std::string text(const RandomLaunch &made) {
  std::string text =
      llvm::formatv("{0}x{1}x{2} blocks of {3}x{4}", made.grid.x, made.grid.y,
                    made.grid.z, made.block.x, made.block.y);
  for (const Access &access : made.kernel.summary.accesses)
    text += "\n" + toString(access.kind).str() + " " + access.base + ": " +
            access.offset.expr.str();
  return text;
}

/// Calls \p check(launch, gpu, traffic) with random launches.
template <typename Check> void onRandomLaunches(unsigned count, Check check) {
  Random random;
  for (unsigned i = 0; i < count; ++i) {
    RandomLaunch made = randomLaunch(random);
    for (const char *name : {"A100-40GB", "V100-PCIe", "T4", "K40"}) {
      SCOPED_TRACE(name + (" " + text(made)));
      GPU on = gpu(name);
      check(made, on, trafficOf(made.kernel, made.grid, made.block, on));
      if (testing::Test::HasFailure())
        return;
    }
  }
}

constexpr double Tolerance = 1 + 1e-9;

TEST(MemoryTrafficProperty, NoLevelMovesMoreThanTheOneBefore) {
  onRandomLaunches(100, [](const RandomLaunch &, const GPU &on,
                           const MemoryTraffic &traffic) {
    double fetch = on.valueOr(Q::DramFetch, on[Q::Sector]) / on[Q::Sector];
    for (const ObjectTraffic &object : traffic.objects) {
      EXPECT_LE(object.l2LoadInBytes, object.requestedLoadInBytes * Tolerance);
      EXPECT_EQ(object.l2StoreInBytes, object.requestedStoreInBytes);
      // Or what was written in part.
      EXPECT_LE(object.dramLoadInBytes, std::max(object.l2LoadInBytes * fetch,
                                                 object.dramStoreInBytes) *
                                            Tolerance);
      EXPECT_LE(object.dramStoreInBytes, object.l2StoreInBytes * Tolerance);
    }
  });
}

/// The bytes that loads and atomics, or stores and atomics, touch in the
/// launch, in units of \p unit, thread by thread.
double distinctBytes(const RandomLaunch &made, llvm::StringRef base,
                     AccessKind without, int64_t unit) {
  std::set<int64_t> units;
  llvm::StringMap<int64_t> values{{"ntid.x", made.block.x},
                                  {"ntid.y", made.block.y}};
  auto value = [&](llvm::StringRef name) -> std::optional<int64_t> {
    return values.lookup(name);
  };
  int64_t trips = 1;
  if (!made.kernel.summary.loops.empty())
    trips = *made.kernel.summary.loops[0].tripCount.expr.constant();
  for (const Access &access : made.kernel.summary.accesses) {
    if (access.kind == without || access.base != base)
      continue;
    for (int64_t i = 0; i < made.grid.count(); ++i)
      for (int64_t thread = 0; thread < made.block.count(); ++thread)
        for (int64_t trip = 0; trip < trips; ++trip) {
          values["ctaid.x"] = i % made.grid.x;
          values["ctaid.y"] = i / made.grid.x % made.grid.y;
          values["ctaid.z"] = i / made.grid.x / made.grid.y;
          values["tid.x"] = thread % made.block.x;
          values["tid.y"] = thread / made.block.x;
          values["i0"] = trip;
          int64_t first = *access.offset.expr.evaluate(value);
          units.insert(first / unit);
          units.insert((first + access.bytesPerLane - 1) / unit);
        }
  }
  return static_cast<double>(units.size() * unit);
}

TEST(MemoryTrafficProperty, AWaveMovesEveryByteOfItsOnce) {
  Random random;
  GPU on = gpu("A100-40GB");
  for (int i = 0; i < 40; ++i) {
    RandomLaunch made = randomLaunch(random);
    made.grid = {std::min<int64_t>(made.grid.x, 5),
                 std::min<int64_t>(made.grid.y, 3), made.grid.z};
    MemoryTraffic traffic = trafficOf(made.kernel, made.grid, made.block, on);
    SCOPED_TRACE(text(made));
    for (const ObjectTraffic &object : traffic.objects) {
      auto fetched = distinctBytes(made, object.name, AccessKind::Store, 64);
      auto loaded = distinctBytes(made, object.name, AccessKind::Store, 32);
      auto stored = distinctBytes(made, object.name, AccessKind::Load, 32);
      EXPECT_GE(object.l2LoadInBytes * Tolerance, loaded);
      EXPECT_GE(object.dramLoadInBytes * Tolerance, fetched);
      EXPECT_GE(object.dramStoreInBytes * Tolerance, stored);
    }
  }
}

TEST(MemoryTrafficProperty, ALargerL2NeverMovesMore) {
  onRandomLaunches(40, [](const RandomLaunch &made, const GPU &on,
                          const MemoryTraffic &) {
    double leastLoads = std::numeric_limits<double>::infinity();
    double leastStores = leastLoads;
    for (double sizeInKiB : {16, 128, 1024, 8192, 65536}) {
      GPU larger = on;
      larger.set(Q::L2Size, {sizeInKiB, SourceKind::Assumed, "the test"});
      larger.set(Q::L2Effective, {sizeInKiB, SourceKind::Assumed, "the test"});
      MemoryTraffic traffic =
          trafficOf(made.kernel, made.grid, made.block, larger);
      double loads = traffic.sum(&ObjectTraffic::dramLoadInBytes);
      double stores = traffic.sum(&ObjectTraffic::dramStoreInBytes);
      EXPECT_LE(loads, leastLoads * Tolerance) << sizeInKiB;
      EXPECT_LE(stores, leastStores * Tolerance) << sizeInKiB;
      leastLoads = loads;
      leastStores = stores;
    }
  });
}

void expectSteps(llvm::ArrayRef<ReuseStep> steps) {
  for (const ReuseStep &step : steps) {
    EXPECT_GE(step.beforeInBytes, step.afterInBytes) << step.window;
    EXPECT_GE(step.afterInBytes, 0) << step.window;
    EXPECT_GE(step.hitRate, 0) << step.window;
    EXPECT_LE(step.hitRate, 1) << step.window;
  }
  for (size_t i = 1; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].beforeInBytes, steps[i - 1].afterInBytes);
    if (steps[i].window.find("before") == std::string::npos) {
      EXPECT_GE(steps[i].fill * Tolerance, steps[i - 1].fill)
          << steps[i - 1].window << " and " << steps[i].window;
    }
  }
}

TEST(MemoryTrafficProperty, StepsGoDownAndFillUp) {
  onRandomLaunches(
      100, [](const RandomLaunch &, const GPU &, const MemoryTraffic &traffic) {
        expectSteps(traffic.l1Steps);
        expectSteps(traffic.l2Steps);
      });
}

} // namespace
