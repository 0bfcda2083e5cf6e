// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ProfileBuilder.h"

#include "ProgramCode.h"
#include "llvm/IR/DerivedTypes.h"

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
  uint64_t ofOthers = 0;
  std::vector<uint64_t> inWaves(first.memory.allocations.size());
  for (const auto &context : contexts.drop_front()) {
    // The lists of allocations differ if the kernel allocated; then only what
    // the first thread knows is told.
    if (context->memory.epoch != first.memory.epoch) {
      ++ofOthers;
      continue;
    }
    for (uint32_t allocation : context->usedSectors) {
      SectorMap &map = *context->sectors[allocation];
      first.sectorsOf(allocation)->launch.addAll(map.launch);
      inWaves[allocation] += map.sectorsInWaves;
    }
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
  addBlocks(launch, contexts, profile);
  if (!options.profile)
    return profile;
  auto blocks = static_cast<uint64_t>(launch.shape.grid.count());
  bool isSampled = options.sampleBlocks > 0 && options.sampleBlocks < blocks;
  profile.sampledBlocks = isSampled ? options.sampleBlocks : blocks;
  addAccesses(launch, contexts, isSampled, profile);
  addObjects(launch, contexts, profile);
  return profile;
}
