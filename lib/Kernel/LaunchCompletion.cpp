// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands for the block and the grid that nobody stated, and what a block
// of the launch then asks of an SM.
#include "auspex/Kernel/LaunchConfig.h"
#include "auspex/Kernel/LaunchUse.h"

#include "SummaryExprs.h"
#include "auspex/Expr/Period.h"
#include "auspex/Footprint/SymbolKinds.h"
#include "auspex/Kernel/LaunchLimits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

using namespace auspex;

BlockResources auspex::blockResources(const LaunchConfig &config,
                                      const KernelSummary &summary) {
  BlockResources resources;
  // A source may state blocks of any size; 32 bits hold all that can run.
  const Dim3 &block = config.block->value;
  resources.threadsPerBlock = llvm::SaturatingMultiply<uint32_t>(
      llvm::SaturatingMultiply<uint32_t>(block.x, block.y), block.z);
  resources.registersPerThread =
      config.registers ? config.registers->value : summary.registers;
  resources.staticShared = summary.staticSharedInBytes;
  resources.dynamicShared =
      config.dynamicShared ? config.dynamicShared->value : 0;
  resources.maxDynamicShared = resources.dynamicShared;
  return resources;
}

/// Whether \p term tells threads or blocks apart by their index \p symbol: not
/// by which of them is the first alone, nor by their numbers in the block or
/// grid, whatever the shape of that.
static bool tellsApart(const Expr &term, llvm::StringRef symbol) {
  if (term.isZero() || term.uses("ntid.x") || term.uses("nctaid.x"))
    return false;
  return llvm::any_of(term.sum().front().factors, [&](const auto &factor) {
    const Atom &atom = *factor.atom;
    if (atom.kind == Atom::Kind::EqualZero || atom.kind == Atom::Kind::NotZero)
      return false;
    return atom.kind == Atom::Kind::Symbol
               ? atom.name == symbol
               : llvm::any_of(atom.operands, [&](const Expr &operand) {
                   return operand.uses(symbol);
                 });
  });
}

namespace {
/// Along which axes besides x the code tells threads, or blocks, apart.
struct Axes {
  bool y = false, z = false;

  Axes(const KernelSummary &summary, llvm::StringRef alongY,
       llvm::StringRef alongZ) {
    forEachExpr(summary, [&](const Expr &expr) {
      expr.forEachTerm([&](const Expr &term) {
        y |= tellsApart(term, alongY);
        z |= tellsApart(term, alongZ);
      });
    });
  }
};
} // namespace

/// \p count as up to three sides, as like each other as they can be.
static Dim3 sidesOf(int64_t count, Axes axes) {
  auto divisorUpTo = [](int64_t number, double most) {
    int64_t divisor = std::max<int64_t>(1, static_cast<int64_t>(most));
    while (number % divisor)
      --divisor;
    return divisor;
  };
  auto number = static_cast<double>(count);
  int64_t z = axes.z ? divisorUpTo(count, axes.y ? std::cbrt(number)
                                                 : std::sqrt(number))
                     : 1;
  int64_t inPlane = count / z;
  int64_t y =
      axes.y ? divisorUpTo(inPlane, std::sqrt(static_cast<double>(inPlane)))
             : 1;
  return {inPlane / y, y, z};
}

/// Whether what threads have in shared arrays by their indices alone is there
/// for the last thread of \p block too.
static bool fitsSharedArrays(const Dim3 &block, const KernelSummary &summary) {
  auto valueOf = [&](llvm::StringRef symbol) -> std::optional<int64_t> {
    if (llvm::any_of(summary.loops,
                     [&](const Loop &loop) { return loop.iv == symbol; }))
      return 0;
    for (unsigned axis = 0; axis < 3; ++axis) {
      const char name = "xyz"[axis];
      if (symbol == std::string("tid.") + name)
        return block[axis] - 1;
      if (symbol == std::string("ntid.") + name)
        return block[axis];
    }
    return std::nullopt;
  };
  // Conditions on threads alone let some of a block pass.
  auto choosesThreads = [](const Expr &guard) {
    return llvm::any_of(guard.conjuncts(), [](const Expr &condition) {
      return condition.usesAny(isThreadIndex) &&
             !condition.usesAny(isBlockIndex);
    });
  };
  return llvm::all_of(summary.accesses, [&](const Access &access) {
    const MaybeExpr &guard = summary.blocks[access.block].guard;
    if (access.space != MemorySpace::Shared || access.objectInBytes == 0 ||
        !access.offset.isKnown() || !guard.isKnown() ||
        choosesThreads(guard.expr))
      return true;
    // Rows do not overlap.
    const Expr &offset = access.offset.expr;
    int64_t alongX = stepAlong(offset, "tid.x"),
            alongY = stepAlong(offset, "tid.y");
    if ((alongX > 0 && alongX < alongY && alongX * block.x > alongY) ||
        (alongY > 0 && alongY < alongX && alongY * block.y > alongX))
      return false;
    std::optional<int64_t> last = offset.evaluate(valueOf);
    return !last || *last < 0 ||
           static_cast<uint64_t>(*last) + access.bytesPerLane <=
               access.objectInBytes;
  });
}

