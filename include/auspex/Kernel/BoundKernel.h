// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A kernel summary with the numbers of one launch put in: what the models
/// start from. bind() is the one path from summaries to numbers.
///
/// What the launch leaves open (an argument nobody stated, a branch on data, an
/// address read from memory) is decided by a scenario: Low takes what costs
/// least, High what costs most, Expected what data would do that has no
/// pattern. Where nothing is open all are the same and the bound kernel is
/// complete. Nothing is open where a run in the emulator says
/// what happened.
#ifndef AUSPEX_KERNEL_BOUNDKERNEL_H
#define AUSPEX_KERNEL_BOUNDKERNEL_H

#include "auspex/Footprint/AccessPattern.h"
#include "auspex/Footprint/RequestCounts.h"
#include "auspex/HW/Occupancy.h"
#include "auspex/Kernel/DynamicProfile.h"
#include "auspex/Kernel/LaunchConfig.h"

namespace auspex {

/// Expected: both sides of an open branch run, as where the lanes of a warp
/// disagree; a loop that data ends early does half its iterations; the
/// addresses of lanes are spread evenly and independently of each other, those
/// of atomics on global memory over few words.
enum class Scenario { Low, Expected, High };

/// What one access does in the launch.
struct BoundAccess {
  /// Sums over the launch; lanes and requests are known even where the address
  /// is not, and then the scenario stands in for the rest.
  RequestCounts counts;
  /// The same in machine code, where lanes leave the loop around it apart, each
  /// version of the code at a time of its own: more requests of fewer lanes.
  /// Null where that changes nothing.
  std::shared_ptr<const RequestCounts> apart;
  const RequestCounts &inMachineCode() const { return apart ? *apart : counts; }
  /// The address was an expression and all its symbols had values.
  bool isKnown = false;
  /// Passes through the banks of a request that is joined of neighboursOf
  /// several; 0 where that is not known.
  double passesOfJoined = 0;
  /// The range of byte offsets from the base, where it is known.
  std::optional<Interval> extent;
  /// The addresses of parts of the launch; none if they are not known, and for
  /// accesses to other memory than global. Where arguments are open they are
  /// expected to be the threads of the launch along x: the width of an array;
  /// and floating-point values that lanes share, to be nearly the same for all.
  std::optional<AccessPattern> pattern;
  /// Data pick places in the pattern, which is known within each of them; these
  /// are expected to be far from each other.
  bool isPicked = false;
  /// How often a search halves what it looks in, one turn of its loop after the
  /// other: turn k has the access at one of 2^k places. 0 for other accesses.
  int64_t halvings = 0;
  /// Index into objects; -1 for an access to other memory than global, or one
  /// that does not run.
  int object = -1;
};

/// How many loads from shared memory, side by side, code generation may join to
/// one in place of \p access: the turns of the innermost loop that run as one,
/// as far as a lane can load them at once from where they begin. 1 of other
/// accesses.
unsigned neighboursOf(const Access &access, const KernelSummary &summary);

/// The bytes of an extent, its last one included, however far apart.
inline double bytesOf(const Interval &extent) {
  return static_cast<double>(extent.high) - static_cast<double>(extent.low) + 1;
}

/// How often a block of code runs, over the launch.
struct BoundBlock {
  double warpExecutions = 0, laneExecutions = 0;
  /// How often warps come to the innermost loop around it; 0 without a loop.
  double loopEntries = 0;
  /// In a run with some warp of a block of threads: all its warps over those
  /// that take part. The others wait for them, at a barrier or to be replaced.
  /// 0 if other warps have more to do meanwhile, and it is them they wait for.
  double warpsPerRunner = 1;
  /// Of each version of its code, the share of the executions that it does: of
  /// all but the last, which does what is left, or of that one too, and more
  /// than 1 in all, where lanes leave the loop apart. Empty where it follows
  /// from the mean stay in the loop.
  llvm::SmallVector<double, 2> shares{};
};

struct BoundBranch {
  /// Warps that come to the branch, and those whose lanes disagree.
  double executions = 0, divergent = 0;
  bool isKnown = false;
};

struct BoundLoop {
  /// Why the trip count of a loop that runs is open, as the end of a sentence
  /// ("depends on argument n"); empty if it is not.
  std::string openBecause;
};

/// The bytes an object can contribute, over the launch.
struct BoundObject {
  std::string name;
  /// Sectors that requests ask for, in bytes.
  double loadedInBytes = 0, storedInBytes = 0;
  /// From the lowest to the highest byte any known access touches; nothing if
  /// an access to the object is unknown.
  std::optional<double> extentInBytes{};
  /// As in Access::objectInBytes.
  std::optional<double> sizeInBytes{};
  /// Distinct sectors that a run saw, in bytes: summed over blocks (of those
  /// that loads, and that stores were the first to touch), summed over waves,
  /// and of the launch.
  struct Touched {
    double byLoadsInBlocks = 0, byStoresInBlocks = 0, inWaves = 0, inLaunch = 0;
  };
  std::optional<Touched> touched{};
};

struct BoundKernel {
  const KernelSummary *summary = nullptr;
  LaunchConfig launch;
  LaunchShape shape;
  Occupancy occupancy;
  unsigned registers = 0;
  RegisterOrigin registerOrigin = RegisterOrigin::Estimated;

