// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

#include "auspex/Model/Predict.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>

using namespace auspex;

static constexpr double Noteworthy = 0.05;

/// Whether threads work together as a block or a warp, or the code tells blocks
/// apart without asking for their size: then the size is part of the algorithm.
static bool dependsOnBlock(const RemarkContext &context) {
  const KernelSummary &summary = *context.kernel.summary;
  if (summary.staticSharedInBytes || summary.usesDynamicShared ||
      summary.requiredBlock[0] || !axesOfPresumedSize(summary).empty())
    return true;
  for (InstructionClass together :
       {InstructionClass::Barrier, InstructionClass::Shuffle})
    if (context.input.instructions[together] > 0)
      return true;
  return llvm::any_of(summary.accesses, [](const Access &access) {
    const Expr &offset = access.offset.expr;
    return (offset.uses("ctaid.x") && !offset.uses("ntid.x")) ||
           (offset.uses("ctaid.y") && !offset.uses("ntid.y")) ||
           (offset.uses("ctaid.z") && !offset.uses("ntid.z"));
  });
}

/// A size of the block changes how accesses coalesce, what is reused, which
/// warps are resident, which lanes idle, the tail, and how often a block
/// starts. Where all of that together takes little there is nothing to look
/// for.
static bool canGain(const RemarkContext &context) {
  OperationalResult result = evaluateOperational(context.input, context.gpu);
  double most = 0;
  for (const Benefit &benefit : context.prediction.benefits)
    if (benefit.id != "memory-parallelism" &&
        benefit.id != "instruction-parallelism" &&
        benefit.id != "computing-efficiency")
      most += benefit.gainInUs;
  for (const Station &station : result.stations)
    if (station.name == "block start and end")
      most += station.demandInCycles / result.cycleTime * result.timeInUs;
  return most >= Noteworthy * result.timeInUs;
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
  return sizes;
}

/// How many sizes may be tried: binding takes time in accesses and in pieces of
/// domains, and a compile is to take milliseconds longer at most. A kernel with
/// many launches is tried out in many sizes anyway.
static size_t budget(const RemarkContext &context) {
  constexpr size_t MostAccesses = 80, MostPieces = 4096, MostSizes = 12;
  const BoundKernel &kernel = context.kernel;
  return std::min({MostSizes,
                   MostAccesses / std::max<size_t>(1, kernel.accesses.size()),
                   MostPieces / std::max<size_t>(1, kernel.pieces)}) /
         std::max<size_t>(1, context.launches);
}

namespace auspex::remarks {

void findBlockSize(const RemarkContext &context,
                   std::vector<Finding> &findings) {
  const BoundKernel &kernel = context.kernel;
  const LaunchConfig &launch = kernel.launch;
  if (!context.prediction.timeInUs || !kernel.isExact || kernel.isFromRun ||
      launch.origin() == LaunchOrigin::Assumed || dependsOnBlock(context) ||
      !canGain(context))
    return;
  double now = evaluateOperational(context.input, context.gpu).timeInUs;
  double least = now;
  LaunchConfig best;
  std::vector<Dim3> sizes = candidates(kernel.shape);
  for (const Dim3 &size : llvm::ArrayRef(sizes).take_front(
           std::min(sizes.size(), budget(context)))) {
    LaunchConfig other = inBlocksOf(launch, size, launch.block->origin);
    if (launchProblem(other, *kernel.summary, context.gpu))
      continue;
    auto estimate = predictTime(*kernel.summary, other, context.gpu);
    if (!estimate) {
      llvm::consumeError(estimate.takeError());
      continue;
    }
    if (estimate->timeInUs && *estimate->timeInUs < least) {
      least = *estimate->timeInUs;
      best = std::move(other);
    }
  }
  Finding finding;
  finding.gainInUs = now - least;
  if (finding.gainInUs < Noteworthy * now)
    return;
  const Dim3 &size = best.block->value;
  finding.message = "blocks of " + size.str() + " in a grid of " +
                    best.grid->value.str() + " would take " +
                    formatTimeInUs(finding.gainInUs) + " (" +
                    formatShare(finding.gainInUs / now) +
                    ") less than those of " + launch.block->value.str();
  finding.args.add("BlockX", "threads", static_cast<double>(size.x));
  finding.args.add("BlockY", "threads", static_cast<double>(size.y));
  finding.args.add("BlockZ", "threads", static_cast<double>(size.z));
  finding.args.add("GainInUs", "us", finding.gainInUs);
  findings.push_back(std::move(finding));
}

} // namespace auspex::remarks
