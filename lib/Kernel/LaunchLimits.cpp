// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Kernel/LaunchLimits.h"

#include "llvm/Support/MathExtras.h"

using namespace auspex;

LaunchLimits auspex::launchLimits(const GPU &gpu) {
  LaunchLimits limits;
  limits.threadsPerBlock = static_cast<int64_t>(gpu[Q::MaxThreadsPerBlock]);
  if (gpu.arch < 30)
    limits.grid.x = 65535;
  if (gpu.arch < 20) {
    limits.grid.z = 1;
    limits.block = {512, 512, 64};
  }
  return limits;
}

/// The first side that is below 1 or beyond its limit.
static std::string sideProblem(const Dim3 &value, const Dim3 &limit,
                               llvm::StringRef whole, llvm::StringRef parts) {
  for (unsigned i = 0; i < 3; ++i) {
    std::string axis(1, "xyz"[i]);
    if (value[i] < 1)
      return "the size along " + axis + " is " + std::to_string(value[i]) +
             "; it has to be at least 1";
    if (value[i] > limit[i])
      return std::to_string(value[i]) + " " + parts.str() + " along " + axis +
             " exceed the " + std::to_string(limit[i]) + " a " + whole.str() +
             " can have";
  }
  return "";
}

std::string auspex::gridProblem(const Dim3 &grid, const LaunchLimits &limits) {
  return sideProblem(grid, limits.grid, "grid", "blocks");
}

std::string auspex::blockProblem(const Dim3 &block,
                                 const LaunchLimits &limits) {
  if (block.x > 0 && block.y > 0 && block.z > 0) {
    uint64_t threads = llvm::SaturatingMultiply<uint64_t>(
        llvm::SaturatingMultiply<uint64_t>(block.x, block.y), block.z);
    if (threads > static_cast<uint64_t>(limits.threadsPerBlock))
      return std::to_string(threads) + " threads exceed the " +
             std::to_string(limits.threadsPerBlock) + " a block can have";
  }
  return sideProblem(block, limits.block, "block", "threads");
}
