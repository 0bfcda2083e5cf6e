// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Kernel/LaunchConfig.h"

#include "SummaryExprs.h"
#include "auspex/Expr/Period.h"
#include "auspex/Kernel/KernelNames.h"
#include "auspex/Kernel/LaunchLimits.h"
#include "auspex/Kernel/LaunchUse.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

#include <cmath>
#include <utility>

using namespace auspex;

//===----------------------------------------------------------------------===//
// Origins
//===----------------------------------------------------------------------===//

llvm::StringRef auspex::toString(LaunchOrigin origin) {
  switch (origin) {
  case LaunchOrigin::Assumed:
    return "assumed";
  case LaunchOrigin::Source:
    return "source";
  case LaunchOrigin::Defaults:
    return "defaults";
  case LaunchOrigin::Pragma:
    return "pragma";
  case LaunchOrigin::File:
    return "file";
  case LaunchOrigin::CommandLine:
    return "command-line";
  case LaunchOrigin::Profile:
    return "profile";
  }
  llvm_unreachable("covered switch");
}

/// The origin as the end of a sentence.
static llvm::StringRef phrase(LaunchOrigin origin) {
  switch (origin) {
  case LaunchOrigin::Assumed:
    return "assumed";
  case LaunchOrigin::Source:
    return "from the source";
  case LaunchOrigin::Defaults:
    return "from the source, run without arguments";
  case LaunchOrigin::Pragma:
    return "from a pragma";
  case LaunchOrigin::File:
    return "from a launches file";
  case LaunchOrigin::CommandLine:
    return "from the command line";
  case LaunchOrigin::Profile:
    return "from a profile";
  }
  llvm_unreachable("covered switch");
}

LaunchOrigin auspex::statedOrigin(const LaunchConfig &launch) {
  if (launch.grid)
    return launch.grid->origin;
  if (launch.block)
    return launch.block->origin;
  if (launch.chosenBlock)
    return launch.chosenBlock->origin;
  if (launch.dynamicShared)
    return launch.dynamicShared->origin;
  if (launch.registers)
    return launch.registers->origin;
  if (launch.maxBlocksPerSM)
    return launch.maxBlocksPerSM->origin;
  if (launch.warmL2)
    return launch.warmL2->origin;
  if (!launch.arguments.empty())
    return launch.arguments.begin()->second.origin;
  if (!launch.floatArguments.empty())
    return launch.floatArguments.begin()->second.origin;
  return launch.objectsInBytes.empty()
             ? LaunchOrigin::Source
             : launch.objectsInBytes.begin()->second.origin;
}

LaunchOrigin LaunchConfig::origin() const {
  if (!grid || !block)
    return LaunchOrigin::Assumed;
  return std::min(grid->origin, block->origin);
}

/// The most certain origin of any part: that of the statement whose place the
/// launch has. What others fill in is less certain.
static LaunchOrigin ownOrigin(const LaunchConfig &launch) {
  LaunchOrigin own = LaunchOrigin::Assumed;
  auto take = [&](const auto &part) {
    if (part)
      own = std::max(own, part->origin);
  };
  take(launch.grid);
  take(launch.block);
  take(launch.chosenBlock);
  take(launch.dynamicShared);
  take(launch.registers);
  take(launch.maxBlocksPerSM);
  take(launch.warmL2);
  for (const auto &argument : launch.arguments)
    take(&argument.second);
  for (const auto &argument : launch.floatArguments)
    take(&argument.second);
  for (const auto &object : launch.objectsInBytes)
    take(&object.second);
  return own;
}

