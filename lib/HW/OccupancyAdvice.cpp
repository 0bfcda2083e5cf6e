// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OccupancyRules.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace auspex;
using namespace auspex::occupancy;
using llvm::formatv;

static std::string registerReason(const SMLimits &limits,
                                  const BlockResources &block) {
  unsigned most = acceptedRegistersPerThread(limits);
  if (block.registersPerThread > most)
    return formatv("{0} registers a thread exceed the {1} a thread can have",
                   block.registersPerThread, limits.registersPerThread);
  return formatv("the registers of {0} warps with {1} a thread exceed the {2} "
                 "a block can have",
                 warpsCheckedPerBlock(limits, block.warps()),
                 block.registersPerThread, limits.registersPerBlock);
}

static std::string sharedReason(const SMLimits &limits,
                                const BlockResources &block) {
  if (block.maxDynamicShared && block.dynamicShared > *block.maxDynamicShared)
    return formatv("{0} B of dynamic shared memory exceed the {1} B the kernel "
                   "opted in to",
                   block.dynamicShared, *block.maxDynamicShared);
  uint64_t asked = block.staticShared + block.dynamicShared;
  uint64_t allowed = sharedAllowed(limits, block) - limits.sharedReserved;
  std::string text =
      formatv("a block's {0} B of shared memory exceed the {1} B a block can "
              "have",
              asked, allowed);
  if (allowed < limits.sharedPerBlockOptIn &&
      asked <= limits.sharedPerBlockOptIn)
    text +=
        formatv(" without opting in (then {0} B)", limits.sharedPerBlockOptIn);
  return text;
}

std::string auspex::noBlockReason(const SMLimits &limits,
                                  const BlockResources &block) {
  std::vector<std::string> reasons;
  if (!warpLimit(limits, block))
    reasons.push_back(formatv("{0} threads exceed the {1} a block can have",
                              block.threadsPerBlock, limits.threadsPerBlock));
  if (!registerLimit(limits, block))
    reasons.push_back(registerReason(limits, block));
  if (!sharedLimit(limits, block))
    reasons.push_back(sharedReason(limits, block));
  if (!barrierLimit(limits, block))
    reasons.push_back(formatv("{0} barriers exceed the {1} of an SM",
                              block.barriers, limits.barriersPerSM));
  return llvm::join(reasons, "; ");
}

unsigned auspex::maxPotentialBlockSize(const GPU &gpu, BlockResources block,
                                       unsigned limit) {
  SMLimits limits = smLimits(gpu);
  if (limit == 0 || limit > limits.threadsPerBlock)
    limit = limits.threadsPerBlock;
  unsigned best = 0, most = 0;
  constexpr unsigned Step = SMLimits::WarpSize;
  for (unsigned threads = limit; threads > 0;
       threads = (threads - 1) / Step * Step) {
    block.threadsPerBlock = threads;
    unsigned resident =
        threads * computeOccupancy(limits, block).activeBlocksPerSM;
    if (resident > most) {
      most = resident;
      best = threads;
    }
  }
  return best;
}

/// The change of one resource that allows \p target blocks: text, or nothing if
/// no change does. An empty text says that none is needed.
using Step = std::optional<std::string>;

/// "8 registers a thread fewer (32 instead of 40)".
static std::string fewer(llvm::StringRef noun, llvm::StringRef of,
                         unsigned wanted, unsigned now) {
  return formatv("{0} {1}{2}{3} fewer ({4} instead of {5})", now - wanted, noun,
                 now - wanted == 1 ? "" : "s", of, wanted, now)
      .str();
}

static Step registerStep(const SMLimits &limits, const BlockResources &block,
                         unsigned target) {
  if (registerLimit(limits, block) >= target)
    return "";
  unsigned most = std::min(block.registersPerThread - 1,
                           acceptedRegistersPerThread(limits));
  unsigned registers = registersFor(limits, block, target, most);
  if (!registers)
    return std::nullopt;
  return fewer("register", " a thread", registers, block.registersPerThread);
}

