// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Caches.h"

#include "CacheLevel.h"

#include <algorithm>
#include <cmath>

using namespace auspex;

bool auspex::cachesLoads(const GPU &gpu) {
  return gpu.find(Q::L1Unified) &&
         (gpu.arch / 10 == 2 || gpu.arch == 60 || gpu.arch >= 70);
}

double auspex::blocksOnSM(const BoundKernel &kernel, const GPU &gpu) {
  double most = std::max(1u, kernel.occupancy.activeBlocksPerSM);
  return std::min(most,
                  std::ceil(static_cast<double>(kernel.shape.grid.count()) /
                            gpu[Q::SMCount]));
}

double auspex::l1InBytes(const BoundKernel &kernel, const GPU &gpu) {
  double unified = gpu[Q::L1Unified] * 1024;
  if (gpu.arch / 10 == 6)
    return unified;
  const Occupancy &occupancy = kernel.occupancy;
  uint64_t shared =
      occupancy.allocatedSharedPerBlock * occupancy.activeBlocksPerSM;
  constexpr double Least = 4096;
  return std::max(Least,
                  unified - static_cast<double>(smallestCarveout(gpu, shared)));
}

double auspex::l2InBytes(const GPU &gpu) {
  return gpu.valueOr(Q::L2Effective, gpu[Q::L2Size]) * 1024;
}

bool auspex::isL2Halved(const GPU &gpu) {
  double all = gpu[Q::L2Size];
  return gpu.valueOr(Q::L2Effective, all) < all;
}

double auspex::l2OfPicksInBytes(const GPU &gpu) {
  double all = gpu[Q::L2Size] * 1024;
  return isL2Halved(gpu) ? KeptByHalves * all : all;
}
