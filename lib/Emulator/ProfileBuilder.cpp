// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ProfileBuilder.h"

#include "ProgramCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DerivedTypes.h"

#include <cmath>

using namespace auspex;
using namespace auspex::emulator;

using Contexts = llvm::ArrayRef<std::unique_ptr<ThreadContext>>;

static void addBlocks(const LaunchRun &launch, Contexts contexts,
                      DynamicProfile &profile) {
  const Code &code = *launch.code;
  profile.blocks.resize(code.instructions.size());
  for (size_t i = 0; i < profile.blocks.size(); ++i) {
    BlockProfile &block = profile.blocks[i];
    for (const auto &context : contexts) {
      const BlockCounter &counter = context->blocks[i];
      block.divergent += counter.divergent;
      block.loopEntries += counter.loopEntries;
      for (unsigned lanes = 1; lanes <= Lanes; ++lanes) {
        uint64_t times = counter.byLanes[lanes];
        block.warpExecutions += times;
        block.laneExecutions += times * lanes;
        block.byActiveLanes[(lanes - 1) / 4] += times;
      }
    }
    profile.warpInstructions += block.warpExecutions * code.instructions[i];
    profile.threadInstructions += block.laneExecutions * code.instructions[i];
  }
  for (const auto &context : contexts) {
    profile.calleeWarpInstructions += context->calleeWarpInstructions;
    profile.calleeThreadInstructions += context->calleeThreadInstructions;
    profile.mostInstructionsOfWarp = std::max(profile.mostInstructionsOfWarp,
                                              context->mostInstructionsOfWarp);
  }
}

/// Where the bytes lie that all threads saw, from the start of what they are
/// in; none if they are in several.
static std::optional<Interval> extentOf(const LaunchRun &launch,
                                        Contexts contexts, uint32_t index) {
  int64_t low = INT64_MAX, high = INT64_MIN;
  uint32_t allocation = AccessState::NoAllocation;
  for (const auto &context : contexts) {
    const AccessState &state = context->accesses[index];
    if (state.low > state.high)
      continue;
    if (allocation != AccessState::NoAllocation &&
        allocation != state.allocation)
      return std::nullopt;
    allocation = state.allocation;
    low = std::min(low, state.low);
    high = std::max(high, state.high);
  }
  if (low > high || allocation == AccessState::SeveralAllocations)
    return std::nullopt;
  auto special = [](MemoryRange::Kind kind) {
    return AccessState::specialAllocation(kind);
  };
  if (allocation == special(MemoryRange::Kind::Local))
    return std::nullopt;
  if (allocation != special(MemoryRange::Kind::Shared))
    return Interval{low, high};
  for (auto [begin, end] : launch.shared->arrays)
    if (low >= static_cast<int64_t>(begin) && high <= static_cast<int64_t>(end))
      return Interval{low - static_cast<int64_t>(begin),
                      high - static_cast<int64_t>(begin)};
  auto dynamic = static_cast<int64_t>(launch.shared->dynamicOffset);
  if (low >= dynamic)
    return Interval{low - dynamic, high - dynamic};
  return std::nullopt;
}

/// Makes sampled counts stand for all blocks of threads: requests and lanes are
/// known from how often the access's basic block ran.
static void scaleToAll(AccessProfile &access, const BlockProfile &block) {
  RequestCounts &counts = access.counts;
  if (counts.requests == 0)
    return;
  double scale = static_cast<double>(block.warpExecutions) / counts.requests;
  RequestCounts scaled;
  scaled.add(counts, scale);
  scaled.requests = static_cast<double>(block.warpExecutions);
  scaled.lanes = static_cast<double>(block.laneExecutions);
  scaled.exact = false;
  counts = scaled;
  auto round = [&](uint64_t &value) {
    value = static_cast<uint64_t>(static_cast<double>(value) * scale + 0.5);
  };
  round(access.newSectorsInBlock);
  for (uint64_t &times : access.byMultiplicity)
    round(times);
}

static void addAccesses(const LaunchRun &launch, Contexts contexts,
                        bool isSampled, DynamicProfile &profile) {
  const Code &code = *launch.code;
  uint32_t count = 0;
  for (const AccessInfo &info : code.accesses)
    if (info.number != NoAccess)
      count = std::max(count, info.number + 1);
  profile.accesses.resize(count);
  for (uint32_t i = 0; i < code.accesses.size(); ++i) {
    const AccessInfo &info = code.accesses[i];
    if (info.number == NoAccess)
      continue;
    AccessProfile &access = profile.accesses[info.number];
    for (const auto &context : contexts) {
      AccessState &state = context->accesses[code.firstAccess + i];
      state.collect();
      access.addCounts(state.profile(info));
    }
    access.extent = extentOf(launch, contexts, code.firstAccess + i);
    if (isSampled)
      scaleToAll(access, profile.blocks[info.block]);
  }
}

/// How often what was sampled stands for what was not.
static double scaleOf(const LaunchRun &launch) {
  return launch.isSampled()
             ? static_cast<double>(launch.shape.grid.count()) /
                   static_cast<double>(launch.options->sampleBlocks)
             : 1;
}

