// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The traffic of a launch while it is counted, level by level.
#ifndef AUSPEX_LIB_MODEL_TRAFFIC_TRAFFICCOUNT_H
#define AUSPEX_LIB_MODEL_TRAFFIC_TRAFFICCOUNT_H

#include "WindowFootprints.h"
#include "auspex/Model/MemoryTraffic.h"

namespace auspex {

/// What each level of memory needs of the launch and of the levels before.
struct TrafficCount {
  /// With the requests to each object summed up.
  TrafficCount(const BoundKernel &kernel, const GPU &gpu);

  const BoundKernel &kernel;
  const GPU &gpu;
  /// What L2 and DRAM move at least, in bytes.
  int64_t sector, fetch;
  /// Which blocks have something to do.
  BlockBox active;
  WindowFootprints footprints;
  MemoryTraffic traffic;
  /// Of requestedLoadInBytes, what atomics read; and what L1 is not asked for,
  /// by them and others.
  Bytes atomicsInBytes, pastL1InBytes;
  /// Of objects that data pick from: lines that DRAM reads.
  std::vector<double> linesLoadedInNoOrder;
  /// The share that L2 does not have from an equal launch before.
  double missedAfterLaunch = 1;

  /// Of each object.
  Bytes member(double ObjectTraffic::*field) const;
  /// Nothing of objects that cannot be looked at.
  Bytes ofKnown(Bytes bytes) const;
};

/// What leaves L2.
struct DramVolumes {
  Bytes loads, stores;
};

/// What L1 passes on of the \p requested bytes that loads ask for.
Bytes throughL1(TrafficCount &count, const Bytes &requested);

/// What L2 passes on of \p loads and \p stores.
DramVolumes throughL2(TrafficCount &count, const Bytes &loads,
                      const Bytes &stores);

/// Replaces what passes L1, \p l2Loads, and L2, \p dram, of objects without
/// patterns, whose sectors a run has counted block by block and wave by wave:
/// the windows are a block, a wave and the launch.
void countAsRun(TrafficCount &count, const Bytes &loads, const Bytes &stores,
                Bytes &l2Loads, DramVolumes &dram);

/// Replaces what passes L1 and L2 of objects that data pick from. Of
/// \p knownInBlocks is known what blocks touch.
void passInNoOrder(TrafficCount &count, const std::vector<bool> &knownInBlocks);

/// The bytes that any access to the object may touch. Nobody knows how large an
/// array is: of one that data pick from, each element is expected to be picked
/// once in the mean, as by a permutation; of one whose places are calculated,
/// by each access.
std::optional<double> reachOf(const TrafficCount &count, size_t object);

/// How many lines come to DRAM in no order, for each sector that the requests
/// to an object have, but for those of kind \p other.
double linesInNoOrder(const BoundKernel &kernel, size_t object,
                      AccessKind other, int64_t sector);

/// Sectors that are written in part are read before, unless they are read
/// anyway.
void fillPartialSectors(TrafficCount &count);

/// Lines that are written in part come to DRAM one by one, and so does what is
/// loaded or stored in no order.
void openRows(TrafficCount &count);

/// Of textures the addresses are not known. Threads side by side fetch texels
/// side by side, so that the cache has all but one of each thread; what is
/// written to surfaces all goes to DRAM.
std::vector<ObjectTraffic> textureTraffic(const BoundKernel &kernel);

} // namespace auspex

#endif
