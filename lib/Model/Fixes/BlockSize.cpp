// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../LeastTraffic.h"
#include "Common.h"

#include "auspex/Footprint/SymbolKinds.h"
#include "auspex/Model/Predict.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cmath>

using namespace auspex;

/// Whether the index of the block along \p axis is in \p offset in another way
/// than times the block's size: something is left of it with a size of 0.
static bool usesBlockAlone(const Expr &offset, const std::string &axis) {
  std::string block = "ctaid" + axis;
  if (!offset.uses(block))
    return false;
  // In most offsets the index has one factor, which is short.
  auto linear = offset.linearIn(block);
  Expr indexed = linear ? *linear->factor * Expr::symbol(block) : offset;
  Expr withoutSize =
      indexed.substitute([&](llvm::StringRef name) -> std::optional<Expr> {
        return name == "ntid" + axis ? std::optional(Expr(0)) : std::nullopt;
      });
  return !withoutSize.isValid() || withoutSize.uses(block);
}

/// Whether all blocks do the same, so that more of them would repeat the work.
static bool areBlocksAlike(const KernelSummary &summary) {
  auto mayUseBlock = [](const MaybeExpr &value) {
    return value.isCalculated() || value.expr.usesAny(isBlockIndex);
  };
  return !llvm::any_of(summary.accesses, [&](const Access &access) {
    return mayUseBlock(access.offset);
  }) && !llvm::any_of(summary.branches, [&](const Branch &branch) {
    return mayUseBlock(branch.condition);
  }) && !llvm::any_of(summary.loops, [&](const Loop &loop) {
    return mayUseBlock(loop.tripCount);
  });
}

/// Whether threads work together as a block or a warp, or the code tells blocks
/// apart without asking for their size, or not at all: then the size is part of
/// the algorithm.
static bool dependsOnBlock(const FixContext &context) {
  const KernelSummary &summary = *context.kernel.summary;
  if (summary.staticSharedInBytes || summary.usesDynamicShared ||
      summary.requiredBlock[0] || !axesOfPresumedSize(summary).empty() ||
      areBlocksAlike(summary))
    return true;
  for (InstructionClass together :
       {InstructionClass::Barrier, InstructionClass::Shuffle})
    if (context.input.instructions[together] > 0)
      return true;
  return llvm::any_of(summary.accesses, [](const Access &access) {
    return llvm::any_of(llvm::StringRef("xyz"), [&](char axis) {
      return usesBlockAlone(access.offset.expr, std::string(".") + axis);
    });
  });
}

/// A size of the block changes how accesses coalesce, what is reused, which
/// warps are resident, which lanes idle, the tail, and how often a block
/// starts. Where all of that together takes little there is nothing to look
/// for.
static bool canGain(const FixContext &context) {
  OperationalResult result = evaluateOperational(context.input, context.gpu);
  double most = 0;
  for (const Benefit &benefit : context.benefits)
    if (benefit.id != "memory-parallelism" &&
        benefit.id != "instruction-parallelism" &&
        benefit.id != "computing-efficiency")
      most += benefit.gainInUs;
  for (const Station &station : result.stations)
    if (station.name == "block start and end")
      most += station.demandInCycles / result.cycleTime * result.timeInUs;
  return most >= FixContext::Noteworthy * result.timeInUs;
}

/// A step from one size to another, in powers of 2 along each axis.
using Step = std::array<int, 3>;

