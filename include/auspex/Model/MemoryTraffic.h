// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a launch moves between L1 and L2, and between L2 and DRAM
/// (docs/models/operational.md, Volumes).
///
/// Footprints are counted exactly: the distinct sectors of windows of the
/// launch that grow from one warp to a block, to the blocks that are resident
/// together (a wave), and to the waves before. What a larger window has less of
/// than its parts is reuse; it stays in the cache by a hit rate that depends on
/// how much the window touches, against the capacity.
#ifndef AUSPEX_MODEL_MEMORYTRAFFIC_H
#define AUSPEX_MODEL_MEMORYTRAFFIC_H

#include "auspex/Kernel/BoundKernel.h"

namespace auspex {

/// One step of reuse: what moves if nothing is kept, what moves if everything
/// is, and what has to be kept for it.
struct ReuseStep {
  std::string window;
  double beforeInBytes = 0, afterInBytes = 0;
  /// What the window touches, over the capacity.
  double fill = 0;
  double hitRate = 1;
};

/// The traffic of one object in global memory, or of local memory, over the
/// launch.
struct ObjectTraffic {
  static constexpr llvm::StringLiteral LocalMemory = "local memory";

  /// As in Access::base, or LocalMemory; and the name of the argument, if it is
  /// one and has a name.
  std::string name, argument;
  /// Of the lanes themselves.
  double usefulLoadInBytes = 0, usefulStoreInBytes = 0;
  /// Sectors that requests touch, one request at a time.
  double requestedLoadInBytes = 0, requestedStoreInBytes = 0;
  /// The same of loads, but a sector once that several warps of a block ask for
  /// as they run an instruction side by side; 0 where L1 keeps nothing.
  double sideBySideLoadInBytes = 0;
  /// What blocks of threads touch by their loads in each innermost loop (-1:
  /// outside of all), a sector once in a block; empty where L1 keeps nothing or
  /// one loop has all loads.
  llvm::SmallVector<std::pair<int, double>, 0> distinctLoadInBytes = {};
  double l2LoadInBytes = 0, l2StoreInBytes = 0;
  double dramLoadInBytes = 0, dramStoreInBytes = 0;
  /// What DRAM could have moved besides while it opens rows: for places in no
  /// order, and for lines of which stores write sectors in part.
  double dramIdleInBytes = 0;
  /// The addresses are known; otherwise nothing is reused but what must be, by
  /// the object's extent.
  bool isKnown = true;
};

/// What takes time at L2 and at DRAM.
inline constexpr double ObjectTraffic::*VolumesBehindL1[] = {
    &ObjectTraffic::l2LoadInBytes, &ObjectTraffic::l2StoreInBytes,
    &ObjectTraffic::dramLoadInBytes, &ObjectTraffic::dramStoreInBytes,
    &ObjectTraffic::dramIdleInBytes};

struct MemoryTraffic {
  std::vector<ObjectTraffic> objects;
  /// From requests to L2, and from L2 to DRAM, by the steps of the windows; of
  /// known objects.
  std::vector<ReuseStep> l1Steps, l2Steps;
  /// The launch before has left its data in L2, though of some objects nobody
  /// knows how much that is.
  bool isL2TakenWarm = false;

  double sum(double ObjectTraffic::*member) const {
    double total = 0;
    for (const ObjectTraffic &object : objects)
      total += object.*member;
    return total;
  }
};

/// The part of it that spills and private arrays have, all zero without any.
ObjectTraffic localMemoryTraffic(const BoundKernel &kernel, const GPU &gpu);

MemoryTraffic computeTraffic(const BoundKernel &kernel, const GPU &gpu);

} // namespace auspex

#endif
