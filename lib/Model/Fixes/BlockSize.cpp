// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../LeastTraffic.h"
#include "Common.h"

#include "auspex/Footprint/SymbolKinds.h"
#include "auspex/Model/Predict.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>

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

/// Steps of a factor of 2 from one size to the other.
static int distance(const Dim3 &a, const Dim3 &b) {
  auto log = [](int64_t size) {
    return static_cast<int>(llvm::bit_width<uint64_t>(size));
  };
  return std::abs(log(a.x) - log(b.x)) + std::abs(log(a.y) - log(b.y)) +
         std::abs(log(a.z) - log(b.z));
}

/// Sizes worth a look, the nearest first: powers of 2 along the axes that the
/// launch uses, with as many threads, half and twice as many.
static std::vector<Dim3> candidates(const LaunchShape &shape) {
  constexpr int64_t FewestThreads = 64, MostThreads = 1024, Narrowest = 8;
  std::array<int64_t, 3> most;
  for (unsigned i = 0; i < 3; ++i)
    most[i] = llvm::bit_ceil<uint64_t>(shape.grid[i] * shape.block[i]);
  int64_t own =
      std::clamp<int64_t>(llvm::bit_floor<uint64_t>(shape.block.count()),
                          FewestThreads, MostThreads);
  std::vector<Dim3> sizes;
  for (int64_t threads : {own, 2 * own, own / 2}) {
    if (threads < FewestThreads || threads > MostThreads)
      continue;
    for (int64_t x = std::min(threads, most[0]); x >= 1; x /= 2)
      for (int64_t y = std::min(threads / x, most[1]); y >= 1; y /= 2) {
        Dim3 size{x, y, threads / x / y};
        if (size.z <= std::min<int64_t>(most[2], 64) &&
            (x >= std::min(Narrowest, most[0])) && !(size == shape.block))
          sizes.push_back(size);
      }
  }
  llvm::stable_sort(sizes, [&](const Dim3 &a, const Dim3 &b) {
    return distance(a, shape.block) < distance(b, shape.block);
  });
  return sizes;
}

/// How many sizes may be tried: each takes a binding, which takes time in
/// accesses, in loops around them and in pieces of domains. A kernel with many
/// launches is tried out in many sizes anyway, of each there are few.
static size_t budget(const FixContext &context) {
  constexpr size_t Work = 24, LoopWork = 3;
  constexpr size_t Fewest = 2, Most = 12, MostAccesses = 80, MostPieces = 4096;
  const BoundKernel &kernel = context.kernel;
  size_t accesses = std::max<size_t>(1, kernel.accesses.size());
  size_t work = accesses * (1 + LoopWork * kernel.loops.size());
  size_t alone =
      std::min({std::clamp(Work / work, Fewest, Most), MostAccesses / accesses,
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

namespace auspex::fixes {

void findBlockSize(const FixContext &context, std::vector<Variant> &variants) {
  const BoundKernel &kernel = context.kernel;
  const LaunchConfig &launch = kernel.launch;
  if (!kernel.isExact || kernel.isFromRun ||
      launch.origin() == LaunchOrigin::Assumed || dependsOnBlock(context) ||
      !canGain(context))
    return;
  std::vector<Dim3> sizes = candidates(kernel.shape);
  LeastTraffic least = leastTraffic(kernel, context.gpu);
  for (const Dim3 &size : llvm::ArrayRef(sizes).take_front(
           std::min(sizes.size(), budget(context)))) {
    LaunchConfig other = inBlocksOf(launch, size, launch.block->origin);
    if (launchProblem(other, *kernel.summary, context.gpu) ||
        !context.isFaster(ideal(context, other, least)))
      continue;
    std::string grid = other.grid->value.str();
    addLaunch(context, *kernel.summary, std::move(other),
              "launch blocks of " + size.str() + " in a grid of " + grid +
                  " instead of " + launch.block->value.str(),
              variants);
  }
}

} // namespace auspex::fixes