/// Steps to a neighbouring size: those that keep the number of threads first,
/// and among them the ones towards x, along which most code is contiguous.
static constexpr Step Steps[] = {
    {1, -1, 0}, {1, 0, -1}, {-1, 1, 0}, {0, 1, -1}, {-1, 0, 1}, {0, -1, 1},
    {1, 0, 0},  {-1, 0, 0}, {0, 1, 0},  {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};

/// \p size after \p step, in powers of 2; none if that is no size worth a look
/// for as many threads along the axes as \p shape has.
static std::optional<Dim3> stepFrom(const Dim3 &size, const Step &step,
                                    const LaunchShape &shape) {
  constexpr int64_t FewestThreads = 32, MostThreads = 1024, MostAlongZ = 64;
  std::array<int64_t, 3> next;
  const int64_t now[] = {size.x, size.y, size.z};
  for (unsigned i = 0; i < 3; ++i) {
    int64_t floor = llvm::bit_floor<uint64_t>(now[i]);
    int64_t most = llvm::bit_ceil<uint64_t>(shape.grid[i] * shape.block[i]);
    next[i] = step[i] < 0 ? floor / 2 : floor << step[i];
    if (next[i] < 1 || next[i] > most)
      return std::nullopt;
  }
  int64_t threads = next[0] * next[1] * next[2];
  if (threads < FewestThreads || threads > MostThreads || next[2] > MostAlongZ)
    return std::nullopt;
  return Dim3{next[0], next[1], next[2]};
}

/// How many sizes may be tried that gain little: each takes a binding, which
/// takes time in accesses, in loops around them and in pieces of domains. A
/// kernel with many launches is tried out in many sizes anyway, of each there
/// are few.
static size_t budget(const FixContext &context) {
  constexpr size_t Work = 24, LoopWork = 3;
  constexpr size_t Fewest = 2, Most = 12, MostAccesses = 80, MostPieces = 4096;
  const BoundKernel &kernel = context.kernel;
  size_t accesses = std::max<size_t>(1, kernel.accesses.size());
  size_t work = accesses * (1 + LoopWork * kernel.loops.size());
  size_t alone = std::min({std::clamp(Work / work, Fewest, Most),
                           std::max<size_t>(1, MostAccesses / accesses),
                           MostPieces / std::max<size_t>(1, kernel.pieces)});
  size_t launches = std::max<size_t>(1, context.launches);
  return std::min(alone, std::max(Fewest, alone / launches));
}

/// The most that the blocks of \p other can gain: they reside as they do, all
/// their lanes are active, L1 finds what it is asked for, and each byte that
/// the launch touches comes from DRAM once, as \p least says, or not at all
/// where L2 is warm; in proportion to that warps wait for DRAM.
static OperationalInput ideal(const FixContext &context,
                              const LaunchConfig &other,
                              const LeastTraffic &least) {
  const OperationalInput &input = context.input;
  LaunchShape shape{other.grid->value, other.block->value};
  OperationalInput result;
  result.blocks = static_cast<double>(shape.grid.count());
  result.warpsPerBlock = shape.warpsPerBlock();
  result.activeBlocksPerSM =
      context.activeBlocks(blockResources(other, *context.kernel.summary));
  double full = context.kernel.warps() / shape.warps() * input.activeLanes /
                LaunchShape::WarpSize;
  result.instructions = input.instructions.scaled(full);
  result.path = input.path.scaled(full);
  result.l2LoadInBytes = least.loadInBytes / shape.warps();
  result.l2StoreInBytes = least.storeInBytes / shape.warps();
  if (other.isL2Warm())
    return result;
  double moved = context.traffic.sum(&ObjectTraffic::dramLoadInBytes);
  if (moved > 0)
    result.globalWaits.dram = input.globalWaits.dram * full *
                              std::min(1.0, least.loadInBytes / moved);
  result.dramLoadInBytes = result.l2LoadInBytes;
  result.dramStoreInBytes = result.l2StoreInBytes;
  result.dramIdleInBytes = 0;
  return result;
}

namespace {

/// A search for the fastest size: step by step, in the same direction as long
/// as that is faster.
class Search {
public:
  Search(const FixContext &context)
      : context(context), left(budget(context)),
        least(leastTraffic(context.kernel, context.gpu)),
        size(context.kernel.shape.block), timeInUs(context.timeInUs),
        tried{size} {}

  std::optional<Variant> run() {
    constexpr Step None = {0, 0, 0};
    move(None);
    bool hasMoved = true;
    while (hasMoved) {
      hasMoved = false;
      for (const Step &step : Steps)
        while (move(step))
          hasMoved = true;
    }
    return std::move(best);
  }

private:
  /// Goes a step if that is faster; towards rows of whole warps, which people
  /// expect, if it is not slower.
  bool move(const Step &step) {
    std::optional<Dim3> next = stepFrom(size, step, context.kernel.shape);
    if (!next || left == 0 || llvm::is_contained(tried, *next))
      return false;
    tried.push_back(*next);
    const KernelSummary &summary = *context.kernel.summary;
    const LaunchConfig &launch = context.kernel.launch;
    LaunchConfig other = inBlocksOf(launch, *next, launch.block->origin);
    bool isTowardsRows = step[0] > 0 && next->x <= LaunchShape::WarpSize;
    double needed = isTowardsRows ? 0 : FixContext::Noteworthy;
    if (launchProblem(other, summary, context.gpu) ||
        smsUsed(other) < smsUsed(launch) ||
        shareGained(ideal(context, other, least)) < needed)
      return false;
    std::optional<OperationalInput> input = context.inputOf(summary, other);
    double share = input ? shareGained(*input) : -HUGE_VAL;
    if (share < Large)
      --left;
    if (share < needed)
      return false;
    size = *next;
    timeInUs -= share * context.timeInUs;
    best = {"",
            {},
            "launch blocks of " + size.str() + " in a grid of " +
                other.grid->value.str() + " instead of " +
                launch.block->value.str(),
            std::move(*input),
            std::move(other)};
    return true;
  }

  /// With the same threads on fewer SMs nothing is faster.
  double smsUsed(const LaunchConfig &launch) const {
    return std::min<double>(launch.grid->value.count(),
                            context.gpu[Q::SMCount]);
  }

  /// What \p input takes less than the fastest so far, as a share of the time
  /// at the start.
  double shareGained(const OperationalInput &input) const {
    return (timeInUs - evaluateOperational(input, context.gpu).timeInUs) /
           context.timeInUs;
  }

  /// Steps that gain so much are worth what they take.
  static constexpr double Large = 0.05;

  const FixContext &context;
  /// How many sizes may yet be bound for little.
  size_t left;
  const LeastTraffic least;
  /// The fastest size so far, and its time.
  Dim3 size;
  double timeInUs;
  std::vector<Dim3> tried;
  std::optional<Variant> best;
};

} // namespace

namespace auspex::fixes {

void findBlockSize(const FixContext &context, std::vector<Variant> &variants) {
  const BoundKernel &kernel = context.kernel;
  if (!kernel.isExact || kernel.isFromRun ||
      kernel.launch.origin() == LaunchOrigin::Assumed ||
      dependsOnBlock(context) || !canGain(context))
    return;
  if (std::optional<Variant> best = Search(context).run())
    variants.push_back(std::move(*best));
}

} // namespace auspex::fixes
