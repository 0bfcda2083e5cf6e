// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several copies of an array in shared memory that atomics update, of which
// the lanes of a warp take turns: fewer of them meet at a word. The copies are
// cleared at the start of a block and added up at its end.
#include "Common.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace auspex;

namespace {
/// The atomics on one array of shared memory.
struct Counters {
  llvm::StringRef base;
  SourceLocation location;
  /// The last byte that is touched and what is touched at a time.
  int64_t sizeInBytes = 0;
  unsigned bytesPerLane = 4;
  std::vector<size_t> accesses;
};
} // namespace

static std::vector<Counters> contendedArrays(const BoundKernel &kernel) {
  std::vector<Counters> arrays;
  for (size_t i = 0; i < kernel.accesses.size(); ++i) {
    const Access &access = kernel.summary->accesses[i];
    const BoundAccess &bound = kernel.accesses[i];
    if (access.space != MemorySpace::Shared ||
        access.kind != AccessKind::Atomic || access.base.empty() ||
        !bound.extent || bound.counts.sameAddress <= bound.counts.requests)
      continue;
    auto array = llvm::find_if(arrays, [&](const Counters &other) {
      return other.base == access.base;
    });
    if (array == arrays.end())
      array = arrays.insert(
          arrays.end(),
          {access.base, access.location, 0, access.bytesPerLane, {}});
    array->sizeInBytes = std::max(array->sizeInBytes, bound.extent->high + 1);
    array->accesses.push_back(i);
  }
  return arrays;
}

/// Serial steps of a warp on \p array in \p copies.
static double stepsOf(const Counters &array, const BoundKernel &kernel,
                      unsigned copies) {
  double steps = 0;
  for (size_t i : array.accesses) {
    RequestCounts counts = kernel.accesses[i].counts;
    counts.sameAddress = std::max(counts.requests, counts.sameAddress / copies);
    steps += sharedAtomicSteps(kernel.summary->accesses[i], counts);
  }
  return steps / std::max(1.0, kernel.warps());
}

namespace auspex::fixes {

void findPrivateCopies(const FixContext &context,
                       std::vector<Variant> &variants) {
  using enum InstructionClass;
  const BoundKernel &kernel = context.kernel;
  for (const Counters &array : contendedArrays(kernel)) {
    double words = static_cast<double>(array.sizeInBytes) / array.bytesPerLane;
    for (unsigned copies : {2, 4, 8, 16, 32}) {
      BlockResources block = context.resources();
      block.staticShared += array.sizeInBytes * (copies - 1);
      OperationalInput input = context.input;
      input.activeBlocksPerSM =
          std::min(input.activeBlocksPerSM, context.activeBlocks(block));
      if (input.activeBlocksPerSM == 0)
        break;
      input.sharedAtomicSteps =
          std::max(input.sharedAtomics, input.sharedAtomicSteps -
                                            stepsOf(array, kernel, 1) +
                                            stepsOf(array, kernel, copies));
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
                              arrayName(array.base) +
                              " in shared memory, update copy threadIdx.x % " +
                              std::to_string(copies) +
                              ", and add them up at the end of the block",
                          std::move(input)});
    }
  }
}

} // namespace auspex::fixes
