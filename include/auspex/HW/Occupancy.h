// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How many blocks of a kernel reside on one SM, and what keeps it from being
/// more. Compute capability 7.0 and up: the rules of cuda_occupancy.h (CUDA
/// 13.0); below, the rules of the CUDA Occupancy Calculator of its time.
///
/// Occupancy depends on the limits of an SM alone. They come from a GPU's
/// description, or for any architecture, also one without a description, from
/// the table in lib/HW/ArchLimits.cpp.
#ifndef AUSPEX_HW_OCCUPANCY_H
#define AUSPEX_HW_OCCUPANCY_H

#include "auspex/HW/GPU.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace auspex {

/// What an SM has for its blocks. Shared memory in bytes, the carve-outs in
/// KiB, registers of 32 bits.
struct SMLimits {
  unsigned arch = 0;
  unsigned threadsPerBlock = 0, threadsPerSM = 0, blocksPerSM = 0;
  unsigned registersPerSM = 0, registersPerBlock = 0, registersPerThread = 0;
  unsigned registerUnit = 1;
  /// Registers are allocated to a block as a whole (1.x), not to each warp.
  bool registersAllocatedPerBlock = false;
  unsigned subPartitions = 1;
  uint64_t sharedPerSM = 0, sharedPerBlock = 0, sharedPerBlockOptIn = 0;
  uint64_t sharedUnit = 1, sharedReserved = 0;
  /// 0: barriers do not limit.
  unsigned barriersPerSM = 0;
  llvm::SmallVector<unsigned, 10> carveouts;

  static constexpr unsigned WarpSize = 32;
  unsigned warpsPerSM() const { return threadsPerSM / WarpSize; }
};

SMLimits smLimits(const GPU &gpu);
/// The limits of compute capability \p arch (87 for 8.7), or none if the table
/// does not have it.
std::optional<SMLimits> smLimitsOfArch(unsigned arch);
/// Every capability of the table, ascending.
std::vector<unsigned> archsWithLimits();

/// What one block asks for.
struct BlockResources {
  unsigned threadsPerBlock = 0;
  /// Registers a thread; 0 means that they do not limit.
  unsigned registersPerThread = 0;
  uint64_t staticShared = 0;
  uint64_t dynamicShared = 0;
  /// The function opted in to this much dynamic shared memory
  /// (cudaFuncAttributeMaxDynamicSharedMemorySize); unset: the default limit.
  std::optional<uint64_t> maxDynamicShared{};
  /// Preferred carve-out in percent; -1: the driver's default.
  int carveout = -1;
  /// Named barriers of a block; 0: they do not limit.
  unsigned barriers = 1;

  unsigned warps() const {
    return (threadsPerBlock + SMLimits::WarpSize - 1) / SMLimits::WarpSize;
  }
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
  /// Every OccupancyLimiter that equals the minimum. As in cuda_occupancy.h,
  /// barriers are compared last and leave the bits of the others set.
  unsigned limiters = 0;
  /// The blocks each resource would allow; NoLimit where it does not limit.
  static constexpr unsigned NoLimit = INT32_MAX;
  unsigned limitWarps = NoLimit, limitRegisters = NoLimit,
           limitShared = NoLimit, limitBlocks = NoLimit,
           limitBarriers = NoLimit;
  uint64_t allocatedSharedPerBlock = 0;
  uint64_t allocatedRegistersPerBlock = 0;
  /// Shared memory of the SM under the carve-out that the launch gets.
  uint64_t sharedBudget = 0;

  /// What allows no more than the active blocks: "warps", "registers", "shared
  /// memory", "blocks", "barriers".
  std::vector<llvm::StringRef> limiterNames() const;
  /// The names joined with " and ".
  std::string limiterText() const;
};

/// The occupancy of blocks like \p block. Zero blocks is an answer, its
/// limiters say why.
Occupancy computeOccupancy(const SMLimits &limits, const BlockResources &block);
Occupancy computeOccupancy(const GPU &gpu, const BlockResources &block);

/// The most registers a thread of \p block with which its threads and registers
/// let \p blocks blocks reside; 0 if no number does.
unsigned mostRegisters(const SMLimits &limits, BlockResources block,
                       unsigned blocks);

/// The threads of the block that cudaOccupancyMaxPotentialBlockSize gives: of
/// up to \p limit threads (0: as many as a block can have), those with which
/// the most threads reside on an SM, the most of several. What one block asks
/// for besides its threads is in \p block. 0 if no block fits.
unsigned maxPotentialBlockSize(const GPU &gpu, BlockResources block,
                               unsigned limit);

/// The smallest carve-out of at least \p bytes of shared memory, in bytes; all
/// there is if none is as large.
uint64_t smallestCarveout(const GPU &gpu, uint64_t bytes);

/// Why not even one block fits: "a block's 240000 B of shared memory exceed the
/// 232448 B a block can have"; empty if one does.
std::string noBlockReason(const SMLimits &limits, const BlockResources &block);

/// The smallest step towards one more resident block, as text for advice: "4
/// registers a thread fewer (32 instead of 36) allow 6 blocks instead of 5".
/// Names two resources when both hold the block back; smaller blocks where only
/// the threads do and the SM would hold more of them; empty if nothing helps.
std::string nextOccupancyStep(const SMLimits &limits,
                              const BlockResources &block);
std::string nextOccupancyStep(const GPU &gpu, const BlockResources &block);

} // namespace auspex

#endif
