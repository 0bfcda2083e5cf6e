// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpenAddresses.h"

#include "BindParts.h"
#include "auspex/Expr/Period.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace auspex;

/// Of a block, as the source states it.
static double sharedInBytes(const SharedBinding &shared) {
  auto bytes = static_cast<double>(shared.summary.staticSharedInBytes);
  if (const auto &dynamic = shared.resources.launch.dynamicShared)
    bytes += static_cast<double>(dynamic->value);
  return bytes;
}

/// \p counts with lanes that pick evenly and independently from an object of
/// known size.
static RequestCounts spreadOver(double objectBytes, const Access &access,
                                const MemoryGranularity &sizes,
                                const RequestCounts &counts) {
  double lanes = counts.lanes / std::max(1.0, counts.requests);
  auto picked = [&](double placeInBytes) {
    double places = std::max(1.0, std::ceil(objectBytes / placeInBytes));
    return counts.requests * placesPicked(places, lanes);
  };
  RequestCounts spread = spreadEvenly(
      counts, objectBytes / std::max<double>(1, access.bytesPerLane));
  spread.sectors = std::min(counts.sectors, picked(sizes.sectorInBytes));
  spread.lines = std::min(counts.lines, picked(sizes.lineInBytes));
  double requests = std::max(1.0, counts.requests);
  double tagCycles =
      requests * sizes.tagCycles(spread.lines / requests,
                                 picked(sizes.WindowInBytes) / requests);
  spread.l1Cycles = std::max(spread.bankPasses, tagCycles);
  return spread;
}

/// What holds the places of \p access, as far as that is known; else 0.
static double reachInBytes(const Access &access, const BoundAccess &bound,
                           const SharedBinding &shared) {
  double object = objectInBytes(access, shared.resources.launch);
  if (!bound.extent)
    return object;
  double extent = bytesOf(*bound.extent);
  return object > 0 ? std::min(object, extent) : extent;
}

/// Data pick a place from which lanes go on side by side, as where each segment
/// is copied to a place of its own: neighbours are expected in the same one.
static bool goesOnWithLanes(const Access &access) {
  return access.picked.isValid() &&
         std::abs(stepAlong(access.picked, "tid.x")) == access.bytesPerLane;
}

/// \p counts with lanes that look, in turn k of a search, at one of 2^k places
/// each, which lie far apart.
static RequestCounts halved(const RequestCounts &counts, int64_t halvings) {
  RequestCounts result = counts;
  auto isMean = [&](double RequestCounts::*field, auto &&ofTurn) {
    double sum = 0;
    for (int64_t turn = 0; turn < halvings; ++turn)
      sum += ofTurn(std::exp2(turn));
    result.*field =
        std::min(counts.*field, sum / static_cast<double>(halvings));
  };
  double lanes = counts.lanes / std::max(1.0, counts.requests);
  for (auto field : {&RequestCounts::sectors, &RequestCounts::lines,
                     &RequestCounts::l1Cycles})
    isMean(field, [&](double places) {
      return counts.requests * placesPicked(places, lanes);
    });
  for (auto field : {&RequestCounts::bankPasses, &RequestCounts::lanesOnBank,
                     &RequestCounts::sameAddress})
    isMean(field,
           [&](double places) { return spreadEvenly(counts, places).*field; });
  return result;
}

/// Whatever the object holds.
static RequestCounts standInForAny(const Access &access,
                                   const BoundAccess &bound,
                                   const IterationDomain &domain,
                                   const SharedBinding &shared,
                                   Scenario scenario) {
  MemoryGranularity sizes = granularityOf(shared.gpu, access.space);
  RequestCounts counts;
  counts.exact = false;
  double bytes = access.bytesPerLane;
  double words = std::max(1.0, bytes / MemoryGranularity::BankInBytes);
  counts.requests = domain.warpExecutions();
  counts.lanes = domain.laneExecutions();
  counts.fewestSectors =
      std::max(counts.requests, counts.lanes * bytes / sizes.sectorInBytes);
  counts.fewestBankPasses = counts.requests * words;
  // Which bytes of its own a thread touches costs the same. What is looked up
  // in constant memory by calculation, as in a search, is for most lanes the
  // same.
  bool isLookedUp = access.space == MemorySpace::Constant &&
                    scenario == Scenario::Expected &&
                    access.offset.reason != "indirect";
  if (scenario == Scenario::Low || access.space == MemorySpace::Local ||
      isLookedUp) {
    counts.sectors = counts.lines = counts.bankPasses = counts.requests;
    counts.l1Cycles = counts.requests;
    // In local memory the words of lanes lie side by side.
    if (access.space == MemorySpace::Local)
      counts.sectors = counts.fewestSectors;
    counts.sameAddress =
        access.kind == AccessKind::Atomic ? counts.requests : counts.lanes;
    counts.lanesOnBank = counts.requests;
    return counts;
  }
  if (scenario == Scenario::Expected && access.space == MemorySpace::Global &&
      ((access.kind != AccessKind::Atomic && access.offset.isCalculated()) ||
       goesOnWithLanes(access))) {
    counts.sectors = counts.fewestSectors;
    counts.lines =
        std::max(counts.requests, counts.lanes * bytes / sizes.lineInBytes);
    counts.bankPasses = counts.l1Cycles = counts.fewestBankPasses;
    counts.sameAddress = counts.lanesOnBank = counts.requests;
    return counts;
  }
  counts.sectors = counts.lanes * std::max(1.0, bytes / sizes.sectorInBytes);
  counts.lines = counts.lanes;
  counts.bankPasses = std::max(counts.lanes, counts.fewestBankPasses);
  counts.l1Cycles = counts.bankPasses;
  counts.sameAddress = counts.lanesOnBank = counts.lanes;
  if (bound.halvings > 0 && access.kind != AccessKind::Atomic)
    return halved(counts, bound.halvings);
  if (scenario == Scenario::Expected && access.space == MemorySpace::Shared)
    return spreadEvenly(counts, sharedInBytes(shared) / std::max(1.0, bytes));
  if (scenario == Scenario::Expected)
    counts.sameAddress = counts.requests;
  double reach = reachInBytes(access, bound, shared);
  if (scenario == Scenario::Expected && reach > 0)
    return spreadOver(reach, access, sizes, counts);
  return counts;
}

