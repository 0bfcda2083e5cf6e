// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of a shared array that are longer by a word put the elements of a column
// on different banks. The pitch of the rows is changed in the addresses of all
// accesses to the array, and these are counted anew.
#include "Common.h"

#include "auspex/Kernel/KernelNames.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace auspex;
using namespace auspex::fixes;

namespace {
/// A shared array as its accesses show it.
struct SharedArray {
  llvm::StringRef base;
  /// Indices of its accesses in the summary; and their offsets with the launch
  /// put in.
  std::vector<size_t> accesses;
  std::vector<Expr> offsets;
  unsigned fewestBytes = 0, mostBytes = 0;
  /// The access with the most passes, and all passes beyond the fewest.
  size_t worst = 0;
  double excess = 0;
};
} // namespace

static double excessOf(const RequestCounts &counts) {
  return std::max(0.0, counts.bankPasses - counts.fewestBankPasses);
}

/// The arrays with conflicts and nothing but known addresses.
static std::vector<SharedArray> conflictingArrays(const BoundKernel &kernel) {
  std::vector<SharedArray> arrays;
  const KernelSummary &summary = *kernel.summary;
  for (size_t i = 0; i < summary.accesses.size(); ++i) {
    const Access &access = summary.accesses[i];
    if (access.space != MemorySpace::Shared)
      continue;
    if (access.base.empty() || !access.offset.isKnown())
      return {};
    auto array = llvm::find_if(arrays, [&](const SharedArray &other) {
      return other.base == access.base;
    });
    if (array == arrays.end())
      array = arrays.insert(
          arrays.end(),
          {access.base, {}, {}, access.bytesPerLane, access.bytesPerLane, i});
    const auto &accesses = kernel.accesses;
    array->accesses.push_back(i);
    array->offsets.push_back(inLaunch(access.offset.expr, kernel));
    array->fewestBytes = std::min(array->fewestBytes, access.bytesPerLane);
    array->mostBytes = std::max(array->mostBytes, access.bytesPerLane);
    array->excess += excessOf(accesses[i].counts);
    if (excessOf(accesses[i].counts) > excessOf(accesses[array->worst].counts))
      array->worst = i;
  }
  llvm::erase_if(arrays, [](const SharedArray &a) {
    return a.excess == 0 || a.mostBytes > Access::MostBytesOfLane;
  });
  return arrays;
}

/// What rows may be long, in bytes: the steps that the worst access makes from
/// lane to lane, the longest first.
static std::vector<int64_t> pitchesOf(const SharedArray &array,
                                      const BoundKernel &kernel) {
  const Expr &offset = array.offsets[llvm::find(array.accesses, array.worst) -
                                     array.accesses.begin()];
  std::vector<int64_t> pitches;
  for (const Expr::Term &term : offset.sum()) {
    int64_t pitch = std::abs(term.coefficient);
    bool isOfThread =
        llvm::any_of(term.factors, [](const Expr::Factor &factor) {
          return factor.atom->kind != Atom::Kind::Symbol ||
                 isThreadIndex(factor.atom->name);
        });
    if (isOfThread && pitch > array.mostBytes &&
        pitch % MemoryGranularity::BankInBytes == 0)
      pitches.push_back(pitch);
  }
  llvm::sort(pitches, std::greater<>());
  pitches.erase(llvm::unique(pitches), pitches.end());
  return pitches;
}

/// The part of \p offset that leads along a row: of a step along the diagonal,
/// what is beyond whole rows.
static Expr columnOf(const Expr &offset, int64_t pitch) {
  Expr column;
  offset.withoutConstant().forEachTerm([&](const Expr &term) {
    int64_t step = term.sum().front().coefficient;
    int64_t along = step % pitch;
    if (std::abs(step) > pitch && std::abs(along) > pitch / 2)
      along -= along > 0 ? pitch : -pitch;
    if (along == step)
      column = column + term;
    else if (along != 0)
      column = column + Expr::floorDiv(term, Expr(step)) * Expr(along);
  });
  return column;
}

