// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Our occupancy against cuda_occupancy.h of the toolkit that is installed, on
// random blocks. A newer toolkit that answers differently fails here first.
#include "auspex/HW/Occupancy.h"

#include "gtest/gtest.h"

#include <climits>
#include <cstring>
#include <random>

#include <cuda_occupancy.h>

using namespace auspex;

namespace {

cudaOccDeviceProp deviceOf(const SMLimits &limits) {
  cudaOccDeviceProp device;
  device.computeMajor = limits.arch / 10;
  device.computeMinor = limits.arch % 10;
  device.maxThreadsPerBlock = limits.threadsPerBlock;
  device.maxThreadsPerMultiprocessor = limits.threadsPerSM;
  device.regsPerBlock = limits.registersPerBlock;
  device.regsPerMultiprocessor = limits.registersPerSM;
  device.warpSize = SMLimits::WarpSize;
  device.sharedMemPerBlock = limits.sharedPerBlock;
  device.sharedMemPerMultiprocessor = limits.sharedPerSM;
  device.sharedMemPerBlockOptin = limits.sharedPerBlockOptIn;
  device.reservedSharedMemPerBlock = limits.sharedReserved;
  device.numSms = 1;
  return device;
}

cudaOccFuncAttributes functionOf(const BlockResources &block) {
  cudaOccFuncAttributes function;
  function.maxThreadsPerBlock = INT_MAX;
  function.numRegs = block.registersPerThread;
  function.sharedSizeBytes = block.staticShared;
  function.partitionedGCConfig = PARTITIONED_GC_OFF;
  function.shmemLimitConfig = block.maxDynamicShared ? FUNC_SHMEM_LIMIT_OPTIN
                                                     : FUNC_SHMEM_LIMIT_DEFAULT;
  function.maxDynamicSharedSizeBytes = block.maxDynamicShared.value_or(0);
  function.numBlockBarriers = block.barriers;
  return function;
}

class RandomBlocks {
public:
  BlockResources next(const SMLimits &limits) {
    BlockResources block;
    block.threadsPerBlock = between(1, 1030);
    block.registersPerThread = between(0, 260);
    block.staticShared = between(0, 3) ? between(0, 60000) : 0;
    block.dynamicShared = between(0, between(0, 1) ? 240000 : 3000);
    if (unsigned mode = between(0, 2))
      block.maxDynamicShared =
          mode == 1 ? block.dynamicShared : between(0, 240000);
    if (limits.arch >= 70 && between(0, 1))
      block.carveout = between(0, 100);
    block.barriers = between(0, 4) ? 1 : between(0, 70);
    return block;
  }

private:
  std::mt19937 random{1};
  unsigned between(unsigned low, unsigned high) {
    return low + random() % (high - low + 1);
  }
};

class AgainstHeader : public testing::TestWithParam<unsigned> {};

TEST_P(AgainstHeader, AnswersTheSame) {
  SMLimits limits = *smLimitsOfArch(GetParam());
  cudaOccDeviceProp device = deviceOf(limits);
  RandomBlocks blocks;
  for (int i = 0; i < 20000; ++i) {
    BlockResources block = blocks.next(limits);
    cudaOccFuncAttributes function = functionOf(block);
    cudaOccDeviceState state;
    state.carveoutConfig = block.carveout;
    cudaOccResult theirs;
    if (cudaOccMaxActiveBlocksPerMultiprocessor(
            &theirs, &device, &function, &state, block.threadsPerBlock,
            block.dynamicShared) != CUDA_OCC_SUCCESS)
      GTEST_SKIP() << "this toolkit does not know the architecture";
    Occupancy ours = computeOccupancy(limits, block);
    ASSERT_EQ(int(ours.activeBlocksPerSM), theirs.activeBlocksPerMultiprocessor)
        << block.threadsPerBlock << " threads, " << block.registersPerThread
        << " registers, " << block.staticShared << " + " << block.dynamicShared
        << " B, carve-out " << block.carveout << ", " << block.barriers
        << " barriers";
    ASSERT_EQ(ours.limiters, theirs.limitingFactors);
  }
}

std::vector<unsigned> archsOfTheHeader() {
  std::vector<unsigned> archs;
  for (unsigned arch : archsWithLimits())
    if (arch >= 35)
      archs.push_back(arch);
  return archs;
}

INSTANTIATE_TEST_SUITE_P(Occupancy, AgainstHeader,
                         testing::ValuesIn(archsOfTheHeader()));

} // namespace
