// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All lanes of a warp update one word of shared memory: they can be reduced in
// registers first, and one lane updates the word.
#include "Common.h"

#include <algorithm>
#include <cmath>

using namespace auspex;

/// Whether lanes can be combined before the update.
static bool isReduction(const Access &access) {
  for (llvm::StringRef operation :
       {"add", "sub", "min", "max", "umin", "umax", "and", "or", "xor", "fadd"})
    if (access.operation == operation)
      return access.isReduction;
  return false;
}

namespace auspex::fixes {

void findWarpReduction(const FixContext &context,
                       std::vector<Variant> &variants) {
  using enum InstructionClass;
  const BoundKernel &kernel = context.kernel;
  double warps = std::max(1.0, kernel.warps());
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses)) {
    const RequestCounts &counts = bound.counts;
    bool isOneWord = bound.isKnown && counts.requests > 0 &&
                     counts.sameAddress >= 2 * counts.requests &&
                     counts.sameAddress == counts.lanes;
    if (access.space != MemorySpace::Shared ||
        access.kind != AccessKind::Atomic || !isOneWord || !isReduction(access))
      continue;
    RequestCounts once = counts;
    once.sameAddress = once.lanesOnBank = once.bankPasses = counts.requests;
    OperationalInput input = context.input;
    input.sharedAtomics.add(sharedAtomicDemand(access, counts, context.gpu),
                            -1 / warps);
    input.sharedAtomics.add(sharedAtomicDemand(access, once, context.gpu),
                            1 / warps);
    // A tree over the lanes.
    double steps = std::log2(LaunchShape::WarpSize) * counts.requests / warps;
    InstructionClass combine = access.operation == "fadd" ? Fp32 : IntAdd;
    for (InstructionClass id : {Shuffle, combine}) {
      input.instructions[id] += steps;
      input.path[id] += steps;
    }
    variants.push_back({"", access.location,
                        "reduce over the warp with __shfl_down_sync and let "
                        "one lane update " +
                            arrayName(access.base) + ": all " +
                            std::to_string(static_cast<unsigned>(std::lround(
                                counts.sameAddress / counts.requests))) +
                            " lanes update the same word",
                        std::move(input)});
  }
}

} // namespace auspex::fixes