/// "global", "shared" or "local", as far as the accesses went to one of them.
static llvm::StringRef spaceOf(Contexts contexts, uint32_t index) {
  auto special = [](MemoryRange::Kind kind) {
    return AccessState::specialAllocation(kind);
  };
  for (const auto &context : contexts) {
    uint32_t allocation = context->accesses[index].allocation;
    if (allocation == special(MemoryRange::Kind::Shared))
      return toString(MemorySpace::Shared);
    if (allocation == special(MemoryRange::Kind::Local))
      return toString(MemorySpace::Local);
  }
  return toString(MemorySpace::Global);
}

static void addCalleeAccesses(const LaunchRun &launch, Contexts contexts,
                              DynamicProfile &profile) {
  for (const Code *code : launch.program->calleeCodes())
    for (uint32_t i = 0; i < code->accesses.size(); ++i) {
      const AccessInfo &info = code->accesses[i];
      AccessProfile counts;
      for (const auto &context : contexts) {
        AccessState &state = context->accesses[code->firstAccess + i];
        state.collect();
        counts.addCounts(state.profile(info));
      }
      if (counts.counts.requests == 0)
        continue;
      CalleeAccess &access = profile.calleeAccesses.emplace_back();
      access.function = code->function->getName().str();
      SourceLocation place = locationOf(info.origin).outsideSystemHeaders();
      access.file = place.file;
      access.line = place.line;
      access.column = place.column;
      access.kind = toString(info.kind).str();
      access.space = (info.isTexture ? toString(MemorySpace::Texture)
                                     : spaceOf(contexts, code->firstAccess + i))
                         .str();
      access.profile.counts.add(counts.counts, scaleOf(launch));
      auto scaled = [&](uint64_t count) {
        return static_cast<uint64_t>(
            static_cast<double>(count) * scaleOf(launch) + 0.5);
      };
      access.profile.newSectorsInBlock = scaled(counts.newSectorsInBlock);
      for (auto [times, sum] :
           llvm::zip(counts.byMultiplicity, access.profile.byMultiplicity))
        sum = scaled(times);
    }
  // Not in the order in which they were decoded.
  llvm::stable_sort(
      profile.calleeAccesses, [](const CalleeAccess &a, const CalleeAccess &b) {
        return std::tie(a.function, a.file, a.line, a.column, a.kind) <
               std::tie(b.function, b.file, b.line, b.column, b.kind);
      });
}

//===----------------------------------------------------------------------===//
// Errors of sampling
//===----------------------------------------------------------------------===//

/// Student's t that 2.5 % are above (Abramowitz and Stegun, 26.7.5).
static double studentT(double degrees) {
  constexpr double X = 1.959964;
  double x3 = X * X * X, x5 = x3 * X * X, x7 = x5 * X * X;
  return X + (x3 + X) / (4 * degrees) +
         (5 * x5 + 16 * x3 + 3 * X) / (96 * degrees * degrees) +
         (3 * x7 + 19 * x5 + 17 * x3 - 15 * X) /
             (384 * degrees * degrees * degrees);
}

/// Half the width of a 95 % interval of a sum over all accesses, as a share of
/// it. Each access's part is estimated from its requests, of which the number
/// is known: a ratio estimator (Cochran, Sampling Techniques, 1977, chapter 6),
/// whose variance is that of what blocks differ from their requests' share.
static double errorOf(llvm::ArrayRef<const std::vector<SampledCounts> *> blocks,
                      const LaunchRun &launch, SampledCount count) {
  size_t accesses = launch.code->accesses.size();
  // Lanes on one address are a matter of atomics.
  auto concerns = [&](size_t i) {
    const AccessInfo &info = launch.code->accesses[i];
    return info.number != NoAccess &&
           (count != SameAddress || info.kind == AccessKind::Atomic);
  };
  std::vector<double> perRequest(accesses);
  double sum = 0;
  for (size_t i = 0; i < accesses; ++i) {
    if (!concerns(i))
      continue;
    double requests = 0, counted = 0;
    for (const auto *block : blocks) {
      requests += static_cast<double>((*block)[i][Requests]);
      counted += static_cast<double>((*block)[i][count]);
    }
    perRequest[i] = requests > 0 ? counted / requests : 0;
    sum += counted;
  }
  if (sum == 0)
    return 0;
  double squares = 0;
  for (const auto *block : blocks) {
    double difference = 0;
    for (size_t i = 0; i < accesses; ++i)
      if (concerns(i))
        difference +=
            static_cast<double>((*block)[i][count]) -
            perRequest[i] * static_cast<double>((*block)[i][Requests]);
    squares += difference * difference;
  }
  auto sampled = static_cast<double>(blocks.size());
  auto all = static_cast<double>(launch.shape.grid.count());
  double variance = squares / (sampled - 1) / sampled * (1 - sampled / all);
  return studentT(sampled - 1) * std::sqrt(variance) / (sum / sampled);
}

