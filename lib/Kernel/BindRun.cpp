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
    leaveOutWaiting();
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
  /// Of the executions of each block, the share that counts: a loop that waits
  /// for other threads turns as often as the order of the run has it, and is
  /// taken to find at once what it waits for.
  std::vector<double> sharesCounted;
  bool isWaitingLeftOut = false;

  double mean(uint64_t count) const {
    return static_cast<double>(count) * perLaunch;
  }
  void leaveOutWaiting();
  double executions(size_t block) const {
    return mean(profile.blocks[block].warpExecutions) * sharesCounted[block];
  }
  double lanes(size_t block) const {
    return mean(profile.blocks[block].laneExecutions) * sharesCounted[block];
  }
  bool agrees(const Access &access, const BoundAccess &bound,
              const AccessProfile &seen) const;
  void bindAccesses();
  void bindBlocks();
  void bindLongestPath();
  std::vector<double> entriesOfLoops() const;
  void bindBranches();
  void bindTouched();
};

} // namespace

void RunBinder::leaveOutWaiting() {
  sharesCounted.assign(summary.blocks.size(), 1);
  std::vector<bool> waits(summary.loops.size());
  for (const DataSymbol &symbol : summary.dataSymbols)
    for (auto [number, loop] : llvm::enumerate(summary.loops))
      if (symbol.reason == "wait" && loop.tripCount.expr.uses(symbol.name) &&
          !hasRetries(summary, symbol.name))
        waits[number] = true;
  std::vector<double> entries = entriesOfLoops();
  for (auto [number, block] : llvm::enumerate(summary.blocks)) {
    double ran = mean(profile.blocks[number].warpExecutions);
    if (block.loop < 0 || !waits[block.loop] || ran <= entries[block.loop])
      continue;
    sharesCounted[number] = entries[block.loop] / ran;
    isWaitingLeftOut = true;
  }
  if (isWaitingLeftOut)
    assume(result, "loops that wait for other threads find at once what they "
                   "wait for");
}

/// Whether a count is the same but for what edges and means make of it.
static bool areAlike(double a, double b) {
  constexpr double Tolerance = 0.01;
  return std::abs(a - b) <= Tolerance * std::max(a, b);
}

/// Whether the summary's expressions say of an access what the run saw: then
/// its pattern is that of the run. A base that is not aligned makes a sector
/// more of each request at most.
bool RunBinder::agrees(const Access &access, const BoundAccess &bound,
                       const AccessProfile &seen) const {
  const BoundBlock &block = expected.blocks[access.block];
  double sectors =
      seen.counts.sectors * perLaunch * sharesCounted[access.block];
  return bound.isKnown &&
         areAlike(block.warpExecutions, executions(access.block)) &&
         areAlike(block.laneExecutions, lanes(access.block)) &&
         (areAlike(bound.counts.sectors, sectors) ||
          std::abs(bound.counts.sectors - sectors) <= bound.counts.requests);
}

void RunBinder::bindAccesses() {
  for (auto [access, stated, seen] :
       llvm::zip(summary.accesses, expected.accesses, profile.accesses)) {
    BoundAccess &bound = result.accesses.emplace_back();
    if (agrees(access, stated, seen))
      bound.pattern = stated.pattern;
    bound.counts.add(seen.counts, perLaunch * sharesCounted[access.block]);
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
  for (auto [number, block, stated] :
       llvm::enumerate(summary.blocks, expected.blocks)) {
    BoundBlock bound{executions(number), lanes(number),
                     block.loop >= 0 ? entries[block.loop] : 0};
    // Which warps ran it, and in which turns, the expressions tell.
    if (areAlike(stated.warpExecutions, bound.warpExecutions)) {
      bound.warpsPerRunner = stated.warpsPerRunner;
      bound.shares = stated.shares;
    } else {
      isAsStated = false;
    }
    sums.add(block, bound);
    result.blocks.push_back(bound);
  }
  sums.finish(result);
  bindLongestPath();
  if (!isAsStated)
    return;
  result.shareAtWork = expected.shareAtWork;
  result.path[InstructionClass::Barrier] =
      expected.path[InstructionClass::Barrier];
}

/// Whether warps take the next piece of work from a counter until there is none
/// left: which block does how much hangs on the order of the run then.
static bool takesWorkInTurns(const KernelSummary &summary) {
  return llvm::any_of(summary.accesses, [&](const Access &access) {
    int loop = summary.blocks[access.block].loop;
    return access.kind == AccessKind::Atomic && !access.isReduction &&
           access.space != MemorySpace::Shared && loop >= 0 &&
           !summary.loops[loop].tripCount.isKnown();
  });
}

/// What one block has to do that is much more than others have is no less where
/// data decide some of it; and a warp that has most to do, whatever decides
/// that, has as much more of everything.
void RunBinder::bindLongestPath() {
  if (expected.longestPath.total() > LongestPathOverMean * result.path.total())
    result.longestPath = expected.longestPath;
  double most = static_cast<double>(profile.mostInstructionsOfWarp),
         all = mean(profile.warpInstructions);
  if (isWaitingLeftOut || all <= 0 ||
      most * result.warps() <= LongestPathOverMean * all)
    return;
  if (takesWorkInTurns(summary))
    return assume(result, "warps that take their work from a counter do as "
                          "much as each other");
  InstructionMix ofMost;
  for (auto [block, bound] : llvm::zip(summary.blocks, result.blocks)) {
    BoundBlock apart = bound;
    apart.warpsPerRunner = 1;
    ofMost.add(pathOf(block, apart), most / all);
  }
  if (ofMost.total() > LongestPathOverMean * result.longestPath.total())
    result.longestPath = ofMost;
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
    double divergent = mean(profile.blocks[branch.block].divergent);
    result.branches.push_back({executions(branch.block),
                               divergent * sharesCounted[branch.block], true});
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