/// \p offset where rows are \p longer bytes longer; none if it is not certain
/// which part of it is the place in the row.
static std::optional<Expr> withLongerRows(const Expr &offset, int64_t pitch,
                                          int64_t longer, unsigned bytes,
                                          const BoundKernel &kernel) {
  Expr column = columnOf(offset, pitch);
  int64_t constant = offset.constantTerm();
  int64_t row = floorDiv(constant, pitch);
  Interval range = rangeInLaunch(column, kernel);
  if (range.low < -pitch || range.high > pitch)
    return std::nullopt;
  // The constant may lead to a row and back by some columns.
  for (int64_t first : {row, row + 1}) {
    int64_t rest = constant - first * pitch;
    if (range.low + rest < 0 || range.high + rest > pitch - bytes)
      continue;
    Expr rows = offset.withoutConstant() - column;
    return Expr::floorDiv(rows, Expr(pitch)) * Expr(pitch + longer) + column +
           Expr(first * (pitch + longer) + rest);
  }
  return std::nullopt;
}

/// Bytes from the start of the array to the last that is touched; where that
/// is not known, all there may be.
static int64_t sizeOf(const SharedArray &array, const BoundKernel &kernel) {
  int64_t size = 0;
  for (size_t access : array.accesses) {
    const BoundAccess &bound = kernel.accesses[access];
    if (bound.extent)
      size = std::max(size, bound.extent->high + 1);
    else if (bound.counts.requests > 0)
      return kernel.summary->staticSharedInBytes;
  }
  return size;
}

/// The kernel with longer rows; none if they cannot be told.
static std::optional<KernelSummary> padded(const SharedArray &array,
                                           int64_t pitch, int64_t longer,
                                           const BoundKernel &kernel) {
  KernelSummary summary = *kernel.summary;
  for (auto [access, offset] : llvm::zip(array.accesses, array.offsets)) {
    auto moved = withLongerRows(offset, pitch, longer,
                                summary.accesses[access].bytesPerLane, kernel);
    if (!moved)
      return std::nullopt;
    summary.accesses[access].offset.expr = std::move(*moved);
  }
  summary.staticSharedInBytes += ceilDiv(sizeOf(array, kernel), pitch) * longer;
  return summary;
}

/// In elements, as the source has them; wide accesses may be several of these.
static std::string describe(const SharedArray &array, int64_t pitch,
                            int64_t longer) {
  constexpr int64_t LargestElement = 8;
  int64_t element = array.fewestBytes;
  auto padding = [&](int64_t unit) {
    return " from " + std::to_string(pitch / unit) + " to " +
           std::to_string((pitch + longer) / unit);
  };
  return "pad the rows of " + variableName(array.base) +
         (element > LargestElement ? padding(1) + " B"
                                   : padding(element) + " elements of " +
                                         std::to_string(element) + " B") +
         ": its columns fall on one bank";
}

namespace auspex::fixes {

void findPadShared(const FixContext &context, std::vector<Variant> &variants) {
  // Each takes a binding of the kernel.
  constexpr size_t MostPitches = 2;
  const BoundKernel &kernel = context.kernel;
  double warps = std::max(1.0, kernel.warps());
  for (const SharedArray &array : conflictingArrays(kernel)) {
    OperationalInput ideal = context.input;
    ideal.sharedPasses = std::max(ideal.fewestSharedPasses,
                                  ideal.sharedPasses - array.excess / warps);
    if (!context.isFaster(ideal))
      continue;
    std::vector<int64_t> pitches = pitchesOf(array, kernel);
    for (int64_t pitch : llvm::ArrayRef(pitches).take_front(
             std::min(pitches.size(), MostPitches))) {
      // The widest access has to stay aligned.
      int64_t longer =
          std::max(MemoryGranularity::BankInBytes, array.mostBytes);
      auto summary = padded(array, pitch, longer, kernel);
      if (!summary)
        continue;
      if (auto input = context.inputOf(*summary, kernel.launch))
        variants.push_back({"", kernel.summary->accesses[array.worst].location,
                            describe(array, pitch, longer), std::move(*input)});
    }
  }
}

} // namespace auspex::fixes
