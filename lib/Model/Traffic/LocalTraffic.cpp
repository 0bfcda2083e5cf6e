// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CacheLevel.h"
#include "Caches.h"
#include "StoreMerging.h"

#include <algorithm>

using namespace auspex;

/// The words of a warp's lanes lie side by side, and what threads had that are
/// done is written over. A thread stores all it has before it loads it again,
/// so that L1 and L2 keep it like the waves that follow each other. Stores go
/// on to L2.
ObjectTraffic auspex::localMemoryTraffic(const BoundKernel &kernel,
                                         const GPU &gpu) {
  using enum InstructionClass;
  double bytes = kernel.warps() * LaunchShape::WarpSize * RegisterInBytes;
  double loads = kernel.instructions[LoadLocal] * bytes,
         stores = kernel.instructions[StoreLocal] * bytes;
  double ofBlock = kernel.shape.warpsPerBlock() * LaunchShape::WarpSize *
                   static_cast<double>(kernel.summary->localInBytes);
  auto missRate = [&](double blocks, double capacity) {
    return capacity > 0 ? WavesCurve(blocks * ofBlock / capacity) : 1;
  };
  double blocksOfSM = blocksOnSM(kernel, gpu);
  double resident = std::min(static_cast<double>(kernel.shape.grid.count()),
                             blocksOfSM * gpu[Q::SMCount]);
  double l1 = gpu.find(Q::L1Unified) ? l1InBytes(kernel, gpu) : 0,
         l2 = l2InBytes(gpu);
  ObjectTraffic traffic;
  traffic.name = ObjectTraffic::LocalMemory.str();
  traffic.usefulLoadInBytes = traffic.requestedLoadInBytes = loads;
  traffic.usefulStoreInBytes = traffic.requestedStoreInBytes = stores;
  traffic.l2LoadInBytes = loads * missRate(blocksOfSM, l1);
  ScatteredLocal scattered = scatteredLocal(kernel, AccessKind::Store, gpu);
  traffic.l2StoreInBytes =
      stores + scattered.stored.toL2 * gpu[Q::Sector] -
      scattered.requests * static_cast<double>(LineInBytes);
  traffic.dramLoadInBytes = traffic.l2LoadInBytes * missRate(resident, l2);
  traffic.dramStoreInBytes = stores * missRate(resident, l2);
  return traffic;
}
