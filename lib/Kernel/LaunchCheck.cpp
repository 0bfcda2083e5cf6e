// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What keeps a GPU from taking a launch.
#include "auspex/Kernel/LaunchConfig.h"

#include "auspex/Kernel/KernelNames.h"
#include "auspex/Kernel/LaunchLimits.h"
#include "auspex/Support/Error.h"

#include <algorithm>
#include <optional>
#include <string>

using namespace auspex;

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