RequestCounts auspex::standIn(const Access &access, const BoundAccess &bound,
                              const IterationDomain &domain,
                              const SharedBinding &shared, Scenario scenario) {
  RequestCounts counts = standInForAny(access, bound, domain, shared, scenario);
  double object = reachInBytes(access, bound, shared);
  if (object <= 0 || access.space != MemorySpace::Global)
    return counts;
  // No request touches more than there is.
  MemoryGranularity sizes = granularityOf(shared.gpu, access.space);
  auto limit = [&](double &touched, double placeInBytes) {
    touched =
        std::min(touched, counts.requests * std::ceil(object / placeInBytes));
  };
  limit(counts.sectors, sizes.sectorInBytes);
  limit(counts.fewestSectors, sizes.sectorInBytes);
  limit(counts.lines, sizes.lineInBytes);
  return counts;
}

std::optional<RequestCounts> auspex::countOpenRows(
    const Access &access, const Expr &offset, const IterationDomain &domain,
    const SharedBinding &shared, Scenario scenario, bool &isExact) {
  constexpr int64_t Row = 128, Far = int64_t(1) << 32;
  bool areRows = true;
  Expr inRow = offset.filterTerms([&](const Expr &term) {
    if (!isOpen(term))
      return true;
    areRows &= term.sum().front().coefficient % Row == 0;
    return false;
  });
  if (!areRows || access.kind == AccessKind::Atomic)
    return std::nullopt;
  Expr thread[] = {Expr::symbol("tid.x"), Expr::symbol("tid.y"),
                   Expr::symbol("tid.z")};
  Expr apart = inRow + LaunchSymbols::numberApart(thread, Far,
                                                  [&](llvm::StringRef name) {
                                                    return domain.range(name);
                                                  });
  if (!apart.isValid())
    return std::nullopt;
  MemoryGranularity sizes = granularityOf(shared.gpu, access.space);
  auto count = [&](const Expr &place) {
    return countRequests(domain, domain.simplify(place), access.bytesPerLane,
                         sizes);
  };
  auto together = count(inRow), each = count(apart);
  if (!together || !each)
    return std::nullopt;
  isExact = together->bankPasses == each->bankPasses;
  return scenario == Scenario::Low && !isExact ? together : each;
}

bool auspex::usesThread(const Expr &expr) {
  return expr.usesAny(isThreadIndex);
}

std::optional<RequestCounts>
auspex::countOpenOffset(const Access &access, const Expr &offset,
                        const IterationDomain &domain,
                        const SharedBinding &shared, Scenario scenario) {
  auto ranges = [&](llvm::StringRef name) { return domain.range(name); };
  int64_t step = 0;
  std::vector<Expr> apart;
  Expr known = offset.filterTerms([&](const Expr &term) {
    if (!isOpen(term))
      return true;
    step = std::gcd(step, term.sum().front().coefficient);
    shared.symbols.findApart(term, {.little = scenario != Scenario::Expected},
                             ranges, apart);
    return false;
  });
  llvm::erase_if(apart, [](const Expr &part) { return !usesThread(part); });
  if (!apart.empty() && access.space == MemorySpace::Shared)
    return std::nullopt;
  constexpr int64_t Line = 128, Far = int64_t(1) << 32;
  if (scenario != Scenario::Low)
    known = known + LaunchSymbols::numberApart(apart, Far, ranges);
  if (!known.isValid())
    return std::nullopt;
  step = std::gcd(step, Line);
  RequestFamily requests(domain, domain.simplify(known), access.bytesPerLane,
                         granularityOf(shared.gpu, access.space));
  std::optional<RequestCounts> chosen;
  for (int64_t shift = 0; shift < Line; shift += step) {
    auto counts = requests.countsAt(shift);
    if (!counts)
      return std::nullopt;
    bool better = chosen && (scenario == Scenario::High
                                 ? counts->sectors > chosen->sectors
                                 : counts->sectors < chosen->sectors);
    if (!chosen || better)
      chosen = counts;
  }
  return chosen;
}
