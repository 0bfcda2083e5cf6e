// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BindParts.h"

#include "auspex/Expr/Period.h"
#include "auspex/Kernel/KernelNames.h"
#include "auspex/Kernel/MemoryLimits.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace auspex;

//===----------------------------------------------------------------------===//
// Resources
//===----------------------------------------------------------------------===//

static BlockResources blockOf(const BoundKernel &kernel, const GPU &gpu) {
  BlockResources block = blockResources(kernel.launch, *kernel.summary);
  block.registersPerThread =
      std::min<unsigned>(kernel.registers, gpu[Q::MaxRegistersPerThread]);
  return block;
}

static Occupancy occupancyOf(const BoundKernel &kernel, const GPU &gpu) {
  const LaunchConfig &launch = kernel.launch;
  Occupancy occupancy = computeOccupancy(gpu, blockOf(kernel, gpu));
  if (launch.maxBlocksPerSM &&
      launch.maxBlocksPerSM->value < occupancy.activeBlocksPerSM) {
    occupancy.activeBlocksPerSM = launch.maxBlocksPerSM->value;
    occupancy.limitBlocks = launch.maxBlocksPerSM->value;
    occupancy.limiters = LimitBlocks;
    occupancy.activeWarpsPerSM =
        occupancy.activeBlocksPerSM * kernel.shape.warpsPerBlock();
    occupancy.occupancy = occupancy.activeWarpsPerSM * LaunchShape::WarpSize /
                          gpu[Q::MaxThreadsPerSM];
  }
  return occupancy;
}

BoundKernel auspex::withMaxBlocksPerSM(BoundKernel kernel, unsigned blocks,
                                       const GPU &gpu) {
  kernel.launch.maxBlocksPerSM = {blocks, LaunchOrigin::Assumed};
  kernel.occupancy = occupancyOf(kernel, gpu);
  return kernel;
}

/// What is assumed of registers, of which \p estimate were found without a look
/// at the block.
static std::string estimateText(const BoundKernel &kernel, unsigned estimate) {
  std::string text =
      "registers a thread are an estimate: " + std::to_string(kernel.registers);
  if (estimate <= kernel.registers)
    return text;
  std::string threads = std::to_string(kernel.shape.block.count());
  return text + ", the most that blocks of " + threads +
         " threads can have, and not " + std::to_string(estimate) +
         ": compiled without __launch_bounds__(" + threads +
         "), the launch fails";
}