  /// What decided where something was open.
  Scenario scenario = Scenario::Low;
  /// Nothing was left to the scenario.
  bool isComplete = true;
  /// The High scenario is an upper bound; false if a loop's trip count has
  /// none.
  bool hasUpperBound = true;
  /// All counts come from every point of the launch, none from a sample.
  bool isExact = true;
  /// Counts are those of a run, not of the summary's expressions: of the same
  /// kernel launched otherwise they say nothing.
  bool isFromRun = false;
  /// Blocks resident together when touched sectors were counted; 0 without a
  /// run.
  double blocksPerWave = 0;
  /// Pieces that the domains of blocks were cut into: what binding takes time
  /// in, besides accesses.
  size_t pieces = 0;
  /// Full sentences about what was taken for granted, and what is open.
  std::vector<std::string> assumptions, unknowns;

  /// Per access, block, branch and loop of the summary, in its order.
  std::vector<BoundAccess> accesses;
  std::vector<BoundBlock> blocks;
  std::vector<BoundBranch> branches;
  std::vector<BoundLoop> loops;
  /// Objects in global memory.
  std::vector<BoundObject> objects;

  /// Means over all warps of the launch.
  InstructionMix instructions;
  /// What is waited for in a block's life (waitedFor()): by the warps that
  /// run it, where not all do; between two barriers of those that have most
  /// to do.
  InstructionMix path;
  /// The same in the life of the block that has most to do, if that is much
  /// more than others have; else empty.
  InstructionMix longestPath;
  /// Of path, floating-point arithmetic of 32 and 64 bits that reads three
  /// different registers.
  InstructionMix threeOperands;
  /// As in MachineCode.
  InstructionMix asMultiplyAdds;
  /// The share of a block's warps that are at work while one of its
  /// instructions is done, in the mean over these: less than 1 where warps that
  /// do different things wait for each other at barriers.
  double shareAtWork = 1;
  /// GPUPerf's averages, weighted by executions.
  double ilp = 1, mlp = 1;
  /// Active lanes of an executed instruction, in [0, 32].
  double activeLanes = 32;

  double warps() const { return shape.warps(); }

  /// How often warps issue the code of the summary's block \p block with no
  /// lane active: it is predicated in a block that more warps run.
  double executionsOff(size_t block) const;
};

/// The sizes by which \p gpu splits requests to memory of any space but
/// constant memory.
MemoryGranularity granularityOf(const GPU &gpu);
/// The same for \p space. Of constant memory, which is read word by word, the
/// sectors are words.
MemoryGranularity granularityOf(const GPU &gpu, MemorySpace space);

/// A bound kernel of which all is known but what its code does: the launch, its
/// occupancy and registers.
BoundKernel bindResources(const KernelSummary &summary,
                          const LaunchConfig &launch, const GPU &gpu);

class SharedBinding;

/// Puts a launch into a summary, both of which outlive it: scenario by
/// scenario, of which all share most of the work. The launch has to be
/// complete, resolved and checked (LaunchConfig.h).
class LaunchBinding {
public:
  LaunchBinding(const KernelSummary &summary, const LaunchConfig &launch,
                const GPU &gpu);
  ~LaunchBinding();

  BoundKernel bind(Scenario scenario);

private:
  std::unique_ptr<SharedBinding> shared;
};

/// One scenario of a launch.
BoundKernel bind(const KernelSummary &summary, const LaunchConfig &launch,
                 const GPU &gpu, Scenario scenario);

/// \p kernel where no more than \p blocks reside on an SM: it counts the same.
BoundKernel withMaxBlocksPerSM(BoundKernel kernel, unsigned blocks,
                               const GPU &gpu);

/// How often the launch runs each version of a block's machine code, in the
/// order of Block::code.
llvm::SmallVector<double, 4> codeExecutions(const Block &block,
                                            const BoundBlock &runs);

/// Puts the counts of a run in the place of all that the summary says of
/// executions and addresses; where both agree, the addresses stay known as
/// patterns. \p profile is of \p times launches like this one, and of the
/// blocks and accesses of \p summary.
BoundKernel bindRun(const KernelSummary &summary, const LaunchConfig &launch,
                    const GPU &gpu, const DynamicProfile &profile,
                    uint64_t times = 1);

} // namespace auspex

#endif