/// Blocks of at most as many threads as \p most, along the same axes, the
/// larger ones first.
static std::vector<Dim3> smallerBlocks(const Dim3 &most) {
  std::vector<Dim3> blocks;
  for (int64_t z = most.z; z >= 1; z /= 2)
    for (int64_t x = most.x * most.y; x >= 1; x /= 2)
      for (int64_t y = most.y > 1 ? most.x * most.y / x : 1; y >= 1; y /= 2)
        blocks.push_back({x, y, z});
  llvm::stable_sort(blocks, [](const Dim3 &a, const Dim3 &b) {
    return a.count() > b.count();
  });
  return blocks;
}

/// The largest block that no shared array of the kernel is too small for.
static Dim3 asSharedArraysAllow(const Dim3 &block,
                                const KernelSummary &summary) {
  if (fitsSharedArrays(block, summary))
    return block;
  for (const Dim3 &smaller : smallerBlocks(block))
    if (fitsSharedArrays(smaller, summary))
      return smaller;
  return block;
}

static Dim3 assumedBlock(const KernelSummary &summary, const GPU &gpu) {
  const unsigned *required = summary.requiredBlock;
  if (required[0])
    return {required[0], std::max(required[1], 1u), std::max(required[2], 1u)};
  int64_t threads =
      summary.maxThreadsPerBlock ? summary.maxThreadsPerBlock : 256;
  threads = std::min(threads, launchLimits(gpu).threadsPerBlock);
  Axes axes(summary, "tid.y", "tid.z");
  int64_t warps = threads / LaunchShape::WarpSize;
  if ((!axes.y && !axes.z) || warps < 2)
    return asSharedArraysAllow({threads}, summary);
  int64_t z = axes.z ? 2 : 1;
  return asSharedArraysAllow({LaunchShape::WarpSize, warps / z, z}, summary);
}

/// Puts in the block that the library chooses, and the grid that follows. If no
/// block fits, checkLaunch complains about the one that is assumed then.
static void chooseBlock(LaunchConfig &config, const KernelSummary &summary,
                        const GPU &gpu) {
  const Stated<ChosenBlock> &chosen = *config.chosenBlock;
  unsigned limit = summary.maxThreadsPerBlock;
  if (chosen.value.limit && (!limit || chosen.value.limit < limit))
    limit = chosen.value.limit;
  LaunchConfig asked = config;
  asked.block = {Dim3{1}, chosen.origin};
  asked.dynamicShared = {chosen.value.shared, chosen.origin};
  BlockResources resources = blockResources(asked, summary);
  int64_t threads = maxPotentialBlockSize(gpu, resources, limit);
  if (threads == 0)
    return;
  config.block = {Dim3{threads}, chosen.origin};
  if (config.grid || !chosen.value.threads)
    return;
  resources.threadsPerBlock = threads;
  int64_t filling = static_cast<int64_t>(gpu[Q::SMCount]) *
                    computeOccupancy(gpu, resources).activeBlocksPerSM;
  int64_t covering = static_cast<int64_t>(
      llvm::divideCeil(static_cast<uint64_t>(*chosen.value.threads), threads));
  config.grid = {Dim3{covering ? covering : filling}, chosen.origin};
}

bool auspex::isOfGPU(llvm::StringRef symbol) {
  return symbol == SMCountSymbol || symbol == MaxThreadsPerSMSymbol ||
         symbol == BlocksPerSMSymbol;
}