BoundKernel auspex::bindResources(const KernelSummary &summary,
                                  const LaunchConfig &launch, const GPU &gpu) {
  BoundKernel result;
  result.summary = &summary;
  result.launch = launch;
  result.shape = {launch.grid->value, launch.block->value};
  result.registers = summary.registers;
  result.registerOrigin = summary.registerOrigin;
  if (launch.registers) {
    result.registers = launch.registers->value;
    result.registerOrigin = RegisterOrigin::Override;
  }
  // Who launches such blocks compiles for them.
  const SMLimits limits = smLimits(gpu);
  unsigned estimate = result.registers;
  if (result.registerOrigin == RegisterOrigin::Estimated)
    if (unsigned most = mostRegisters(limits, blockOf(result, gpu), 1))
      result.registers = std::min(result.registers, most);
  result.occupancy = occupancyOf(result, gpu);
  // The source states a size that nobody can read, or the kernel uses memory
  // that nobody states.
  auto isOfSource = [](LaunchOrigin origin) {
    return origin == LaunchOrigin::Source || origin == LaunchOrigin::Defaults;
  };
  bool isFromSource =
      isOfSource(launch.grid->origin) || isOfSource(launch.block->origin);
  bool isGridAssumed = launch.grid->origin == LaunchOrigin::Assumed;
  if ((isGridAssumed || launch.block->origin == LaunchOrigin::Assumed) &&
      !launch.hangsOn.empty())
    result.assumptions.push_back(
        (isGridAssumed ? "a grid that fills the GPU" : "the block") +
        (": that of the source hangs on " + launch.hangsOn));
  bool isAssumed = !launch.dynamicShared ||
                   launch.dynamicShared->origin == LaunchOrigin::Assumed;
  if (isAssumed && (isFromSource || summary.usesDynamicShared))
    result.assumptions.push_back(
        "dynamic shared memory is not known: 0 B assumed");
  if (launch.chosenBlock)
    result.assumptions.push_back(
        "the block is what cudaOccupancyMaxPotentialBlockSize gives for " +
        std::to_string(result.registers) + " registers a thread");
  if (result.registerOrigin == RegisterOrigin::Estimated)
    result.assumptions.push_back(estimateText(result, estimate));
  if (launch.dynamicShared &&
      launch.dynamicShared->value + summary.staticSharedInBytes >
          limits.sharedPerBlock)
    result.assumptions.push_back(
        "the kernel is allowed " + std::to_string(launch.dynamicShared->value) +
        " B of dynamic shared memory, which takes cudaFuncSetAttribute");
  return result;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

/// Runs of the version that is unrolled \p unroll times: whole groups of each
/// stay in the loop; if stays differ in length, their mean rest is half a
/// group.
static double unrolledRuns(double executions, double entries, unsigned unroll) {
  if (unroll <= 1 || entries <= 0)
    return executions;
  double trips = executions / entries;
  double groups = std::abs(trips - std::round(trips)) < 1e-9
                      ? std::floor(std::round(trips) / unroll)
                      : std::max(0.0, (trips - (unroll - 1) / 2.0) / unroll);
  return entries * groups;
}

llvm::SmallVector<double, 2>
auspex::sharesOfVersions(const Block &block, const IterationDomain &turns,
                         llvm::StringRef counter) {
  llvm::SmallVector<double, 2> shares;
  double before = 0;
  int64_t unrollBefore = 0;
  for (const MachineCode &code : block.versions().drop_back()) {
    auto groups = turns.groupsOfTurns(counter, code.unroll);
    if (!groups || unrollBefore % code.unroll != 0 ||
        turns.warpExecutions() == 0)
      return {};
    double all = *groups * code.unroll / turns.warpExecutions();
    shares.push_back(all - before);
    before = all;
    unrollBefore = code.unroll;
  }
  return shares;
}

static bool loadsGlobalMemory(const InstructionMix &mix) {
  return llvm::any_of(
      instructionClassInfos(), [&](const InstructionClassInfo &info) {
        return isGlobalMemory(info.id) && isLoad(info.id) && mix[info.id] > 0;
      });
}

llvm::SmallVector<double, 4> auspex::codeExecutions(const Block &block,
                                                    const BoundBlock &runs) {
  llvm::SmallVector<double, 4> executions;
  double left = runs.warpExecutions;
  for (auto [i, code] : llvm::enumerate(block.versions())) {
    bool isLast = &code == &block.versions().back();
    double times = i < runs.shares.size()
                       ? runs.shares[i] * runs.warpExecutions / code.unroll
                   : isLast ? left / code.unroll
                            : unrolledRuns(left, runs.loopEntries, code.unroll);
    left -= times * code.unroll;
    executions.push_back(times);
  }
  for (const MachineCode &start :
       llvm::drop_begin(block.code, executions.size())) {
    double groups = 0;
    for (auto [version, times] : llvm::zip(block.versions(), executions))
      if (version.unroll == start.begins ||
          (start.begins > 1 && version.unroll > start.begins))
        groups += times * version.unroll / start.begins;
    executions.push_back(std::min(runs.loopEntries, groups));
  }
  return executions;
}

double auspex::instructionsIn(const Block &block, const BoundBlock &runs) {
  double count = 0;
  for (auto [code, times] : llvm::zip(block.code, codeExecutions(block, runs)))
    count += code.mix.total() * times;
  return count;
}

bool auspex::hasRetries(const KernelSummary &summary, llvm::StringRef wait) {
  return llvm::any_of(summary.accesses, [&](const Access &access) {
    int loop = summary.blocks[access.block].loop;
    return access.isRetried && loop >= 0 &&
           summary.loops[loop].tripCount.expr.uses(wait);
  });
}

InstructionMix auspex::pathOf(const Block &block, const BoundBlock &runs) {
  InstructionMix path;
  for (auto [code, times] : llvm::zip(block.code, codeExecutions(block, runs)))
    for (const InstructionClassInfo &info : instructionClassInfos())
      path[info.id] += times * runs.warpsPerRunner * waitedFor(code, info.id);
  return path;
}

void CodeSums::add(const Block &block, const BoundBlock &runs) {
  if (runs.warpExecutions == 0)
    return;
  path.add(pathOf(block, runs), 1);
  double added = 0;
  for (auto [code, times] :
       llvm::zip(block.code, codeExecutions(block, runs))) {
    instructions.add(code.mix, times);
    threeOperands.add(code.threeOperands, times * runs.warpsPerRunner);
    asMultiplyAdds.add(code.asMultiplyAdds, times);
    added += code.mix.total() * times;
    ilp.add(code.ilp, times);
    // Code without loads has no memory-level parallelism to average.
    if (loadsGlobalMemory(code.mix))
      mlp.add(code.mlp, times);
  }
  lanes.add(runs.laneExecutions / runs.warpExecutions, added);
}

unsigned auspex::neighboursOf(const Access &access,
                              const KernelSummary &summary) {
  constexpr unsigned WidestInBytes = 16;
  const Block &block = summary.blocks[access.block];
  if (access.space != MemorySpace::Shared || access.kind != AccessKind::Load ||
      block.loop < 0 || block.code.empty() || !access.offset.isKnown())
    return 1;
  const std::string &counter = summary.loops[block.loop].iv;
  const Expr &offset = access.offset.expr;
  int64_t step = stepAlong(offset, counter);
  if (std::abs(step) != access.bytesPerLane)
    return 1;
  // Only what begins at multiples of its width can be loaded at once.
  Expr begin = offset - Expr(step) * Expr::symbol(counter);
  unsigned widest =
      std::min(WidestInBytes, block.code.front().unroll * access.bytesPerLane);
  for (unsigned width = llvm::bit_floor(widest); width > access.bytesPerLane;
       width /= 2)
    if (Expr::mod(begin, width).isZero())
      return width / access.bytesPerLane;
  return 1;
}

double BoundKernel::executionsOff(size_t block) const {
  int joined = summary->blocks[block].predicatedIn;
  return joined < 0 ? 0
                    : std::max(0.0, blocks[joined].warpExecutions -
                                        blocks[block].warpExecutions);
}

/// Instructions that warps issue with no lane active. They use no unit, but
/// accesses to shared memory.
static double predicatedOff(const BoundKernel &kernel) {
  double count = 0;
  for (auto [i, block] : llvm::enumerate(kernel.summary->blocks)) {
    if (block.predicatedIn < 0)
      continue;
    BoundBlock off = kernel.blocks[block.predicatedIn];
    off.warpExecutions = kernel.executionsOff(i);
    count += instructionsIn(block, off);
  }
  return count;
}

void CodeSums::finish(BoundKernel &kernel) const {
  double warps = std::max(1.0, kernel.warps());
  kernel.instructions = instructions.scaled(1 / warps);
  kernel.instructions[InstructionClass::Control] +=
      predicatedOff(kernel) / warps;
  kernel.path = path.scaled(1 / warps);
  kernel.threeOperands = threeOperands.scaled(1 / warps);
  kernel.asMultiplyAdds = asMultiplyAdds.scaled(1 / warps);
  kernel.activeLanes = lanes.mean(LaunchShape::WarpSize);
  kernel.ilp = ilp.mean(1);
  kernel.mlp = mlp.mean(1);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

MemoryGranularity auspex::granularityOf(const GPU &gpu) {
  return {static_cast<unsigned>(gpu[Q::Sector]),
          static_cast<unsigned>(gpu.valueOr(Q::L1Line, 128)),
          static_cast<unsigned>(gpu[Q::SharedBanks]),
          gpu.arch >= 80   ? L1Rule::Tags
          : gpu.arch >= 70 ? L1Rule::Windows
                           : L1Rule::Lines};
}

MemoryGranularity auspex::granularityOf(const GPU &gpu, MemorySpace space) {
  MemoryGranularity sizes = granularityOf(gpu);
  if (space == MemorySpace::Constant)
    sizes.sectorInBytes = MemoryGranularity::BankInBytes;
  return sizes;
}

double auspex::objectInBytes(const Access &access, const LaunchConfig &launch) {
  uint64_t bytes = access.objectInBytes;
  if (auto stated = launch.objectsInBytes.find(access.base);
      !bytes && stated != launch.objectsInBytes.end())
    bytes = stated->second.value;
  // What has no room on any GPU is not known.
  return bytes <= MostBytes ? static_cast<double>(bytes) : 0;
}

void auspex::sumObjects(BoundKernel &kernel, const GPU &gpu,
                        Scenario scenario) {
  auto mayBeGlobal = [&](const Access &access) {
    return access.space == MemorySpace::Global ||
           (access.space == MemorySpace::Unknown && scenario != Scenario::Low);
  };
  kernel.objects.clear();
  std::map<std::string, unsigned> places;
  std::vector<std::optional<Interval>> extents;
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses)) {
    bound.object = -1;
    if (!mayBeGlobal(access) || bound.counts.requests == 0)
      continue;
    auto [place, isNew] =
        places.try_emplace(access.base, kernel.objects.size());
    if (isNew) {
      kernel.objects.push_back({access.base});
      extents.push_back(bound.extent);
    }
    bound.object = place->second;
    BoundObject &object = kernel.objects[place->second];
    double bytes = bound.counts.sectors * gpu[Q::Sector];
    if (access.kind != AccessKind::Store)
      object.loadedInBytes += bytes;
    if (access.kind != AccessKind::Load)
      object.storedInBytes += bytes;
    if (double bytes = objectInBytes(access, kernel.launch))
      object.sizeInBytes = bytes;
    std::optional<Interval> &extent = extents[place->second];
    // Objects that a choice is between lie far from each other.
    bool isOne =
        !access.base.empty() && access.base.find('|') == std::string::npos;
    if (extent && bound.extent && isOne)
      extent = Interval{std::min(extent->low, bound.extent->low),
                        std::max(extent->high, bound.extent->high)};
    else
      extent.reset();
  }
  for (auto [object, extent] : llvm::zip(kernel.objects, extents))
    if (extent)
      object.extentInBytes = bytesOf(*extent);
}

