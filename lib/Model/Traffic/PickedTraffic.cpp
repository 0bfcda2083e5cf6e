// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Caches.h"
#include "RandomPicks.h"
#include "TrafficCount.h"
#include "auspex/Expr/Period.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace auspex;

/// What lanes side by side come to in places side by side, more or less: what
/// they calculate, or what data pick and their index goes on from.
static bool isInOrder(const Access &access) {
  llvm::StringRef reason = access.offset.reason;
  bool result = access.offset.isKnown() || reason == "float" ||
                reason == "phi" || reason == "rank";
  if (access.picked.isValid())
    access.picked.forEachTerm([&](const Expr &term) {
      bool isOfThread =
          term.usesAny(isThreadIndex) || term.usesAny(isBlockIndex);
      result |= isOfThread && !term.usesAny(isData);
    });
  return result;
}

/// Each lane goes on from the place that data pick, as over a row.
static bool goesOn(const Access &access, llvm::ArrayRef<Loop> loops) {
  return access.picked.isValid() && llvm::any_of(loops, [&](const Loop &loop) {
           int64_t step = stepAlong(access.picked, loop.iv);
           return step != 0 && std::abs(step) <= LineInBytes;
         });
}

double auspex::linesInNoOrder(const BoundKernel &kernel, size_t number,
                              AccessKind other, int64_t sector) {
  double lines = 0, sectors = 0;
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses)) {
    if (bound.object != static_cast<int>(number) || access.kind == other)
      continue;
    sectors += bound.counts.sectors;
    if (!isInOrder(access))
      lines += goesOn(access, kernel.summary->loops)
                   ? bound.counts.sectors * static_cast<double>(sector) /
                         static_cast<double>(LineInBytes)
                   : bound.counts.lines;
  }
  return sectors > 0 ? lines / sectors : 0;
}

/// How much more than their sectors the lines of the requests to an object are,
/// but for those of kind \p other.
static double linesPerByte(const BoundKernel &kernel, size_t number,
                           AccessKind other, int64_t sector) {
  RequestCounts all;
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses))
    if (bound.object == static_cast<int>(number) && access.kind != other)
      all.add(bound.counts, 1);
  double sectors = all.lines > 0 ? all.sectors / all.lines : 1;
  return static_cast<double>(LineInBytes) /
         (static_cast<double>(sector) * sectors);
}

std::optional<double> auspex::reachOf(const TrafficCount &count,
                                      size_t number) {
  const BoundKernel &kernel = count.kernel;
  const BoundObject &bound = kernel.objects[number];
  const ObjectTraffic &object = count.traffic.objects[number];
  std::optional<double> reach = bound.extentInBytes;
  if (bound.sizeInBytes)
    return std::min(*bound.sizeInBytes, reach.value_or(*bound.sizeInBytes));
  if (reach || kernel.scenario != Scenario::Expected)
    return reach;
  double most = 0;
  for (auto [access, of] :
       llvm::zip(kernel.summary->accesses, kernel.accesses)) {
    if (of.object != static_cast<int>(number))
      continue;
    if (!of.isKnown && !access.offset.isCalculated())
      return std::max(object.usefulLoadInBytes, object.usefulStoreInBytes);
    most = std::max(most, of.counts.lanes * access.bytesPerLane);
  }
  return most;
}

namespace {

class PickCounter {
public:
  explicit PickCounter(TrafficCount &count)
      : count(count), kernel(count.kernel), gpu(count.gpu),
        objects(count.traffic.objects), sector(count.sector) {}

  void run(const std::vector<bool> &knownInBlocks);

private:
  TrafficCount &count;
  const BoundKernel &kernel;
  const GPU &gpu;
  std::vector<ObjectTraffic> &objects;
  const int64_t sector;

  /// Whether some access to an object is meant.
  bool hasAccess(size_t number,
                 llvm::function_ref<bool(const Access &, const BoundAccess &)>
                     isMeant) const;
  bool isPicked(size_t number) const;
  std::vector<RandomPicks> picksFrom(size_t number) const;
  bool isReadByData(size_t number) const;
  bool areRowsUpdated(size_t number) const;
  double fetchedBesides(double picked, double reach) const;
  void shareCaches(std::vector<std::vector<RandomPicks>> &picks,
                   double capacity, double caches) const;
};

} // namespace

bool PickCounter::hasAccess(
    size_t number,
    llvm::function_ref<bool(const Access &, const BoundAccess &)> isMeant)
    const {
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses))
    if (bound.object == static_cast<int>(number) && isMeant(access, bound))
      return true;
  return false;
}

bool PickCounter::isPicked(size_t number) const {
  return hasAccess(number, [](const Access &, const BoundAccess &bound) {
    return bound.isPicked;
  });
}

/// What loads pick from an object by way of L1.
std::vector<RandomPicks> PickCounter::picksFrom(size_t number) const {
  double reach =
      reachOf(count, number).value_or(std::numeric_limits<double>::infinity());
  std::vector<RandomPicks> picks{
      {objects[number].requestedLoadInBytes - count.pastL1InBytes[number],
       reach, reach, linesPerByte(kernel, number, AccessKind::Store, sector)}};
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses))
    if (bound.object == static_cast<int>(number) && bound.halvings > 0 &&
        access.goesThroughL1())
      for (const RandomPicks &turn :
           turnsOfSearch(access, bound, reach, static_cast<double>(sector),
                         static_cast<double>(LineInBytes))) {
        picks.front().bytes -= turn.bytes;
        picks.push_back(turn);
      }
  return picks;
}

