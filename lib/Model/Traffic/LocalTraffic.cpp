// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LocalTraffic.h"

#include "CacheLevel.h"
#include "Caches.h"
#include "auspex/Footprint/RequestCounts.h"
#include "auspex/Model/MemoryTraffic.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace auspex;

/// Cycles of L1 for the tags of a request whose lanes each pick one of \p words
/// lines that follow each other.
static double tagCycles(double words, const GPU &gpu) {
  MemoryGranularity sizes = granularityOf(gpu);
  double linesOfWindow =
      static_cast<double>(sizes.WindowInBytes) / sizes.lineInBytes;
  return sizes.tagCycles(
      placesPicked(words, LaunchShape::WarpSize),
      placesPicked(std::ceil(words / linesOfWindow), LaunchShape::WarpSize));
}

ScatteredLocal auspex::scatteredLocal(const BoundKernel &kernel,
                                      AccessKind kind, const GPU &gpu) {
  constexpr double WordsOfSector = 8;
  constexpr double SectorsOfLine = LaunchShape::WarpSize / WordsOfSector;
  ScatteredLocal result;
  // What is not loaded or stored there is in registers.
  double most = kernel.instructions[kind == AccessKind::Load
                                        ? InstructionClass::LoadLocal
                                        : InstructionClass::StoreLocal] *
                kernel.warps();
  if (most <= 0)
    return result;
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses))
    if (access.space == MemorySpace::Local && access.kind == kind &&
        !access.offset.isKnown() && !access.offset.isCalculated())
      result.requests += bound.counts.requests;
  result.requests = std::min(result.requests, most);
  double words = std::max(
      1.0, std::ceil(static_cast<double>(kernel.summary->localInBytes) /
                     RegisterInBytes));
  result.l1Cycles = tagCycles(words, gpu);
  if (kind == AccessKind::Load)
    return result;
  double sectors =
      result.requests * SectorsOfLine * placesPicked(words, WordsOfSector);
  double lines = result.requests * placesPicked(words, LaunchShape::WarpSize);
  bool isInParts = words > 1;
  result.stored = {sectors, isInParts ? sectors + lines : 0};
  return result;
}

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
