// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Kernel/RunRecord.h"

#include "llvm/ADT/STLExtras.h"

using namespace auspex;

template <size_t N>
static void addEach(const std::array<uint64_t, N> &counts,
                    std::array<uint64_t, N> &sum) {
  for (auto [count, total] : llvm::zip(counts, sum))
    total += count;
}

void AccessProfile::addCounts(const AccessProfile &other) {
  counts.add(other.counts, 1);
  newSectorsInBlock += other.newSectorsInBlock;
  addEach(other.byMultiplicity, byMultiplicity);
}

static void add(const BlockProfile &block, BlockProfile &sum) {
  sum.warpExecutions += block.warpExecutions;
  sum.laneExecutions += block.laneExecutions;
  addEach(block.byActiveLanes, sum.byActiveLanes);
  sum.divergent += block.divergent;
  sum.loopEntries += block.loopEntries;
}

/// The range of both; none if one of them has none though it ran.
static std::optional<Interval> join(const AccessProfile &a,
                                    const AccessProfile &b) {
  if (a.counts.requests == 0)
    return b.extent;
  if (b.counts.requests == 0)
    return a.extent;
  if (!a.extent || !b.extent)
    return std::nullopt;
  return Interval{std::min(a.extent->low, b.extent->low),
                  std::max(a.extent->high, b.extent->high)};
}

static void add(const AccessProfile &access, AccessProfile &sum) {
  sum.extent = join(access, sum);
  sum.addCounts(access);
}

const KernelSummary *RunRecord::find(llvm::StringRef kernel) const {
  auto found = llvm::find_if(kernels, [&](const KernelSummary &summary) {
    return summary.name == kernel;
  });
  return found == kernels.end() ? nullptr : &*found;
}

void auspex::addProfile(const DynamicProfile &profile, DynamicProfile &sum) {
  if (sum.kernel.empty()) {
    sum = profile;
    return;
  }
  sum.blocks.resize(std::max(sum.blocks.size(), profile.blocks.size()));
  for (auto [block, total] : llvm::zip(profile.blocks, sum.blocks))
    add(block, total);
  sum.accesses.resize(std::max(sum.accesses.size(), profile.accesses.size()));
  for (auto [access, total] : llvm::zip(profile.accesses, sum.accesses))
    add(access, total);
  for (const ObjectProfile &object : profile.objects) {
    auto same = llvm::find_if(sum.objects, [&](const ObjectProfile &other) {
      return other.name == object.name;
    });
    if (same == sum.objects.end()) {
      sum.objects.push_back(object);
      continue;
    }
    same->sizeInBytes = std::max(same->sizeInBytes, object.sizeInBytes);
    same->sectorsInWaves += object.sectorsInWaves;
    same->sectorsInLaunch += object.sectorsInLaunch;
  }
  for (const CalleeAccess &access : profile.calleeAccesses) {
    auto same =
        llvm::find_if(sum.calleeAccesses, [&](const CalleeAccess &other) {
          return other.isSame(access);
        });
    if (same == sum.calleeAccesses.end())
      sum.calleeAccesses.push_back(access);
    else
      add(access.profile, same->profile);
  }
  sum.warpInstructions += profile.warpInstructions;
  sum.threadInstructions += profile.threadInstructions;
  sum.mostInstructionsOfWarp =
      std::max(sum.mostInstructionsOfWarp, profile.mostInstructionsOfWarp);
  sum.calleeWarpInstructions += profile.calleeWarpInstructions;
  sum.calleeThreadInstructions += profile.calleeThreadInstructions;
  sum.unfinishedBlocks += profile.unfinishedBlocks;
  sum.sampledBlocks += profile.sampledBlocks;
  sum.samplingError = std::max(sum.samplingError, profile.samplingError);
}
