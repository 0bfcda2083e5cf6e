// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Common.h"

#include <algorithm>

using namespace auspex;

/// The input without the atomics at \p place at the word that most go to.
static OperationalInput inputWithout(const RemarkContext &context,
                                     const AccessPlace &place) {
  double steps = globalAtomicSteps(
      context.kernel, context.gpu,
      [&](const Access &access, const BoundAccess &bound) {
        return access.location.outsideSystemHeaders() == place.location
                   ? RequestCounts()
                   : bound.counts;
      });
  OperationalInput input = context.input;
  input.globalAtomicSteps = steps / std::max(1.0, context.kernel.warps());
  return input;
}

/// Whether blocks combine what they have first, and \p atomic adds that up: it
/// is of one thread of each, or once for a thread of what atomics on shared
/// memory have made.
static bool addsUpBlocks(const AccessPlace &atomic, const BoundKernel &kernel) {
  const KernelSummary &summary = *kernel.summary;
  if (summary.blocks[atomic.access->block].loop >= 0)
    return false;
  return atomic.counts.lanes <=
             static_cast<double>(kernel.shape.grid.count()) ||
         llvm::any_of(summary.accesses, [](const Access &access) {
           return access.kind == AccessKind::Atomic &&
                  access.space == MemorySpace::Shared;
         });
}

/// Who meets at a word, and what would help.
static std::string collisionText(const AccessPlace &place,
                                 const BoundKernel &kernel, const GPU &gpu) {
  constexpr double Noteworthy = 2;
  double lanes = place.counts.sameAddress / place.counts.requests;
  if (place.access->isRetried)
    return "of all that want a word one succeeds, and the others try again; "
           "combine what a block has first";
  if (addsUpBlocks(place, kernel))
    return "blocks update the same words, one after the other; let fewer "
           "blocks do more each";
  if (lanes < Noteworthy || joinsLanes(*place.access, place.counts, gpu))
    return "warps update the same words, one after the other; combine what a "
           "block has in shared memory first";
  return formatNumber(lanes) +
         " lanes of a warp update the same word, one after the other; " +
         (isReduction(*place.access)
              ? "reduce over the warp first, then over the block"
              : "spread them over copies");
}

namespace auspex::remarks {

void findGlobalAtomicContention(const RemarkContext &context,
                                std::vector<Finding> &findings) {
  constexpr double Noteworthy = 0.01;
  if (context.input.globalAtomicSteps <= 0)
    return;
  for (const AccessPlace &place : placesOf(context, MemorySpace::Global)) {
    if (place.access->kind != AccessKind::Atomic)
      continue;
    Finding finding;
    finding.location = place.location;
    finding.gainInUs = context.gainInUs(inputWithout(context, place));
    if (finding.gainInUs < Noteworthy * context.timeInUs)
      continue;
    finding.message = describe(*place.access) + ": " +
                      collisionText(place, context.kernel, context.gpu) +
                      describeGain(context, finding.gainInUs);
    finding.args.add("LanesOnOneAddress", "lanes",
                     place.counts.sameAddress / place.counts.requests);
    finding.args.add("GainInUs", "us", finding.gainInUs);
    findings.push_back(std::move(finding));
  }
}

} // namespace auspex::remarks