void auspex::assume(BoundKernel &kernel, std::string sentence) {
  if (!llvm::is_contained(kernel.assumptions, sentence))
    kernel.assumptions.push_back(std::move(sentence));
}

void auspex::leaveOpen(BoundKernel &kernel, std::string sentence) {
  kernel.isComplete = false;
  if (!llvm::is_contained(kernel.unknowns, sentence))
    kernel.unknowns.push_back(std::move(sentence));
}

void auspex::leaveEndless(BoundKernel &kernel, std::string sentence) {
  kernel.isComplete = kernel.hasUpperBound = false;
  if (!llvm::is_contained(kernel.unknowns, sentence))
    kernel.unknowns.insert(kernel.unknowns.begin(), std::move(sentence));
}

std::vector<std::string> auspex::callsLeftOut(const BoundKernel &kernel) {
  std::vector<std::string> sentences;
  for (const Callee &callee : kernel.summary->callees) {
    if (callee.whyLeftOut.empty() ||
        kernel.blocks[callee.block].warpExecutions == 0)
      continue;
    std::string sentence =
        callee.name.empty()
            ? "what a function does that is called through a pointer is not "
              "counted"
            : "what " + qualifiedName(callee.name) +
                  " does is not counted: " + callee.whyLeftOut;
    if (!llvm::is_contained(sentences, sentence))
      sentences.push_back(std::move(sentence));
  }
  return sentences;
}

std::vector<std::string> auspex::arraysOfHost(const BoundKernel &kernel) {
  std::vector<std::string> sentences;
  for (const std::string &symbol : kernel.launch.inHostMemory) {
    auto isOfIt = [&](const auto &accessed) {
      const auto &[access, bound] = accessed;
      return access.base == symbol && bound.counts.requests > 0;
    };
    if (llvm::any_of(llvm::zip(kernel.summary->accesses, kernel.accesses),
                     isOfIt))
      sentences.push_back(argumentName(*kernel.summary, symbol) +
                          " lies in the host's memory and is timed as if in "
                          "the GPU's own: the link between them is left out");
  }
  return sentences;
}