/// The sizes, who states them, and where.
static std::string sizesText(const LaunchConfig &launch) {
  LaunchOrigin own = ownOrigin(launch);
  std::string place;
  if (launch.location.isKnown())
    place = (llvm::sys::path::filename(launch.location.file) + ":" +
             llvm::Twine(launch.location.line))
                .str();
  auto origin = [&](LaunchOrigin of) {
    std::string text = phrase(of).str();
    if (of == own && of != LaunchOrigin::Assumed && !place.empty())
      text += " (" + std::exchange(place, "") + ")";
    return text;
  };
  auto size = [](llvm::StringRef name,
                 const std::optional<Stated<Dim3>> &part) {
    return (name + " " + (part ? part->value.str() : "not known")).str();
  };
  std::string text = size("grid", launch.grid);
  bool same = launch.grid && launch.block &&
              launch.grid->origin == launch.block->origin;
  if (launch.grid && !same)
    text += " " + origin(launch.grid->origin);
  text += " and " + size("block", launch.block);
  if (launch.block)
    text += " " + origin(launch.block->origin);
  bool isShown = (launch.grid && launch.grid->origin == own) ||
                 (launch.block && launch.block->origin == own);
  if (own <= LaunchOrigin::Source && !place.empty())
    return text + " for the launch at " + place;
  if (isShown || own <= LaunchOrigin::Source)
    return text;
  bool ofArguments = llvm::any_of(launch.arguments, [&](const auto &argument) {
    return argument.second.origin == own;
  });
  return text + (ofArguments ? ", arguments " : ", the rest ") + origin(own);
}

std::string LaunchConfig::originText() const {
  return sizesText(*this) + (isL2Warm() ? ", L2 warm" : "");
}

//===----------------------------------------------------------------------===//
// Completion
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Check
//===----------------------------------------------------------------------===//

/// The rules a kernel sets for its own blocks.
static std::string ownBoundProblem(const Dim3 &block,
                                   const KernelSummary &summary) {
  const unsigned *bound = summary.requiredBlock;
  Dim3 required{bound[0], std::max(bound[1], 1u), std::max(bound[2], 1u)};
  if (bound[0] && !(block == required))
    return "the kernel is compiled for blocks of " + required.str() +
           " alone, not " + block.str();
  if (summary.maxThreadsPerBlock && block.count() > summary.maxThreadsPerBlock)
    return std::to_string(block.count()) + " threads exceed the " +
           std::to_string(summary.maxThreadsPerBlock) +
           " of the kernel's __launch_bounds__";
  return "";
}

static std::string sharedProblem(const LaunchConfig &config,
                                 const KernelSummary &summary, const GPU &gpu) {
  auto most = static_cast<uint64_t>(gpu[Q::SharedPerBlockOptIn]);
  auto mostStatic = static_cast<uint64_t>(gpu[Q::SharedPerBlock]);
  if (summary.staticSharedInBytes > mostStatic)
    return std::to_string(summary.staticSharedInBytes) +
           " B of static shared memory exceed the " +
           std::to_string(mostStatic) + " B (dynamic: " + std::to_string(most) +
           " B) a block can have";
  uint64_t dynamic = config.dynamicShared ? config.dynamicShared->value : 0;
  if (dynamic <= most && summary.staticSharedInBytes + dynamic <= most)
    return "";
  std::string text = std::to_string(dynamic) + " B of dynamic shared memory";
  if (summary.staticSharedInBytes)
    text += " and " + std::to_string(summary.staticSharedInBytes) + " B static";
  return text + " exceed the " + std::to_string(most) + " B a block can have";
}

/// An estimate may be too high: only registers that somebody knows can keep a
/// launch from starting.
static std::string registerProblem(const LaunchConfig &config,
                                   const KernelSummary &summary,
                                   const GPU &gpu) {
  if (!config.registers && summary.registerOrigin == RegisterOrigin::Estimated)
    return "";
  BlockResources resources = blockResources(config, summary);
  if (computeOccupancy(gpu, resources).limitRegisters)
    return "";
  return noBlockReason(smLimits(gpu), resources);
}

