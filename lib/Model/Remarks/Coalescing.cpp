// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Coalescing.h"

#include "../OperationalStations.h"
#include "../Traffic/StoreMerging.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

using namespace auspex;

/// \p ideal if this access needed its fewest sectors.
static OperationalInput coalesced(OperationalInput ideal,
                                  const RemarkContext &context,
                                  const AccessPlace &place) {
  const RequestCounts &counts = place.counts;
  double warps = std::max(1.0, context.kernel.warps());
  double saved =
      (counts.sectors - counts.fewestSectors) * context.gpu[Q::Sector] / warps;
  double least = std::max(counts.fewestSectors * context.gpu[Q::Sector] /
                              l1BytesPerCycle(context.gpu),
                          counts.requests * cyclesPerRequest(context.gpu));
  ideal.l1Cycles -=
      std::max(0.0, l1CyclesOf(*place.access, counts, context.gpu) - least) /
      warps;
  auto shrink = [&](double &requested, double &l2, double &dram) {
    requested = std::max(0.0, requested - saved);
    l2 = std::min(l2, requested);
    dram = std::min(dram, l2);
  };
  double moved = ideal.dramLoadInBytes + ideal.dramStoreInBytes;
  if (place.access->kind != AccessKind::Store)
    shrink(ideal.requestedLoadInBytes, ideal.l2LoadInBytes,
           ideal.dramLoadInBytes);
  if (place.access->kind != AccessKind::Load)
    shrink(ideal.requestedStoreInBytes, ideal.l2StoreInBytes,
           ideal.dramStoreInBytes);
  if (moved > 0)
    ideal.dramIdleInBytes *=
        (ideal.dramLoadInBytes + ideal.dramStoreInBytes) / moved;
  if (place.access->kind == AccessKind::Store) {
    double packets =
        partialPacketsAlone(*place.access, counts, context.gpu[Q::Sector]);
    ideal.partialStores = std::max(0.0, ideal.partialStores - packets / warps);
  }
  return ideal;
}

/// How many accesses of the same code as \p access take, for each lane, what
/// lies side by side: the members of a structure, or what the compiler made of
/// an element that is too wide for it.
static unsigned partsOfElement(const KernelSummary &summary,
                               const Access &access) {
  std::set<int64_t> distances;
  for (const Access &other : summary.accesses)
    if (other.block == access.block && other.kind == access.kind &&
        other.base == access.base &&
        other.bytesPerLane == access.bytesPerLane && other.offset.isKnown() &&
        other.offset.expr.differsByConstant(access.offset.expr))
      distances.insert(other.offset.expr.constantTerm() -
                       access.offset.expr.constantTerm());
  unsigned parts = 1;
  for (int64_t step : {-1, 1})
    for (int64_t at = step; distances.count(at * access.bytesPerLane);
         at += step)
      ++parts;
  return parts;
}

namespace {
/// What accesses would gain if each needed its fewest sectors.
struct Gain {
  double inUs = 0;
  unsigned accesses = 1;
};

/// What the accesses of an array would gain together: of structures, of which
/// several members are read, each has the same sectors, and gains as much as
/// the others let it.
class GainsOfArrays {
public:
  GainsOfArrays(const RemarkContext &context,
                llvm::ArrayRef<AccessPlace> places)
      : context(context), places(places) {}

  /// Of \p place alone, unless that is noise and more is gained together.
  Gain of(const AccessPlace &place) {
    Gain alone{context.gainInUs(coalesced(context.input, context, place))};
    if (!remarks::isNoise(context, alone.inUs) || place.access->base.empty())
      return alone;
    auto [entry, isNew] =
        known.try_emplace({place.access->base, place.access->kind});
    if (isNew)
      entry->second = together(*place.access);
    return remarks::isNoise(context, entry->second.inUs) ? alone
                                                         : entry->second;
  }

private:
  const RemarkContext &context;
  llvm::ArrayRef<AccessPlace> places;
  std::map<std::pair<llvm::StringRef, AccessKind>, Gain> known;

  /// Nothing if there is one access.
  Gain together(const Access &access) const {
    Gain gain{0, 0};
    OperationalInput ideal = context.input;
    for (const AccessPlace &other : places)
      if (other.access->base == access.base &&
          other.access->kind == access.kind &&
          other.counts.sectors > other.counts.fewestSectors) {
        ideal = coalesced(ideal, context, other);
        ++gain.accesses;
      }
    if (gain.accesses > 1)
      gain.inUs = context.gainInUs(ideal);
    return gain;
  }
};
} // namespace

void auspex::remarks::findWastedSectors(const RemarkContext &context,
                                        double low, double high,
                                        llvm::StringRef cause,
                                        std::vector<Finding> &findings) {
  auto places = llvm::to_vector(placesOf(context, MemorySpace::Global));
  GainsOfArrays gains(context, places);
  for (const AccessPlace &place : places) {
    const RequestCounts &counts = place.counts;
    double factor = counts.sectors / counts.fewestSectors;
    if (factor < low || factor >= high)
      continue;
    // Where a row begins hangs on what is not stated, but not how far apart its
    // elements are, if that is far.
    bool isExpected = !place.isKnown;
    if (isExpected &&
        (factor < RequestCounts::Uncoalesced ||
         !hangsOnArgumentsAlone(*place.access, *context.kernel.summary)))
      continue;
    Finding finding;
    finding.location = place.location;
    Gain gain = gains.of(place);
    finding.gainInUs = gain.inUs;
    double sectors = counts.sectors / counts.requests;
    double fewest = counts.fewestSectors / counts.requests;
    constexpr unsigned WidestAccess = 16;
    unsigned parts = partsOfElement(*context.kernel.summary, *place.access);
    unsigned width = parts * place.access->bytesPerLane;
    // Of an element whose parts are all taken, each takes its share of it.
    bool isOfParts =
        parts > 1 && std::abs(factor - parts) < 0.2 && width <= WidestAccess;
    std::string why = cause.str();
    if (isOfParts)
      why = "a lane takes " + std::to_string(parts) +
            " parts of an element one by one, " +
            (llvm::isPowerOf2_32(width)
                 ? "which an access of " + std::to_string(width) +
                       " B has at once"
                 : "and no access has its " + std::to_string(width) +
                       " B at once; an array for each part has its lanes side "
                       "by side");
    finding.message =
        describe(*place.access) + " touches " + formatCount(sectors, "sector") +
        " a request where " + formatNumber(fewest) + " would do" +
        (isExpected ? ", as expected without the values that are "
                      "not stated: "
                    : ": ") +
        why +
        describeGain(context, finding.gainInUs,
                     gain.accesses > 1
                         ? "all " + std::to_string(gain.accesses) +
                               " such accesses of the array"
                         : "it");
    finding.args.add("SectorsPerRequest", "sectors", sectors);
    finding.args.add("FewestSectorsPerRequest", "sectors", fewest);
    finding.args.add("GainInUs", "us", finding.gainInUs);
    findings.push_back(std::move(finding));
  }
}
