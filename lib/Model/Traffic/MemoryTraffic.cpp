// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/MemoryTraffic.h"

#include "Caches.h"
#include "StoreMerging.h"
#include "TrafficCount.h"
#include "TrafficWindows.h"
#include "auspex/Kernel/GridStride.h"
#include "auspex/Kernel/KernelNames.h"
#include "llvm/ADT/STLExtras.h"

using namespace auspex;

TrafficCount::TrafficCount(const BoundKernel &kernel, const GPU &gpu)
    : kernel(kernel), gpu(gpu), sector(static_cast<int64_t>(gpu[Q::Sector])),
      fetch(static_cast<int64_t>(gpu.valueOr(Q::DramFetch, gpu[Q::Sector]))),
      active(activeBlocks(kernel)), footprints(kernel, sector) {
  atomicsInBytes.assign(kernel.objects.size(), 0);
  pastL1InBytes = linesLoadedInNoOrder = atomicsInBytes;
  for (const BoundObject &object : kernel.objects) {
    traffic.objects.emplace_back();
    traffic.objects.back().name = object.name;
    traffic.objects.back().argument =
        argumentName(*kernel.summary, object.name);
    traffic.objects.back().requestedLoadInBytes = object.loadedInBytes;
    traffic.objects.back().requestedStoreInBytes = object.storedInBytes;
  }
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses)) {
    if (bound.object < 0)
      continue;
    ObjectTraffic &object = traffic.objects[bound.object];
    double inSectors = bound.counts.sectors * static_cast<double>(sector);
    if (access.kind == AccessKind::Atomic)
      atomicsInBytes[bound.object] += inSectors;
    if (access.kind != AccessKind::Store && !access.goesThroughL1())
      pastL1InBytes[bound.object] += inSectors;
    double bytes = bound.counts.lanes * access.bytesPerLane;
    if (access.kind != AccessKind::Store)
      object.usefulLoadInBytes += bytes;
    if (access.kind != AccessKind::Load)
      object.usefulStoreInBytes += bytes;
  }
}

Bytes TrafficCount::member(double ObjectTraffic::*field) const {
  Bytes bytes;
  for (const ObjectTraffic &object : traffic.objects)
    bytes.push_back(object.*field);
  return bytes;
}

Bytes TrafficCount::ofKnown(Bytes bytes) const {
  for (size_t i = 0; i < bytes.size(); ++i)
    if (!footprints.isKnown(i))
      bytes[i] = 0;
  return bytes;
}

/// What L1 spares L2 of the stores of each object.
static Bytes storesMerged(const BoundKernel &kernel, int64_t sector) {
  Bytes merged(kernel.objects.size(), 0);
  std::vector<StoredSectors> stored =
      storedSectors(kernel, static_cast<double>(sector));
  for (auto [access, bound, toL2] :
       llvm::zip(kernel.summary->accesses, kernel.accesses, stored))
    if (bound.object >= 0 && access.kind == AccessKind::Store)
      merged[bound.object] +=
          (bound.counts.sectors - toL2.toL2) * static_cast<double>(sector);
  return merged;
}

/// The objects that accesses name, from the requests to DRAM.
static void countObjects(TrafficCount &count) {
  const BoundKernel &kernel = count.kernel;
  Bytes loads = count.member(&ObjectTraffic::requestedLoadInBytes);
  Bytes stores = count.member(&ObjectTraffic::requestedStoreInBytes);
  Bytes l2Loads = cachesLoads(count.gpu) ? throughL1(count, loads) : loads;
  const std::vector<bool> knownInBlocks = count.footprints.knownObjects();
  count.footprints.forgetPicked();
  DramVolumes dram = throughL2(count, l2Loads, stores);
  countAsRun(count, loads, stores, l2Loads, dram);
  Bytes mergedInBytes = storesMerged(kernel, count.sector);
  for (auto [i, object] : llvm::enumerate(count.traffic.objects)) {
    object.isKnown = count.footprints.isKnown(i) || kernel.objects[i].touched;
    object.l2LoadInBytes = l2Loads[i];
    object.l2StoreInBytes = stores[i] - mergedInBytes[i];
    object.dramLoadInBytes = dram.loads[i];
    object.dramStoreInBytes = dram.stores[i];
  }
  passInNoOrder(count, knownInBlocks);
  fillPartialSectors(count);
}

MemoryTraffic auspex::computeTraffic(const BoundKernel &kernel,
                                     const GPU &gpu) {
  if (!kernel.isFromRun)
    if (auto flat = withoutGridStride(*kernel.summary, kernel.launch))
      return computeTraffic(
          bind(flat->summary, flat->launch, gpu, kernel.scenario), gpu);
  TrafficCount count(kernel, gpu);
  countObjects(count);
  std::vector<ObjectTraffic> &objects = count.traffic.objects;
  llvm::append_range(objects, textureTraffic(kernel));
  if (ObjectTraffic local = localMemoryTraffic(kernel, gpu);
      local.requestedLoadInBytes + local.requestedStoreInBytes > 0)
    objects.push_back(std::move(local));
  openRows(count);
  return std::move(count.traffic);
}