std::optional<LaunchProblem> auspex::launchProblem(const LaunchConfig &config,
                                                   const KernelSummary &summary,
                                                   const GPU &gpu) {
  if (!config.grid)
    return LaunchProblem{"grid", "nobody states it"};
  if (!config.block)
    return LaunchProblem{"block", "nobody states it"};
  LaunchLimits limits = launchLimits(gpu);
  std::string on = " on " + gpu.name;
  std::string problem = gridProblem(config.grid->value, limits);
  if (!problem.empty())
    return LaunchProblem{"grid", problem + on};
  problem = blockProblem(config.block->value, limits);
  if (!problem.empty())
    return LaunchProblem{"block", problem + on};
  problem = ownBoundProblem(config.block->value, summary);
  if (!problem.empty())
    return LaunchProblem{"block", problem};
  problem = sharedProblem(config, summary, gpu);
  if (!problem.empty())
    return LaunchProblem{"shared", problem + on};
  problem = registerProblem(config, summary, gpu);
  if (!problem.empty())
    return LaunchProblem{"registers", problem + on};
  return std::nullopt;
}

llvm::Error auspex::checkLaunch(const LaunchConfig &config,
                                const KernelSummary &summary, const GPU &gpu) {
  std::optional<LaunchProblem> problem = launchProblem(config, summary, gpu);
  if (!problem)
    return llvm::Error::success();
  return makeInputError(
      {config.location.file, config.location.line,
       qualifiedName(summary.name) + ": " + problem->part.str()},
      problem->message);
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

/// What all \p launches say of a part, with the same value; else nothing.
template <typename T, typename Part>
static std::optional<Stated<T>> agreed(llvm::ArrayRef<LaunchConfig> launches,
                                       Part part) {
  std::optional<Stated<T>> common;
  for (const LaunchConfig &launch : launches) {
    std::optional<Stated<T>> own = part(launch);
    if (!own || (common && !(common->value == own->value)))
      return std::nullopt;
    common = own;
  }
  return common;
}

/// Puts into \p part of \p launch what all of \p source say of a name there.
template <typename T>
static void fillFrom(llvm::ArrayRef<LaunchConfig> source,
                     std::map<std::string, Stated<T>> LaunchConfig::*part,
                     LaunchConfig &launch) {
  for (const auto &entry : source.front().*part) {
    const std::string &name = entry.first;
    auto common = agreed<T>(source, [&](const LaunchConfig &l) {
      auto found = (l.*part).find(name);
      return found == (l.*part).end() ? std::nullopt
                                      : std::optional<Stated<T>>(found->second);
    });
    if (common)
      (launch.*part).try_emplace(name, *common);
  }
}

/// Whether \p launch has other arguments than \p source, or another number of
/// threads, so that it works on objects of other sizes.
static bool isOfOtherSize(const LaunchConfig &launch,
                          const LaunchConfig &source) {
  auto threads = [](const LaunchConfig &l) -> std::optional<uint64_t> {
    if (!l.grid || !l.block)
      return std::nullopt;
    return llvm::SaturatingMultiply<uint64_t>(l.grid->value.count(),
                                              l.block->value.count());
  };
  auto here = threads(launch), there = threads(source);
  return (here && there && *here != *there) ||
         llvm::any_of(source.arguments, [&](const auto &argument) {
           auto own = launch.arguments.find(argument.first);
           return own != launch.arguments.end() &&
                  own->second.value != argument.second.value;
         });
}

/// Fills what \p launch leaves out.
static void fillFromSource(LaunchConfig &launch, const KernelSummary &summary,
                           llvm::ArrayRef<LaunchConfig> source) {
  if (!launch.grid)
    launch.grid =
        agreed<Dim3>(source, [](const LaunchConfig &l) { return l.grid; });
  // Its number of blocks is one for blocks of the source.
  bool isOwnGrid = launch.grid && launch.grid->origin > LaunchOrigin::Source;
  if (!launch.gridOfArguments && !launch.block && !isOwnGrid)
    launch.gridOfArguments = agreed<std::array<Expr, 3>>(
        source, [](const LaunchConfig &l) { return l.gridOfArguments; });
  if (!launch.block)
    launch.block =
        agreed<Dim3>(source, [](const LaunchConfig &l) { return l.block; });
  if (!launch.block && !launch.chosenBlock)
    launch.chosenBlock = agreed<ChosenBlock>(
        source, [](const LaunchConfig &l) { return l.chosenBlock; });
  if (!launch.dynamicShared)
    launch.dynamicShared = agreed<uint64_t>(
        source, [](const LaunchConfig &l) { return l.dynamicShared; });
  // A wrong name of an argument is complained about when the launch is used.
  auto resolved = resolveArguments(launch, summary);
  if (!resolved)
    return llvm::consumeError(resolved.takeError());
  launch = std::move(*resolved);
  if (source.empty())
    return;
  fillFrom<int64_t>(source, &LaunchConfig::arguments, launch);
  fillFrom<double>(source, &LaunchConfig::floatArguments, launch);
  if (launch.inHostMemory.empty() &&
      llvm::all_of(source, [&](const LaunchConfig &other) {
        return other.inHostMemory == source.front().inHostMemory;
      }))
    launch.inHostMemory = source.front().inHostMemory;
  // An allocation is as large as what the source says it is made for.
  if (llvm::none_of(source, [&](const LaunchConfig &other) {
        return isOfOtherSize(launch, other);
      }))
    fillFrom<uint64_t>(source, &LaunchConfig::objectsInBytes, launch);
}

/// Without the variables that the source sets and the kernel has no use for.
static LaunchConfig withoutOtherVariables(LaunchConfig launch,
                                          const KernelSummary &summary) {
  auto isOther = [&](const auto &entry) {
    llvm::StringRef symbol = entry.first;
    return symbol.starts_with("@") && argumentName(summary, symbol).empty();
  };
  std::erase_if(launch.arguments, isOther);
  std::erase_if(launch.floatArguments, isOther);
  std::erase_if(launch.objectsInBytes, isOther);
  std::erase_if(launch.inHostMemory, [&](llvm::StringRef symbol) {
    return symbol.starts_with("@") && argumentName(summary, symbol).empty();
  });
  return launch;
}

/// Adds \p launch to \p launches, unless it differs from one of them only in
/// how large objects are of which that does not count.
static void addUnlessSame(std::vector<LaunchConfig> &launches,
                          const LaunchConfig &launch,
                          const KernelSummary &summary) {
  auto telling = [&](LaunchConfig one) {
    one.objectsInBytes = withoutIdleArguments(one, summary).objectsInBytes;
    one.warmL2.reset();
    one.location = {};
    return one;
  };
  auto same = llvm::find_if(launches, [&](const LaunchConfig &other) {
    return launch.objectsInBytes != other.objectsInBytes &&
           launch.arguments == other.arguments &&
           telling(launch) == telling(other);
  });
  if (same == launches.end())
    launches.push_back(launch);
  else if (launch.warmL2)
    same->warmL2 = launch.warmL2;
}

std::vector<LaunchConfig>
auspex::chooseLaunches(const KernelSummary &summary,
                       llvm::ArrayRef<LaunchConfig> stated,
                       llvm::ArrayRef<LaunchConfig> fromSource) {
  std::vector<LaunchConfig> chosen, pragmas, source;
  for (const LaunchConfig &launch : stated)
    if (isCalled(launch.kernel, summary))
      chosen.push_back(launch);
  for (const LaunchConfig &launch : fromSource)
    if (isCalled(launch.kernel, summary))
      addUnlessSame(statedOrigin(launch) == LaunchOrigin::Pragma ? pragmas
                                                                 : source,
                    withoutOtherVariables(launch, summary), summary);
  if (chosen.empty())
    chosen = std::move(pragmas);
  if (chosen.empty())
    return source;
  for (LaunchConfig &launch : chosen)
    fillFromSource(launch, summary, source);
  return chosen;
}
