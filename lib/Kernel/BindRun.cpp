// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BindParts.h"

#include "llvm/ADT/STLExtras.h"

#include <cassert>
#include <map>

using namespace auspex;

namespace {

class RunBinder {
public:
  RunBinder(const KernelSummary &summary, const LaunchConfig &launch,
            const GPU &gpu, const DynamicProfile &profile, uint64_t times)
      : summary(summary), gpu(gpu), profile(profile),
        perLaunch(1 / static_cast<double>(times)),
        expected(bind(summary, launch, gpu, Scenario::Expected)),
        result(bindResources(summary, launch, gpu)) {
    assert(profile.blocks.size() == summary.blocks.size() &&
           profile.accesses.size() == summary.accesses.size());
  }

  BoundKernel run() {
    result.isFromRun = true;
    result.isExact = profile.samplingError == 0;
    result.blocksPerWave = static_cast<double>(profile.blocksPerWave);
    result.loops.resize(summary.loops.size());
    bindAccesses();
    bindBlocks();
    bindBranches();
    llvm::append_range(result.assumptions, callsLeftOut(result));
    llvm::append_range(result.assumptions, arraysOfHost(result));
    sumObjects(result, gpu, Scenario::High);
    bindTouched();
    return std::move(result);
  }

private:
  const KernelSummary &summary;
  const GPU &gpu;
  const DynamicProfile &profile;
  double perLaunch;
  /// What the summary's expressions say.
  BoundKernel expected;
  BoundKernel result;

  double mean(uint64_t count) const {
    return static_cast<double>(count) * perLaunch;
  }
  bool agrees(const Access &access, const BoundAccess &bound,
              const AccessProfile &seen) const;
  void bindAccesses();
  void bindBlocks();
  std::vector<double> entriesOfLoops() const;
  void bindBranches();
  void bindTouched();
};

} // namespace

/// Whether the summary's expressions say of an access what the run saw: then
/// its pattern is that of the run.
bool RunBinder::agrees(const Access &access, const BoundAccess &bound,
                       const AccessProfile &seen) const {
  const BoundBlock &block = expected.blocks[access.block];
  const BlockProfile &ran = profile.blocks[access.block];
  return bound.isKnown && block.warpExecutions == mean(ran.warpExecutions) &&
         block.laneExecutions == mean(ran.laneExecutions) &&
         bound.counts.sectors == seen.counts.sectors * perLaunch;
}

void RunBinder::bindAccesses() {
  for (auto [access, stated, seen] :
       llvm::zip(summary.accesses, expected.accesses, profile.accesses)) {
    BoundAccess &bound = result.accesses.emplace_back();
    if (agrees(access, stated, seen))
      bound.pattern = stated.pattern;
    bound.counts.add(seen.counts, perLaunch);
    // A run counts sectors everywhere, of constant memory words are asked for.
    if (access.space == MemorySpace::Constant && stated.counts.requests > 0)
      bound.counts.sectors = stated.counts.sectors / stated.counts.requests *
                             bound.counts.requests;
    bound.isKnown = true;
    bound.extent = seen.extent;
    if (bound.extent)
      --bound.extent->high; // one past the last byte
  }
}

void RunBinder::bindBlocks() {
  CodeSums sums;
  std::vector<double> entries = entriesOfLoops();
  bool isAsStated = true;
  for (auto [block, stated, seen] :
       llvm::zip(summary.blocks, expected.blocks, profile.blocks)) {
    BoundBlock bound{mean(seen.warpExecutions), mean(seen.laneExecutions),
                     block.loop >= 0 ? entries[block.loop] : 0};
    // Which warps ran it, and in which turns, the expressions tell.
    if (stated.warpExecutions == bound.warpExecutions) {
      bound.warpsPerRunner = stated.warpsPerRunner;
      bound.shares = stated.shares;
    } else {
      isAsStated = false;
    }
    sums.add(block, bound);
    result.blocks.push_back(bound);
  }
  sums.finish(result);
  if (!isAsStated)
    return;
  result.shareAtWork = expected.shareAtWork;
  result.longestPath = expected.longestPath;
  result.path[InstructionClass::Barrier] =
      expected.path[InstructionClass::Barrier];
}

std::vector<double> RunBinder::entriesOfLoops() const {
  std::vector<double> entries(summary.loops.size());
  for (auto [block, seen] : llvm::zip(summary.blocks, profile.blocks))
    if (block.loop >= 0)
      entries[block.loop] += mean(seen.loopEntries);
  return entries;
}

void RunBinder::bindBranches() {
  for (const Branch &branch : summary.branches) {
    const BlockProfile &seen = profile.blocks[branch.block];
    result.branches.push_back(
        {mean(seen.warpExecutions), mean(seen.divergent), true});
  }
}

void RunBinder::bindTouched() {
  double sector = gpu[Q::Sector];
  std::map<std::string, BoundObject::Touched> touched;
  for (const ObjectProfile &object : profile.objects) {
    BoundObject::Touched &sum = touched[object.name];
    sum.inWaves += mean(object.sectorsInWaves) * sector;
    sum.inLaunch += mean(object.sectorsInLaunch) * sector;
  }
  for (auto [access, seen] : llvm::zip(summary.accesses, profile.accesses)) {
    auto object = touched.find(access.base);
    if (object == touched.end())
      continue;
    double bytes = mean(seen.newSectorsInBlock) * sector;
    (access.kind == AccessKind::Store ? object->second.byStoresInBlocks
                                      : object->second.byLoadsInBlocks) +=
        bytes;
  }
  for (BoundObject &object : result.objects)
    if (auto found = touched.find(object.name); found != touched.end())
      object.touched = found->second;
}

BoundKernel auspex::bindRun(const KernelSummary &summary,
                            const LaunchConfig &launch, const GPU &gpu,
                            const DynamicProfile &profile, uint64_t times) {
  return RunBinder(summary, launch, gpu, profile, times).run();
}