/// Whether atomics of lanes that are side by side are on words side by side.
bool PickCounter::areRowsUpdated(size_t number) const {
  return hasAccess(number, [](const Access &access, const BoundAccess &bound) {
    const RequestCounts &counts = bound.counts;
    return access.kind == AccessKind::Atomic &&
           counts.sectors > counts.requests &&
           counts.sectors <= counts.fewestSectors;
  });
}

/// Whether data, not indices alone, say what is read of an object.
bool PickCounter::isReadByData(size_t number) const {
  return hasAccess(number, [](const Access &access, const BoundAccess &bound) {
    return !bound.isKnown && access.kind == AccessKind::Load &&
           !access.offset.isCalculated();
  });
}

/// Leaves of \p picks, by object, what \p caches of \p capacity each pass on.
/// Those that data read share them.
void PickCounter::shareCaches(std::vector<std::vector<RandomPicks>> &picks,
                              double capacity, double caches) const {
  std::vector<RandomPicks> ofData;
  auto isShared = [&](size_t number) {
    return !count.footprints.isKnown(number) && isReadByData(number);
  };
  for (size_t i = 0; i < picks.size(); ++i)
    if (isShared(i))
      llvm::append_range(ofData, picks[i]);
  double ofAll = shareKept(ofData, capacity);
  for (auto [i, ofObject] : llvm::enumerate(picks)) {
    double kept = isShared(i) ? ofAll : shareKept(ofObject, capacity);
    throughCaches(ofObject, kept, caches);
  }
}

/// The bytes that are fetched together with the sectors of \p picked bytes,
/// from any place in \p reach, and not picked: there is no more to fetch than
/// all there is, and what is fetched again L2 has lost.
double PickCounter::fetchedBesides(double picked, double reach) const {
  double lost = 1 - std::min(1.0, l2OfPicksInBytes(gpu) / reach);
  double alone =
      picked < reach ? std::min(picked, reach - picked) : picked - reach;
  return lost * alone * static_cast<double>(count.fetch - sector) /
         static_cast<double>(sector);
}

void PickCounter::run(const std::vector<bool> &knownInBlocks) {
  std::vector<std::vector<RandomPicks>> picks(objects.size()), stored = picks;
  for (auto [i, object] : llvm::enumerate(objects))
    if (!object.isKnown || isPicked(i))
      picks[i] = picksFrom(i);
  if (llvm::all_of(picks, [](const auto &of) { return of.empty(); }))
    return;
  if (cachesLoads(gpu))
    shareCaches(picks, l1InBytes(kernel, gpu),
                std::min(gpu[Q::SMCount],
                         static_cast<double>(kernel.shape.grid.count())));
  for (auto [i, object] : llvm::enumerate(objects)) {
    if (picks[i].empty())
      continue;
    double pastL1 = count.pastL1InBytes[i];
    // What blocks touch may be known where it is not what many of them do: L1
    // then has at least what has been counted.
    if (double past = bytesOf(picks[i]) + pastL1; knownInBlocks[i] && past > 0)
      for (RandomPicks &some : picks[i])
        some.bytes *= std::min(1.0, object.l2LoadInBytes / past);
    object.l2LoadInBytes = bytesOf(picks[i]) + pastL1;
    // Many atomics are expected to be on few words, which stay in L2, unless it
    // is known what they pick from, or they pick rows of many words.
    bool areFew = kernel.scenario == Scenario::Expected &&
                  !kernel.objects[i].sizeInBytes && !areRowsUpdated(i);
    double inL2 = areFew ? count.atomicsInBytes[i] : 0;
    picks[i].front().bytes += pastL1 - inL2;
    double reach = picks[i].front().reach;
    stored[i] = {{object.requestedStoreInBytes - inL2, reach, reach,
                  linesPerByte(kernel, i, AccessKind::Load, sector)}};
  }
  shareCaches(picks, l2OfPicksInBytes(gpu), 1);
  for (auto [i, object] : llvm::enumerate(objects)) {
    if (picks[i].empty())
      continue;
    throughCaches(stored[i], shareKept(stored[i], l2OfPicksInBytes(gpu)), 1);
    double picked = bytesOf(picks[i]);
    double loads = count.missedAfterLaunch *
                   (picked + fetchedBesides(picked, picks[i].front().reach)),
           stores = count.missedAfterLaunch * bytesOf(stored[i]);
    // Of rows that blocks pick, as many as there are, each once.
    object.dramLoadInBytes =
        object.isKnown ? std::min(object.dramLoadInBytes, loads) : loads;
    object.dramStoreInBytes =
        object.isKnown ? std::min(object.dramStoreInBytes, stores) : stores;
    if (object.isKnown)
      continue;
    count.linesLoadedInNoOrder[i] =
        count.missedAfterLaunch * picked *
        linesInNoOrder(kernel, i, AccessKind::Store, sector) /
        static_cast<double>(sector);
  }
}

void auspex::passInNoOrder(TrafficCount &count,
                           const std::vector<bool> &knownInBlocks) {
  PickCounter(count).run(knownInBlocks);
}
