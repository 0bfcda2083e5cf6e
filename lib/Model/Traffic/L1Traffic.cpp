// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CacheLevel.h"
#include "Caches.h"
#include "TrafficCount.h"
#include "TrafficWindows.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace auspex;

/// Of each object, how many blocks load the same of it one after the other on
/// an SM: one if what they load hangs on the block, or is not known.
static std::vector<double> blocksAlike(const BoundKernel &kernel,
                                       const GPU &gpu) {
  std::vector<std::optional<double>> alike(kernel.objects.size());
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses)) {
    if (bound.object < 0 || !access.goesThroughL1())
      continue;
    double blocks = bound.pattern ? 1 / gpu[Q::SMCount] : 0;
    for (unsigned axis = 0; axis < 3 && bound.pattern; ++axis) {
      Interval side = bound.pattern->blocks()[axis];
      bool isSame =
          side.low == side.high || bound.pattern->blockStride(axis) == 0;
      blocks *= isSame ? static_cast<double>(side.high - side.low + 1) : 0;
    }
    std::optional<double> &ofObject = alike[bound.object];
    ofObject = std::max(1.0, std::min(ofObject.value_or(blocks), blocks));
  }
  std::vector<double> result;
  for (std::optional<double> blocks : alike)
    result.push_back(blocks.value_or(1));
  return result;
}

/// Of objects that more than one loop loads from.
static void addDistinctLoads(TrafficCount &count,
                             llvm::ArrayRef<BlockBox> samples) {
  const BoundKernel &kernel = count.kernel;
  WindowFootprints &footprints = count.footprints;
  std::vector<std::set<int>> loops(kernel.objects.size());
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses))
    if (bound.object >= 0 && access.goesThroughL1())
      loops[bound.object].insert(kernel.summary->blocks[access.block].loop);
  if (llvm::all_of(loops, [](const auto &of) { return of.size() < 2; }))
    return;
  std::vector<Window> windows;
  for (const BlockBox &block : samples)
    windows.push_back({{block}});
  WindowFootprints::View view(std::move(windows));
  std::map<std::pair<int, int>, double> distinct;
  for (const Footprint &loads :
       footprints.ofEachByLoop(view, Kinds::LoadsThroughL1, count.sector))
    for (const GroupFootprint &group : loads)
      if (group.executions > 0 && !group.units.empty())
        distinct[{group.object, group.place.loop}] +=
            static_cast<double>(group.units.front().second * count.sector) *
            group.lanes / group.executions /
            static_cast<double>(samples.size());
  for (const auto &[place, bytes] : distinct)
    if (footprints.isKnown(place.first) && loops[place.first].size() > 1)
      count.traffic.objects[place.first].distinctLoadInBytes.emplace_back(
          place.second, bytes);
}

/// Of what blocks read again in turns, the share by object of which a part
/// stays in an L1 that is too small: data that come anew, of which everything
/// is but a few times read, drive out the old.
static Bytes sharesThatStay(llvm::ArrayRef<WindowStep> steps) {
  constexpr double FewTimes = 8;
  Bytes shares = steps.front().read;
  for (auto [object, share] : llvm::enumerate(shares)) {
    double all = 0;
    for (const WindowStep &step : steps)
      if (step.isInTurns)
        all = std::max(all, step.read[object]);
    share = all > 0 ? std::max(0.0, 1 - FewTimes * share / all) : 0;
  }
  return shares;
}

/// How many loops are around the innermost one with a fence in each turn, which
/// empties the L1 of its SM: itself and those around it; 0 if there is none.
static unsigned depthOfFences(const BoundKernel &kernel) {
  const KernelSummary &summary = *kernel.summary;
  unsigned deepest = 0;
  for (auto [block, runs] : llvm::zip(summary.blocks, kernel.blocks)) {
    bool hasFence = llvm::any_of(block.code, [](const MachineCode &code) {
      return code.mix[InstructionClass::Fence] > 0;
    });
    unsigned depth = 0;
    for (int loop = block.loop; loop >= 0; loop = summary.loops[loop].parent)
      ++depth;
    if (hasFence && runs.warpExecutions > 0)
      deepest = std::max(deepest, depth);
  }
  return deepest;
}

