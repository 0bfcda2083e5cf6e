// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several copies of an array in shared memory that atomics update, word by word
// side by side, of which the lanes of a warp take turns: fewer of them meet at
// a word or a bank. The copies are cleared at the start of a block and added up
// at its end.
#include "Common.h"

#include "auspex/Kernel/KernelNames.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace auspex;

namespace {
/// The atomics on one array of shared memory.
struct Counters {
  llvm::StringRef base;
  SourceLocation location;
  int64_t sizeInBytes = 0;
  unsigned bytesPerLane = 4;
  std::vector<size_t> accesses;
};
} // namespace

/// Whether lanes of \p access meet, on \p gpu.
static bool isContended(const Access &access, const RequestCounts &counts,
                        const GPU &gpu) {
  SharedAtomicDemand demand = sharedAtomicDemand(access, counts, gpu);
  return demand.passes + demand.popcIncPasses > demand.requests;
}

static std::vector<Counters> contendedArrays(const BoundKernel &kernel,
                                             const GPU &gpu) {
  std::vector<Counters> arrays;
  // Where a run says what happened, the array is no larger than all there is.
  int64_t all = kernel.summary->staticSharedInBytes;
  if (kernel.launch.dynamicShared)
    all += kernel.launch.dynamicShared->value;
  for (size_t i = 0; i < kernel.accesses.size(); ++i) {
    const Access &access = kernel.summary->accesses[i];
    const BoundAccess &bound = kernel.accesses[i];
    if (access.space != MemorySpace::Shared ||
        access.kind != AccessKind::Atomic || access.base.empty() ||
        !isContended(access, countsOfFirstRound(kernel, access, bound.counts),
                     gpu))
      continue;
    auto array = llvm::find_if(arrays, [&](const Counters &other) {
      return other.base == access.base;
    });
    if (array == arrays.end())
      array = arrays.insert(
          arrays.end(),
          {access.base, access.location, 0, access.bytesPerLane, {}});
    array->sizeInBytes = std::max(array->sizeInBytes,
                                  bound.extent ? bound.extent->high + 1 : all);
    array->accesses.push_back(i);
  }
  return arrays;
}

/// What a warp asks for with so many copies of \p array.
static SharedAtomicDemand demandOf(const Counters &array,
                                   const FixContext &context, unsigned copies) {
  const BoundKernel &kernel = context.kernel;
  SharedAtomicDemand demand;
  for (size_t i : array.accesses) {
    RequestCounts counts = countsOfFirstRound(
        kernel, kernel.summary->accesses[i], kernel.accesses[i].counts);
    for (double *lanes : {&counts.sameAddress, &counts.lanesOnBank})
      *lanes = std::max(counts.requests, *lanes / copies);
    demand.add(
        sharedAtomicDemand(kernel.summary->accesses[i], counts, context.gpu),
        1 / std::max(1.0, kernel.warps()));
  }
  return demand;
}

namespace auspex::fixes {

void findPrivateCopies(const FixContext &context,
                       std::vector<Variant> &variants) {
  using enum InstructionClass;
  const BoundKernel &kernel = context.kernel;
  for (const Counters &array : contendedArrays(kernel, context.gpu)) {
    double words = static_cast<double>(array.sizeInBytes) / array.bytesPerLane;
    for (unsigned copies : {2, 4, 8, 16, 32}) {
      BlockResources block = context.resources();
      block.staticShared += array.sizeInBytes * (copies - 1);
      OperationalInput input = context.input;
      input.activeBlocksPerSM =
          std::min(input.activeBlocksPerSM, context.activeBlocks(block));
      if (input.activeBlocksPerSM == 0)
        break;
      input.sharedAtomics.add(demandOf(array, context, 1), -1);
      input.sharedAtomics.add(demandOf(array, context, copies), 1);
      // Cleared, read and added.
      double each =
          words * (copies - 1) / (LaunchShape::WarpSize * input.warpsPerBlock);
      for (InstructionClass id : {StoreShared, LoadShared, IntAdd})
        input.instructions[id] += each;
      input.path[LoadShared] += 1;
      input.sharedRequests += 2 * each;
      input.sharedPasses += 2 * each;
      input.fewestSharedPasses += 2 * each;
      variants.push_back({"", array.location,
                          "keep " + std::to_string(copies) + " copies of " +
                              variableName(array.base) +
                              " in shared memory, update copy threadIdx.x % " +
                              std::to_string(copies) +
                              ", and add them up at the end of the block",
                          std::move(input)});
    }
  }
}

} // namespace auspex::fixes