static std::optional<int64_t> valueOnGPU(llvm::StringRef symbol,
                                         const LaunchConfig &config,
                                         const KernelSummary &summary,
                                         const GPU &gpu) {
  if (symbol == SMCountSymbol)
    return static_cast<int64_t>(gpu[Q::SMCount]);
  if (symbol == MaxThreadsPerSMSymbol)
    return static_cast<int64_t>(gpu[Q::MaxThreadsPerSM]);
  if (symbol == BlocksPerSMSymbol && config.block)
    return computeOccupancy(gpu, blockResources(config, summary))
        .activeBlocksPerSM;
  return std::nullopt;
}

/// The grid as it follows from the arguments and the GPU; none if one of them
/// is not stated or there is no such grid.
static std::optional<Stated<Dim3>> gridFrom(const LaunchConfig &config,
                                            const KernelSummary &summary,
                                            const GPU &gpu) {
  std::array<int64_t, 3> grid;
  auto argument = [&](llvm::StringRef symbol) -> std::optional<int64_t> {
    if (std::optional<int64_t> value = valueOnGPU(symbol, config, summary, gpu))
      return value;
    auto found = config.arguments.find(symbol.str());
    if (found == config.arguments.end())
      return std::nullopt;
    return found->second.value;
  };
  for (unsigned axis = 0; axis < 3; ++axis) {
    std::optional<int64_t> blocks =
        config.gridOfArguments->value[axis].evaluate(argument);
    if (!blocks || *blocks < 1)
      return std::nullopt;
    grid[axis] = *blocks;
  }
  return Stated<Dim3>{{grid[0], grid[1], grid[2]},
                      config.gridOfArguments->origin};
}

/// Whether somebody states an argument of the grid's who is more certain than
/// who states the grid.
static bool isGridOutdated(const LaunchConfig &config) {
  return llvm::any_of(config.arguments, [&](const auto &argument) {
    return argument.second.origin > config.grid->origin &&
           llvm::any_of(config.gridOfArguments->value, [&](const Expr &axis) {
             return axis.uses(argument.first);
           });
  });
}

LaunchConfig auspex::completeLaunch(const LaunchConfig &config,
                                    const KernelSummary &summary,
                                    const GPU &gpu) {
  LaunchConfig result = config;
  if (addressesVary(config, summary))
    result.warmL2.reset();
  if (!result.isL2Warm())
    result.bytesBetween = 0;
  result.variesByRound.clear();
  if (!result.block && result.chosenBlock)
    chooseBlock(result, summary, gpu);
  if (!result.block)
    result.block = {assumedBlock(summary, gpu), LaunchOrigin::Assumed};
  if (!result.dynamicShared)
    result.dynamicShared = {0, LaunchOrigin::Assumed};
  if (result.gridOfArguments && (!result.grid || isGridOutdated(result)))
    if (std::optional<Stated<Dim3>> grid = gridFrom(result, summary, gpu))
      result.grid = grid;
  if (result.grid)
    return result;
  int64_t blocks =
      computeOccupancy(gpu, blockResources(result, summary)).activeBlocksPerSM;
  if (result.maxBlocksPerSM)
    blocks = std::min<int64_t>(blocks, result.maxBlocksPerSM->value);
  // A block that does not fit is checkLaunch's to complain about.
  blocks = std::max<int64_t>(blocks, 1);
  result.grid = {sidesOf(static_cast<int64_t>(gpu[Q::SMCount]) * blocks,
                         Axes(summary, "ctaid.y", "ctaid.z")),
                 LaunchOrigin::Assumed};
  return result;
}

LaunchConfig auspex::inBlocksOf(const LaunchConfig &launch, const Dim3 &block,
                                LaunchOrigin origin) {
  const Dim3 &oldGrid = launch.grid->value, &oldBlock = launch.block->value;
  auto covering = [&](unsigned axis) {
    return static_cast<int64_t>(llvm::divideCeil(
        static_cast<uint64_t>(oldGrid[axis]) * oldBlock[axis], block[axis]));
  };
  LaunchConfig result = launch;
  result.grid = {Dim3{covering(0), covering(1), covering(2)}, origin};
  result.block = {block, origin};
  result.chosenBlock.reset();
  result.gridOfArguments.reset();
  return result;
}