/// Whether a window has more than one turn of the loops that are so deep.
static bool hasManyTurns(const Iterations &window, unsigned depth) {
  return depth > 0 && (window.cutLoops < depth ||
                       (window.cutLoops == depth && window.count > 1));
}

/// Warps go through the code side by side, so windows are of 1, 2, 4 ...
/// accesses by all warps of a block in one iteration, then of more and more
/// iterations, as far as no fence comes between them. All resident blocks of
/// the SM go on like the one. At last, a block finds what all blocks load where
/// the one before it on the SM left it.
Bytes auspex::throughL1(TrafficCount &count, const Bytes &requested) {
  constexpr unsigned EmptiedByFences = 70;
  const BoundKernel &kernel = count.kernel;
  const GPU &gpu = count.gpu;
  const int64_t sector = count.sector;
  WindowFootprints &footprints = count.footprints;
  Bytes plain = count.ofKnown(requested);
  for (size_t i = 0; i < plain.size(); ++i)
    plain[i] = std::max(0.0, plain[i] - count.pastL1InBytes[i]);
  CacheLevel level(plain, &count.traffic.l1Steps);
  std::vector<WindowStep> steps;
  double fillOfBlock = 0;
  double capacity = l1InBytes(kernel, gpu);
  std::vector<double> alike = blocksAlike(kernel, gpu);
  Bytes times(kernel.objects.size());
  for (size_t i = 0; i < times.size(); ++i)
    times[i] = alike[i] > 1 ? 1 : blocksOnSM(kernel, gpu);
  std::vector<BlockBox> samples = sampleBlocks(kernel, count.active);
  auto share = 1.0 / static_cast<double>(samples.size());
  unsigned fences = gpu.arch >= EmptiedByFences ? depthOfFences(kernel) : 0;
  std::vector<NamedWindow> windows = windowsOf("a block", footprints);
  llvm::erase_if(windows, [&](const NamedWindow &window) {
    return hasManyTurns(window.iterations, fences);
  });
  std::optional<WindowFootprints::View> view;
  for (const auto &[name, part, accesses, isInTurns] : llvm::reverse(windows)) {
    double touched = 0;
    if (!view || view->iterations() != part) {
      std::vector<Window> ofSamples;
      for (const BlockBox &block : samples)
        ofSamples.push_back({{block}, part});
      view.emplace(std::move(ofSamples));
    }
    std::vector<Footprint> ofEach = footprints.ofEach(
        *view, Kinds::LoadsThroughL1, {sector, LineInBytes}, accesses);
    for (Footprint &loads : ofEach)
      touched += footprints.touched({&loads}, LineInBytes, times) * share;
    WindowStep step{name, footprints.scaled(ofEach, sector),
                    Bytes(requested.size(), 0), touched / capacity, isInTurns};
    if (steps.empty())
      for (Footprint &loads : ofEach)
        fillOfBlock +=
            footprints.touched({&loads}, LineInBytes) * share / capacity;
    else
      step.limitBy(steps.back());
    steps.push_back(std::move(step));
  }
  Bytes staying = sharesThatStay(steps);
  for (const WindowStep &step : llvm::reverse(steps))
    level.stepOfEach(step.name, step.read, step.fill, /*share=*/1,
                     [&](size_t object) {
                       if (alike[object] > 1 || !step.isInTurns)
                         return L1Curve(step.fill);
                       return std::lerp(WavesCurve(step.fill),
                                        TurnsCurve(step.fill), staying[object]);
                     });
  if (fences == 0 &&
      llvm::any_of(alike, [](double blocks) { return blocks > 1; })) {
    Bytes after = steps.front().read;
    for (auto [bytes, blocks] : llvm::zip(after, alike))
      bytes /= blocks;
    level.step("the block before", after, fillOfBlock, WavesCurve);
  }
  for (auto [object, bytes] :
       llvm::zip(count.traffic.objects, steps.back().read))
    object.sideBySideLoadInBytes = bytes;
  addDistinctLoads(count, samples);
  Bytes passedOn = level.passedOn();
  for (size_t i = 0; i < passedOn.size(); ++i)
    passedOn[i] += count.pastL1InBytes[i];
  return passedOn;
}