static double samplingError(const LaunchRun &launch, Contexts contexts) {
  std::vector<const std::vector<SampledCounts> *> blocks;
  for (const auto &context : contexts)
    for (const std::vector<SampledCounts> &sample : context->samples)
      blocks.push_back(&sample);
  // Of one block nothing is known of how they differ.
  if (blocks.size() < 2)
    return 1;
  double error = 0;
  for (SampledCount count : {Sectors, BankPasses, SameAddress, NewSectors})
    error = std::max(error, errorOf(blocks, launch, count));
  return error;
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

/// The argument that points into \p allocation: "arg0", "arg2.8"; else "".
static std::string argumentName(const LaunchRun &launch,
                                const Allocation &allocation) {
  const llvm::Function &kernel = *launch.code->function;
  const llvm::DataLayout &layout = kernel.getDataLayout();
  std::vector<ParameterPlace> places = placeParameters(kernel);
  std::string name;
  for (const llvm::Argument &argument : kernel.args()) {
    bool isStruct = argument.hasByValAttr();
    uint64_t begin = places[argument.getArgNo()].offset;
    forScalars(isStruct ? argument.getParamByValType() : argument.getType(), 0,
               layout, [&](const llvm::Type *type, uint64_t offset) {
                 if (!type->isPointerTy())
                   return;
                 uint64_t value;
                 std::memcpy(&value, launch.parameters + begin + offset,
                             sizeof(value));
                 uint64_t distance =
                     value - reinterpret_cast<uint64_t>(allocation.begin);
                 if (!name.empty() || distance >= allocation.sizeInBytes)
                   return;
                 name = "arg" + std::to_string(argument.getArgNo());
                 if (isStruct)
                   name += "." + std::to_string(offset);
               });
    if (!name.empty())
      return name;
  }
  return "";
}

static void addObjects(const LaunchRun &launch, Contexts contexts,
                       DynamicProfile &profile) {
  ThreadContext &first = *contexts[0];
  std::vector<uint64_t> inWaves(first.memory.allocations.size());
  std::vector<uint64_t> inBlocks(first.memory.allocations.size());
  for (const auto &context : contexts.drop_front())
    for (uint32_t allocation : context->usedSectors) {
      SectorMap &map = *context->sectors[allocation];
      first.sectorsOf(allocation)->launch.addAll(map.launch);
      inWaves[allocation] += map.sectorsInWaves;
      inBlocks[allocation] += map.sectorsInBlocks;
    }
  std::vector<uint32_t> used = first.usedSectors;
  std::sort(used.begin(), used.end());
  for (uint32_t allocation : used) {
    const SectorMap &map = *first.sectors[allocation];
    if (map.launch.empty())
      continue;
    const Allocation &place = first.memory.allocations[allocation];
    ObjectProfile object;
    object.name = argumentName(launch, place);
    if (object.name.empty() && !place.name.empty())
      object.name = "@" + place.name;
    object.sizeInBytes = place.sizeInBytes;
    object.sectorsInWaves = map.sectorsInWaves + inWaves[allocation];
    object.sectorsInLaunch = map.launch.count();
    if (launch.isSampled()) {
      // Blocks that were not looked at touch as much, at most something else.
      auto most = static_cast<uint64_t>(
          scaleOf(launch) *
          static_cast<double>(map.sectorsInBlocks + inBlocks[allocation]));
      auto blocks = static_cast<uint64_t>(launch.shape.grid.count());
      uint64_t waves = (blocks - 1) / profile.blocksPerWave + 1;
      uint64_t sectors =
          place.sizeInBytes / launch.options->granularity.sectorInBytes + 1;
      object.sectorsInLaunch = std::min(most, sectors);
      object.sectorsInWaves = std::min(most, sectors * waves);
    }
    profile.objects.push_back(std::move(object));
  }
  // Not in order of address, which differs from run to run.
  std::stable_sort(profile.objects.begin(), profile.objects.end(),
                   [](const ObjectProfile &a, const ObjectProfile &b) {
                     return std::tie(a.name, a.sizeInBytes) <
                            std::tie(b.name, b.sizeInBytes);
                   });
}

DynamicProfile emulator::buildProfile(const LaunchRun &launch,
                                      Contexts contexts) {
  DynamicProfile profile;
  const EmulationOptions &options = *launch.options;
  profile.kernel = launch.code->function->getName().str();
  profile.shape = launch.shape;
  profile.blocksPerWave = options.blocksPerWave;
  profile.unfinishedBlocks =
      static_cast<uint64_t>(launch.shape.grid.count() - launch.blocksDone);
  addBlocks(launch, contexts, profile);
  if (!options.profile)
    return profile;
  auto blocks = static_cast<uint64_t>(launch.shape.grid.count());
  bool isSampled = launch.isSampled();
  profile.sampledBlocks = isSampled ? options.sampleBlocks : blocks;
  if (isSampled)
    profile.samplingError = samplingError(launch, contexts);
  addAccesses(launch, contexts, isSampled, profile);
  addCalleeAccesses(launch, contexts, profile);
  addObjects(launch, contexts, profile);
  return profile;
}