/// \p block with \p bytes less shared memory, the dynamic part first.
static BlockResources withLessShared(BlockResources block, uint64_t bytes) {
  uint64_t dynamic = std::min(bytes, block.dynamicShared);
  block.dynamicShared -= dynamic;
  block.staticShared -= bytes - dynamic;
  return block;
}

static Step sharedStep(const SMLimits &limits, const BlockResources &block,
                       unsigned target) {
  if (sharedLimit(limits, block) >= target)
    return "";
  BlockResources largest = block;
  largest.carveout = -1;
  if (sharedLimit(limits, largest) >= target)
    return "the largest shared-memory carve-out";
  uint64_t asked = block.staticShared + block.dynamicShared;
  // What fills whole allocation units is the most for its price.
  uint64_t most = std::min(asked, limits.sharedPerBlockOptIn);
  for (uint64_t units = (most + limits.sharedReserved) / limits.sharedUnit;
       units * limits.sharedUnit >= limits.sharedReserved; --units) {
    uint64_t total = units * limits.sharedUnit - limits.sharedReserved;
    if (total < asked &&
        sharedLimit(limits, withLessShared(block, asked - total)) >= target)
      return formatv("{0} B of shared memory less ({1} instead of {2})",
                     asked - total, total, asked)
          .str();
    if (!total)
      break;
  }
  return std::nullopt;
}

static Step barrierStep(const SMLimits &limits, const BlockResources &block,
                        unsigned target) {
  if (barrierLimit(limits, block) >= target)
    return "";
  unsigned most = limits.barriersPerSM / target;
  if (!most)
    return std::nullopt;
  return fewer("barrier", "", most, block.barriers);
}

/// Where the threads or the number of blocks hold the SM back, only another
/// block size helps: smaller blocks that pack better, or larger ones.
static std::string blockSizeStep(const SMLimits &limits,
                                 const BlockResources &block,
                                 const Occupancy &now) {
  bool smaller = now.limitWarps == now.activeBlocksPerSM;
  unsigned warps = block.warps();
  unsigned last = smaller ? 1 : limits.threadsPerBlock / SMLimits::WarpSize;
  while (warps != last) {
    warps = smaller ? warps - 1 : warps + 1;
    BlockResources trial = block;
    trial.threadsPerBlock = warps * SMLimits::WarpSize;
    Occupancy then = computeOccupancy(limits, trial);
    if (then.activeWarpsPerSM > now.activeWarpsPerSM)
      return formatv("blocks of {0} threads keep {1} warps resident instead of "
                     "{2}",
                     trial.threadsPerBlock, then.activeWarpsPerSM,
                     now.activeWarpsPerSM);
  }
  return "";
}

std::string auspex::nextOccupancyStep(const SMLimits &limits,
                                      const BlockResources &block) {
  Occupancy now = computeOccupancy(limits, block);
  unsigned target = now.activeBlocksPerSM + 1;
  if (target > std::min(now.limitBlocks, now.limitWarps))
    return now.activeWarpsPerSM == limits.warpsPerSM()
               ? ""
               : blockSizeStep(limits, block, now);
  std::vector<std::string> changes;
  for (auto *step : {registerStep, sharedStep, barrierStep}) {
    Step change = step(limits, block, target);
    if (!change)
      return "";
    if (!change->empty())
      changes.push_back(std::move(*change));
  }
  bool singular =
      changes.size() == 1 && (llvm::StringRef(changes[0]).starts_with("the ") ||
                              llvm::StringRef(changes[0]).starts_with("1 "));
  return llvm::join(changes, " and ") +
         formatv(" {0} {1} block{2} instead of {3}",
                 singular ? "allows" : "allow", target, target == 1 ? "" : "s",
                 now.activeBlocksPerSM)
             .str();
}

std::string auspex::nextOccupancyStep(const GPU &gpu,
                                      const BlockResources &block) {
  return nextOccupancyStep(smLimits(gpu), block);
}
