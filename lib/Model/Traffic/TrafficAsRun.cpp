// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CacheLevel.h"
#include "Caches.h"
#include "TrafficCount.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace auspex;

void auspex::countAsRun(TrafficCount &count, const Bytes &loads,
                        const Bytes &stores, Bytes &l2Loads,
                        DramVolumes &dram) {
  const BoundKernel &kernel = count.kernel;
  const GPU &gpu = count.gpu;
  MemoryTraffic &traffic = count.traffic;
  Bytes none(traffic.objects.size(), 0),
      requested = none, loadedInBlocks = none, storedInBlocks = none,
      onSMs = none, inWaves = none, inLaunch = none;
  auto blocks = static_cast<double>(kernel.shape.grid.count());
  double resident = blocksOnSM(kernel, gpu);
  double inBlock = 0, onSM = 0, inAllWaves = 0, inWholeLaunch = 0;
  std::vector<size_t> seen;
  for (auto [i, object] : llvm::enumerate(kernel.objects)) {
    if (!object.touched)
      continue;
    double ofBlock =
        (object.touched->byLoadsInBlocks + object.touched->byStoresInBlocks) /
        blocks;
    inBlock += ofBlock;
    onSM += std::min(resident * ofBlock, object.touched->inLaunch);
    inAllWaves += object.touched->inWaves;
    inWholeLaunch += object.touched->inLaunch;
    if (count.footprints.isKnown(i))
      continue;
    seen.push_back(i);
    requested[i] = std::max(0.0, loads[i] - count.pastL1InBytes[i]);
    loadedInBlocks[i] = object.touched->byLoadsInBlocks;
    storedInBlocks[i] = stores[i];
    inWaves[i] = object.touched->inWaves;
    inLaunch[i] = object.touched->inLaunch;
    onSMs[i] = gpu[Q::SMCount] * inLaunch[i];
  }
  if (seen.empty())
    return;
  double waves = std::ceil(blocks / std::max(1.0, kernel.blocksPerWave));
  double l2 = l2InBytes(gpu);

  CacheLevel l1(requested, &traffic.l1Steps);
  if (cachesLoads(gpu)) {
    double capacity = l1InBytes(kernel, gpu);
    l1.step("a block, as run", loadedInBlocks, onSM / capacity, L1Curve);
    // All that there is an SM loads once, if blocks leave it to each other.
    l1.step("the block before, as run", onSMs, inBlock / capacity, WavesCurve);
  }
  Bytes read = l1.passedOn();
  for (size_t i : seen)
    l2Loads[i] = read[i] += count.pastL1InBytes[i];
  // What waves touch again comes back evenly: of a launch in which all is
  // touched twice, half is between.
  double again = std::reduce(inWaves.begin(), inWaves.end());
  double once = std::reduce(inLaunch.begin(), inLaunch.end());
  double times = once > 0 ? std::max(1.0, again / once) : 1;
  CacheLevel reads(read, &traffic.l2Steps), writes(storedInBlocks, nullptr);
  if (l2 > 0)
    for (CacheLevel *level : {&reads, &writes}) {
      level->step("a wave, as run", inWaves, inAllWaves / waves / l2, L2Curve);
      level->step("the launch, as run", inLaunch, inWholeLaunch / times / l2,
                  L2Curve);
      if (kernel.launch.isL2Warm())
        level->step("the launch before, as run", none,
                    inWholeLaunch / (gpu[Q::L2Size] * 1024),
                    curveBetweenLaunches(gpu));
    }
  Bytes missed = reads.passedOn(), written = writes.passedOn();
  for (size_t i : seen) {
    dram.loads[i] = missed[i];
    dram.stores[i] = written[i];
    count.linesLoadedInNoOrder[i] =
        missed[i] * linesInNoOrder(kernel, i, AccessKind::Store, count.sector) /
        static_cast<double>(count.sector);
  }
}
