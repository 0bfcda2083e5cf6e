// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The single rules of the occupancy calculation: what one block is allocated,
/// and how many blocks each resource allows. Advice tries them one by one.
#ifndef AUSPEX_LIB_HW_OCCUPANCYRULES_H
#define AUSPEX_LIB_HW_OCCUPANCYRULES_H

#include "auspex/HW/Occupancy.h"

namespace auspex::occupancy {

unsigned acceptedRegistersPerThread(const SMLimits &limits);
/// The warps a block's registers have to suffice for: rounded up to the
/// sub-partitions.
unsigned warpsCheckedPerBlock(const SMLimits &limits, unsigned warps);

/// What one block is allocated.
uint64_t registersOfBlock(const SMLimits &limits, const BlockResources &block);
uint64_t sharedOfBlock(const SMLimits &limits, const BlockResources &block);

/// What one block may have at most.
uint64_t sharedAllowed(const SMLimits &limits, const BlockResources &block);
/// What the SM has under the carve-out the launch gets.
uint64_t sharedBudget(const SMLimits &limits, const BlockResources &block);

/// Blocks an SM, by one resource; Occupancy::NoLimit where it does not limit.
unsigned warpLimit(const SMLimits &limits, const BlockResources &block);
unsigned registerLimit(const SMLimits &limits, const BlockResources &block);
unsigned sharedLimit(const SMLimits &limits, const BlockResources &block);
unsigned barrierLimit(const SMLimits &limits, const BlockResources &block);

/// The most registers a thread, up to \p most, with which the registers of an
/// SM are enough for \p blocks blocks; 0 if no number is.
unsigned registersFor(const SMLimits &limits, BlockResources block,
                      unsigned blocks, unsigned most);

} // namespace auspex::occupancy

#endif
