// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a launch did when it ran in the emulator: exact counts for the same
/// blocks and accesses that a kernel summary has, so that a run binds to the
/// summary as a static launch does.
///
/// All counts are sums over the launch and do not depend on the number of
/// threads that emulated it.
#ifndef AUSPEX_KERNEL_DYNAMICPROFILE_H
#define AUSPEX_KERNEL_DYNAMICPROFILE_H

#include "auspex/Footprint/LaunchShape.h"
#include "auspex/Footprint/RequestCounts.h"

#include <array>
#include <string>

namespace auspex {

/// A basic block of the kernel.
struct BlockProfile {
  uint64_t warpExecutions = 0, laneExecutions = 0;
  /// Warp executions by active lanes: 1-4, 5-8, ..., 29-32 (AerialVision's
  /// breakdown of divergence).
  std::array<uint64_t, 8> byActiveLanes{};
  /// Executions of the block's terminator after which lanes of a warp went
  /// different ways.
  uint64_t divergent = 0;
  /// For the header of a loop: warp executions at which lanes came from outside
  /// of the loop.
  uint64_t loopEntries = 0;

  bool operator==(const BlockProfile &) const = default;
};

/// An access of the kernel.
struct AccessProfile {
  /// As countRequests counts them for addresses it knows.
  RequestCounts counts;
  /// Sectors of 32 bytes of global memory, summed over blocks of threads, that
  /// this access was the first in its block to touch. The sum over the accesses
  /// to an object is what its blocks touch.
  uint64_t newSectorsInBlock = 0;
  /// For atomics: warp executions by the number of lanes on the address that
  /// most lanes share, 0 to 32.
  std::array<uint64_t, 33> byMultiplicity{};
  /// The lowest byte touched and the one past the highest, from the start of
  /// the allocation (the array, in shared memory) it fell into; none if it fell
  /// into several.
  std::optional<Interval> extent;

  /// Adds all but the extent.
  void addCounts(const AccessProfile &other);
  bool operator==(const AccessProfile &) const = default;
};

/// What the launch did to one allocation of global memory.
struct ObjectProfile {
  /// "arg0" if the allocation's address was passed as an argument (or a pointer
  /// into it), "arg2.8" for a pointer in a struct, "@name" for a device
  /// variable, "" for memory reached otherwise.
  std::string name;
  uint64_t sizeInBytes = 0;
  /// Distinct sectors touched: summed over waves of co-resident blocks, and in
  /// the whole launch.
  uint64_t sectorsInWaves = 0, sectorsInLaunch = 0;

  bool operator==(const ObjectProfile &) const = default;
};

/// An access of a function that the kernel calls and that is not part of its
/// code, nor of its summary.
struct CalleeAccess {
  /// Mangled.
  std::string function;
  std::string file;
  uint64_t line = 0, column = 0;
  /// "load", "store" or "atomic"; "global", "shared" or "local".
  std::string kind, space;
  AccessProfile profile;

  bool isSame(const CalleeAccess &other) const {
    return function == other.function && file == other.file &&
           line == other.line && column == other.column && kind == other.kind &&
           space == other.space;
  }
  bool operator==(const CalleeAccess &) const = default;
};

struct DynamicProfile {
  /// Mangled.
  std::string kernel;
  LaunchShape shape;
  /// Blocks that were taken to be resident together, for waves.
  uint64_t blocksPerWave = 0;
  /// Of this kernel, in the order of the summary's blocks and accesses.
  std::vector<BlockProfile> blocks;
  std::vector<AccessProfile> accesses;
  std::vector<ObjectProfile> objects;
  /// Those that ran.
  std::vector<CalleeAccess> calleeAccesses;
  /// Instructions of the IR: executed by warps, and by lanes.
  uint64_t warpInstructions = 0, threadInstructions = 0;
  /// The same, of functions that are called and not inlined.
  uint64_t calleeWarpInstructions = 0, calleeThreadInstructions = 0;
  /// Of warpInstructions, those of the warp that has most.
  uint64_t mostInstructionsOfWarp = 0;
  /// Blocks of threads that had not come to their end when the launch was
  /// stopped; all counts are those until then.
  uint64_t unfinishedBlocks = 0;
  /// Blocks whose addresses were looked at; the counts of the accesses stand
  /// for all blocks all the same.
  uint64_t sampledBlocks = 0;
  /// Half the width of a 95 % interval, as a share of the sum: the largest of
  /// those of sectors, bank passes, lanes on one address and new sectors in
  /// blocks, summed over all accesses. 0 if all blocks were looked at. Sectors
  /// of objects in waves and in the launch have no such interval: where blocks
  /// are sampled they are the most that they can be.
  double samplingError = 0;

  bool operator==(const DynamicProfile &) const = default;
};

} // namespace auspex

#endif
