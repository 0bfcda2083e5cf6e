// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/HW/Occupancy.h"

#include "OccupancyRules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace auspex;
using namespace auspex::occupancy;

static constexpr unsigned NoLimit = Occupancy::NoLimit;

static unsigned toLimit(uint64_t blocks) {
  return static_cast<unsigned>(std::min<uint64_t>(blocks, NoLimit));
}

unsigned occupancy::acceptedRegistersPerThread(const SMLimits &limits) {
  // The guide says 255; cuda_occupancy.h lets 256 pass from 7.0 on.
  return limits.arch >= 70 ? std::max(limits.registersPerThread, 256u)
                           : limits.registersPerThread;
}

unsigned occupancy::warpsCheckedPerBlock(const SMLimits &limits,
                                         unsigned warps) {
  // 6.0 has two sub-partitions, but a block that does not fit the four of 6.1
  // is refused there too.
  return llvm::alignTo(warps, limits.arch == 60 ? 4 : limits.subPartitions);
}

unsigned occupancy::warpLimit(const SMLimits &limits,
                              const BlockResources &block) {
  if (block.threadsPerBlock > limits.threadsPerBlock || !block.warps())
    return 0;
  return limits.warpsPerSM() / block.warps();
}

uint64_t occupancy::registersOfBlock(const SMLimits &limits,
                                     const BlockResources &block) {
  uint64_t perWarp = uint64_t(block.registersPerThread) * SMLimits::WarpSize;
  if (limits.registersAllocatedPerBlock)
    return llvm::alignTo(llvm::alignTo(block.warps(), 2) * perWarp,
                         limits.registerUnit);
  return llvm::alignTo(perWarp, limits.registerUnit) * block.warps();
}

unsigned occupancy::registerLimit(const SMLimits &limits,
                                  const BlockResources &block) {
  if (block.registersPerThread > acceptedRegistersPerThread(limits))
    return 0;
  uint64_t ofBlock = registersOfBlock(limits, block);
  if (!ofBlock)
    return NoLimit;
  if (limits.registersAllocatedPerBlock)
    return ofBlock > limits.registersPerBlock
               ? 0
               : toLimit(limits.registersPerSM / ofBlock);
  uint64_t perWarp = ofBlock / block.warps();
  if (perWarp * warpsCheckedPerBlock(limits, block.warps()) >
      limits.registersPerBlock)
    return 0;
  // Every sub-partition holds whole warps.
  uint64_t warps = limits.registersPerSM / limits.subPartitions / perWarp *
                   limits.subPartitions;
  return toLimit(warps / block.warps());
}

uint64_t occupancy::sharedOfBlock(const SMLimits &limits,
                                  const BlockResources &block) {
  return llvm::alignTo(block.staticShared + block.dynamicShared +
                           limits.sharedReserved,
                       limits.sharedUnit);
}

uint64_t occupancy::sharedAllowed(const SMLimits &limits,
                                  const BlockResources &block) {
  bool optedIn =
      block.maxDynamicShared &&
      block.staticShared + limits.sharedReserved + *block.maxDynamicShared >
          limits.sharedPerBlock;
  return limits.sharedReserved +
         (optedIn ? limits.sharedPerBlockOptIn : limits.sharedPerBlock);
}

/// The smallest carve-out of at least \p bytes; the largest if none is.
static uint64_t carveoutFor(const SMLimits &limits, uint64_t bytes) {
  for (uint64_t size : limits.carveouts)
    if (size * 1024 >= bytes)
      return size * 1024;
  return limits.sharedPerSM;
}

uint64_t auspex::smallestCarveout(const GPU &gpu, uint64_t bytes) {
  return carveoutFor(smLimits(gpu), bytes);
}

uint64_t occupancy::sharedBudget(const SMLimits &limits,
                                 const BlockResources &block) {
  uint64_t preferred = limits.sharedPerSM;
  if (block.carveout >= 0)
    preferred = carveoutFor(limits, uint64_t(block.carveout) *
                                        limits.sharedPerSM / 100);
  return std::max(preferred, carveoutFor(limits, sharedOfBlock(limits, block)));
}

unsigned occupancy::sharedLimit(const SMLimits &limits,
                                const BlockResources &block) {
  if (block.maxDynamicShared && block.dynamicShared > *block.maxDynamicShared)
    return 0;
  uint64_t ofBlock = sharedOfBlock(limits, block);
  if (ofBlock > sharedAllowed(limits, block))
    return 0;
  if (!ofBlock)
    return NoLimit;
  return toLimit(sharedBudget(limits, block) / ofBlock);
}

unsigned occupancy::barrierLimit(const SMLimits &limits,
                                 const BlockResources &block) {
  if (!limits.barriersPerSM || !block.barriers)
    return NoLimit;
  return limits.barriersPerSM / block.barriers;
}

Occupancy auspex::computeOccupancy(const SMLimits &limits,
                                   const BlockResources &block) {
  Occupancy result;
  result.limitWarps = warpLimit(limits, block);
  result.limitRegisters = registerLimit(limits, block);
  result.limitShared = sharedLimit(limits, block);
  result.limitBlocks = limits.blocksPerSM;
  result.limitBarriers = barrierLimit(limits, block);
  result.allocatedRegistersPerBlock = registersOfBlock(limits, block);
  result.allocatedSharedPerBlock = sharedOfBlock(limits, block);
  result.sharedBudget = sharedBudget(limits, block);

  unsigned blocks = std::min({result.limitWarps, result.limitRegisters,
                              result.limitShared, result.limitBlocks});
  auto mark = [&](unsigned limit, OccupancyLimiter bit) {
    if (limit == blocks)
      result.limiters |= bit;
  };
  mark(result.limitWarps, LimitWarps);
  mark(result.limitRegisters, LimitRegisters);
  mark(result.limitShared, LimitShared);
  mark(result.limitBlocks, LimitBlocks);
  blocks = std::min(blocks, result.limitBarriers);
  mark(result.limitBarriers, LimitBarriers);

  result.activeBlocksPerSM = blocks;
  result.activeWarpsPerSM = blocks * block.warps();
  result.occupancy =
      static_cast<double>(result.activeWarpsPerSM) / limits.warpsPerSM();
  return result;
}

Occupancy auspex::computeOccupancy(const GPU &gpu,
                                   const BlockResources &block) {
  return computeOccupancy(smLimits(gpu), block);
}

unsigned occupancy::registersFor(const SMLimits &limits, BlockResources block,
                                 unsigned blocks, unsigned most) {
  block.registersPerThread = most;
  while (block.registersPerThread > 0 && registerLimit(limits, block) < blocks)
    --block.registersPerThread;
  return block.registersPerThread;
}

unsigned auspex::mostRegisters(const SMLimits &limits, BlockResources block,
                               unsigned blocks) {
  if (std::min(warpLimit(limits, block), limits.blocksPerSM) < blocks)
    return 0;
  return registersFor(limits, block, blocks, limits.registersPerThread);
}

std::vector<llvm::StringRef> Occupancy::limiterNames() const {
  const std::pair<unsigned, llvm::StringRef> limits[] = {
      {limitWarps, "warps"},          {limitRegisters, "registers"},
      {limitShared, "shared memory"}, {limitBlocks, "blocks"},
      {limitBarriers, "barriers"},
  };
  std::vector<llvm::StringRef> names;
  for (const auto &[limit, name] : limits)
    if (limit == activeBlocksPerSM)
      names.push_back(name);
  return names;
}

std::string Occupancy::limiterText() const {
  return llvm::join(limiterNames(), " and ");
}
