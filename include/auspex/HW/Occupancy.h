// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How many blocks of a kernel reside on one SM, and what keeps it from being
/// more. Compute capability 7.0 and up: the rules of cuda_occupancy.h (CUDA
/// 13.0); below, the rules of the CUDA Occupancy Calculator of its time.
#ifndef AUSPEX_HW_OCCUPANCY_H
#define AUSPEX_HW_OCCUPANCY_H

#include "auspex/HW/GPU.h"

#include <cstdint>

namespace auspex {

/// What one block asks for.
struct BlockResources {
  unsigned threadsPerBlock = 0;
  /// Registers a thread; 0 means that they do not limit.
  unsigned registersPerThread = 0;
  uint64_t staticShared = 0;
  uint64_t dynamicShared = 0;
  /// The function opted in to this much dynamic shared memory
  /// (cudaFuncAttributeMaxDynamicSharedMemorySize); unset: the default limit.
  std::optional<uint64_t> maxDynamicShared;
  /// Preferred carve-out in percent; -1: the driver's default.
  int carveout = -1;
  /// Named barriers of a block; 0: they do not limit.
  unsigned barriers = 1;
};

/// Bits of Occupancy::limiters.
enum OccupancyLimiter : unsigned {
  LimitWarps = 1,
  LimitRegisters = 2,
  LimitShared = 4,
  LimitBlocks = 8,
  LimitBarriers = 16,
};

struct Occupancy {
  unsigned activeBlocksPerSM = 0;
  unsigned activeWarpsPerSM = 0;
  /// Share of the warps an SM can hold.
  double occupancy = 0;
  /// Every OccupancyLimiter that equals the minimum.
  unsigned limiters = 0;
  /// The blocks each resource would allow; NoLimit where it does not limit.
  static constexpr unsigned NoLimit = INT32_MAX;
  unsigned limitWarps = NoLimit, limitRegisters = NoLimit,
           limitShared = NoLimit, limitBlocks = NoLimit,
           limitBarriers = NoLimit;
  uint64_t allocatedSharedPerBlock = 0;
  uint64_t allocatedRegistersPerBlock = 0;

  /// "registers", "shared memory", ... : the limiters joined with " and ".
  std::string limiterText() const;
};

/// The occupancy of blocks like \p block on \p gpu. Zero blocks is an answer,
/// its limiters say why.
Occupancy computeOccupancy(const GPU &gpu, const BlockResources &block);

/// The largest launch-independent step towards one more resident block, as text
/// for advice: "4 registers fewer a thread allow 6 blocks instead of 5"; empty
/// if no single resource gains a block.
std::string nextOccupancyStep(const GPU &gpu, const BlockResources &block);

} // namespace auspex

#endif
