// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StoreMerging.h"

#include <algorithm>
#include <cmath>

using namespace auspex;

namespace {
/// What a warp stores to the same sectors at once, field by field.
struct FieldStores {
  /// The access that comes first, by number.
  unsigned first = 0;
  double sectors = 0, whole = 0, lines = 0;
  /// The sectors where nothing is put together.
  double sectorsApart = 0;
  double linesOfRequest = 0;
};
} // namespace

/// Sectors that lanes would fill.
static double filledSectors(const Access &access, const RequestCounts &counts,
                            double sectorInBytes) {
  return counts.lanes * access.bytesPerLane / sectorInBytes;
}

/// Packets of the parts among \p sent sectors with as many bytes as \p filled
/// ones, so many to a line: of a sector in parts half is stored on average, or
/// as much as of all.
static double partialPackets(double sent, double filled, double sectorsOfLine) {
  double partial = std::clamp(2 * (sent - filled), 0.0, sent);
  return partial * (1 + 1 / sectorsOfLine);
}

double auspex::partialPacketsAlone(const Access &access,
                                   const RequestCounts &counts,
                                   double sectorInBytes) {
  if (counts.sectors <= 0)
    return 0;
  return partialPackets(counts.sectors,
                        filledSectors(access, counts, sectorInBytes),
                        counts.sectors / counts.lines);
}

/// In bytes, if it is the same for all threads.
static std::optional<double> distanceAsStated(const Access &first,
                                              const Access &other) {
  if (!first.offset.expr.differsByConstant(other.offset.expr))
    return std::nullopt;
  return std::abs(static_cast<double>(other.offset.expr.constantTerm()) -
                  static_cast<double>(first.offset.expr.constantTerm()));
}

static std::optional<double>
distanceInLaunch(const std::optional<AccessPattern> &first,
                 const std::optional<AccessPattern> &other) {
  if (!first || !other || !first->sharedShape().isLinear() ||
      !other->sharedShape().isLinear() ||
      first->sharedShape().strides() != other->sharedShape().strides())
    return std::nullopt;
  return std::abs(static_cast<double>(other->first()) -
                  static_cast<double>(first->first()));
}

/// The share of the stores to such places that L1 puts together. An H200's
/// counters have nearly all of those of up to 4 lines a request, of 5 three
/// quarters, and of 8 hardly any.
static double shareMerged(double linesOfRequest) {
  constexpr double All = 4, None = 8;
  return std::clamp((None - linesOfRequest) / (None - All), 0.0, 1.0);
}

/// Whether nothing but straight code lies between two blocks of code: no loop,
/// and no barrier.
static bool areClose(const KernelSummary &summary, unsigned a, unsigned b) {
  auto [first, last] = std::minmax(a, b);
  for (unsigned i = first; i <= last; ++i) {
    const Block &between = summary.blocks[i];
    if (between.loop != summary.blocks[first].loop)
      return false;
    for (const MachineCode &code : between.code)
      if (i != last && code.mix[InstructionClass::Barrier] > 0)
        return false;
  }
  return true;
}

/// Whether one store comes right after the other: in a block of code, or in
/// blocks with guards that most lanes pass, which are predicated.
static bool areTogether(const BoundKernel &kernel, unsigned first,
                        unsigned other) {
  const std::vector<Access> &accesses = kernel.summary->accesses;
  unsigned a = accesses[first].block, b = accesses[other].block;
  if (a == b)
    return true;
  auto haveMost = [&](unsigned access) {
    const RequestCounts &counts = kernel.accesses[access].counts;
    return counts.lanes > LaunchShape::WarpSize / 2 * counts.requests;
  };
  return kernel.accesses[first].counts.requests ==
             kernel.accesses[other].counts.requests &&
         haveMost(first) && haveMost(other) && areClose(*kernel.summary, a, b);
}

std::vector<StoredSectors> auspex::storedSectors(const BoundKernel &kernel,
                                                 double sectorInBytes) {
  const std::vector<Access> &accesses = kernel.summary->accesses;
  std::vector<StoredSectors> stored(accesses.size());
  std::vector<FieldStores> places;
  auto isAt = [&](const FieldStores &place, unsigned number) {
    const Access &first = accesses[place.first], &store = accesses[number];
    if (store.base != first.base || !areTogether(kernel, place.first, number))
      return false;
    std::optional<double> distance = distanceInLaunch(
        kernel.accesses[place.first].pattern, kernel.accesses[number].pattern);
    if (!distance)
      distance = distanceAsStated(first, store);
    return distance && *distance < sectorInBytes;
  };
  for (unsigned i = 0; i < accesses.size(); ++i) {
    const RequestCounts &counts = kernel.accesses[i].counts;
    if (accesses[i].kind != AccessKind::Store || counts.requests <= 0 ||
        (accesses[i].space != MemorySpace::Global &&
         accesses[i].space != MemorySpace::Unknown))
      continue;
    double whole = filledSectors(accesses[i], counts, sectorInBytes);
    if (whole >= counts.sectors) {
      stored[i].toL2 = counts.sectors;
      continue;
    }
    auto place =
        std::find_if(places.begin(), places.end(),
                     [&](const FieldStores &known) { return isAt(known, i); });
    if (place == places.end())
      place = places.insert(places.end(), {i});
    place->sectors = std::max(place->sectors, counts.sectors);
    place->whole += whole;
    place->lines = std::max(place->lines, counts.lines);
    place->sectorsApart += counts.sectors;
    place->linesOfRequest =
        std::max(place->linesOfRequest, counts.lines / counts.requests);
  }
  for (const FieldStores &place : places) {
    double merged = shareMerged(place.linesOfRequest);
    double toL2 = merged * place.sectors + (1 - merged) * place.sectorsApart;
    stored[place.first] = {
        toL2, partialPackets(toL2, place.whole, place.sectors / place.lines)};
  }
  return stored;
}
