// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AccessBinder.h"
#include "BindParts.h"
#include "OpenAddresses.h"

#include "auspex/Expr/Period.h"
#include "auspex/Kernel/KernelNames.h"

#include <algorithm>
#include <map>

using namespace auspex;

namespace {
class AccessBinder {
public:
  AccessBinder(SharedBinding &shared, Scenario scenario, CodeDomains &domains,
               BoundKernel &result)
      : shared(shared), summary(shared.summary), scenario(scenario),
        domains(domains), result(result), symbols(shared.symbols) {}

  void run();

private:
  SharedBinding &shared;
  const KernelSummary &summary;
  Scenario scenario;
  CodeDomains &domains;
  BoundKernel &result;
  const LaunchSymbols &symbols;
  /// By what they are open for: the accesses, as they are called.
  std::map<std::string, std::vector<std::string>> openAddresses;

  void nameOpenAddresses();
  std::optional<Interval> boundsOf(const Access &access) const;
  int64_t stepOfCounter(const Expr &offset) const;
  int64_t turnsOfSearch(const Access &access,
                        const IterationDomain &domain) const;
  void bindPicks(const Access &access, const BoundDomain &made,
                 BoundAccess &bound);
  void bindJoined(const Access &access, BoundAccess &bound);
  BoundAccess bindAccess(const Access &access);
  void bindApart(const Access &access, const OffsetFamily &family,
                 BoundAccess &bound);
  BoundAccess bindChosen(const Access &access, const Access &chosen);
  void leaveAddressOpen(const Access &access, const std::string &why);
  void assumeExpected(const Expr &offset);
};
} // namespace

void AccessBinder::assumeExpected(const Expr &offset) {
  offset.forEachSymbol([&](llvm::StringRef name) {
    if (isSetByHost(name))
      assume(result, "in addresses " +
                         std::to_string(symbols.expectedPitch(name)) +
                         ", room for the threads along x, stands for " +
                         symbols.describe(name));
    else if (symbols.changesLittle(name))
      assume(result, "addresses change little by " + symbols.describe(name));
    else if (isData(name))
      assume(result, "addresses that differ by " + symbols.describe(name) +
                         " are far from each other");
  });
}

/// The bytes between the lowest and the highest address of the access at
/// \p constant.
static std::optional<Interval> extentOf(const OffsetFamily &family,
                                        int64_t constant) {
  Interval extent;
  if (!family.range ||
      __builtin_add_overflow(family.range->low, constant, &extent.low) ||
      __builtin_add_overflow(family.range->high, constant, &extent.high) ||
      extent.high >= Interval::Max - family.bytesPerLane)
    return std::nullopt;
  extent.high += family.bytesPerLane - 1;
  return extent;
}

/// One sentence for all that are open for the same reason.
void AccessBinder::nameOpenAddresses() {
  for (const auto &[why, accesses] : openAddresses) {
    std::string others = std::to_string(accesses.size() - 1) + " more";
    leaveOpen(result,
              "the address of the " + accesses.front() +
                  (accesses.size() > 1 ? ", and of " + others + ", " : " ") +
                  why);
  }
}

/// What the offset stays within whatever the data; nothing if that is not
/// known.
std::optional<Interval> AccessBinder::boundsOf(const Access &access) const {
  if (!access.hasBounds())
    return std::nullopt;
  auto low = symbols.substitute(access.lowest.expr).constant();
  auto high = symbols.substitute(access.highest.expr).constant();
  if (!low || !high || *low > *high ||
      *high > Interval::Max - access.bytesPerLane)
    return std::nullopt;
  return Interval{*low, *high + access.bytesPerLane - 1};
}

/// Of the innermost loop, for which a search stands.
int64_t AccessBinder::turnsOfSearch(const Access &access,
                                    const IterationDomain &domain) const {
  int loop = summary.blocks[access.block].loop;
  constexpr int64_t Most = 62;
  return loop < 0 ? 0
                  : std::clamp<int64_t>(
                        domain.range(summary.loops[loop].iv).high + 1, 0, Most);
}

static void setPattern(const OffsetFamily &family, int64_t constant,
                       BoundAccess &bound) {
  if (!family.pattern)
    return;
  bound.pattern = family.pattern->movedBy(constant);
  bound.isPicked = family.isPicked;
}

/// Where data pick the address of each lane.
void AccessBinder::bindPicks(const Access &access, const BoundDomain &made,
                             BoundAccess &bound) {
  if (scenario == Scenario::Expected && access.picked.isValid() &&
      access.space == MemorySpace::Global && !access.base.empty())
    setPattern(shared.familyOf(access, made, /*isExpected=*/true),
               access.picked.constantTerm(), bound);
}

/// From one place to the next, where \p offset has what lanes found a counter
/// at that they all add to; else 0.
int64_t AccessBinder::stepOfCounter(const Expr &offset) const {
  int64_t step = 0;
  offset.forEachSymbol([&](llvm::StringRef name) {
    const DataSymbol *symbol = symbols.findDataSymbol(name);
    bool isCounter = symbol && symbol->uniform && symbol->reason == "atomic";
    if (int64_t found = isCounter ? stepAlong(offset, name) : 0)
      step = std::abs(found);
  });
  return step;
}

/// Where some lanes of a warp alone count, each has the place after the one
/// before.
static void leaveNoGaps(int64_t step, const MemoryGranularity &sizes,
                        RequestCounts &counts) {
  double bytes = counts.lanes * static_cast<double>(step);
  auto limit = [&](double &touched, double placeInBytes) {
    touched =
        std::min(touched, std::max(counts.requests, bytes / placeInBytes));
  };
  limit(counts.sectors, sizes.sectorInBytes);
  limit(counts.lines, sizes.lineInBytes);
}

void AccessBinder::leaveAddressOpen(const Access &access,
                                    const std::string &why) {
  std::vector<std::string> &accesses = openAddresses[why];
  std::string name =
      toString(access.kind).str() + symbols.atLine(access.location);
  if (!llvm::is_contained(accesses, name))
    accesses.push_back(std::move(name));
}

/// Of \p access where data choose between addresses, \p chosen is one.
BoundAccess AccessBinder::bindChosen(const Access &access,
                                     const Access &chosen) {
  BoundAccess bound = bindAccess(chosen);
  if (bound.counts.requests == 0)
    return bound;
  leaveAddressOpen(access, "is unknown (" + access.offset.reason + ")");
  assume(result, "where data choose between addresses that are known, all "
                 "lanes take the same one");
  bound.isKnown = false;
  return bound;
}

/// The requests of each version of the code around, where lanes do not go
/// through these together.
void AccessBinder::bindApart(const Access &access, const OffsetFamily &family,
                             BoundAccess &bound) {
  auto versions = domains.versionsOf(access);
  if (versions.empty())
    return;
  Expr offset = family.offset + Expr(access.offset.expr.constantTerm());
  RequestCounts sum;
  for (const CodeDomains::VersionTurns &version : versions) {
    auto counts = countRequests(
        *version.turns, version.turns->simplify(version.asCounted(offset)),
        access.bytesPerLane, granularityOf(shared.gpu, access.space));
    if (!counts)
      return;
    sum.add(*counts, 1);
  }
  if (sum != bound.counts)
    bound.apart = std::make_shared<const RequestCounts>(sum);
}

BoundAccess AccessBinder::bindAccess(const Access &access) {
  const BoundDomain &made = *domains.of(access).made;
  const IterationDomain &domain = *made.domain;
  BoundAccess bound;
  if (domain.warpExecutions() == 0) {
    bound.isKnown = true;
    return bound;
  }
  if (access.space == MemorySpace::Local) {
    bound.counts = standIn(access, bound, domain, shared, scenario);
    return bound;
  }
  if (access.space == MemorySpace::Texture) {
    // Which texels these are is assumed where they are counted.
    bound.counts.requests = domain.warpExecutions();
    bound.counts.lanes = domain.laneExecutions();
    return bound;
  }
  if (!access.offset.isKnown()) {
    leaveAddressOpen(access, "is unknown (" + access.offset.reason + ")");
    if (access.offset.isSearch() && scenario == Scenario::Expected)
      bound.halvings = turnsOfSearch(access, domain);
    bound.extent = boundsOf(access);
    bound.counts = standIn(access, bound, domain, shared, scenario);
    bindPicks(access, made, bound);
    return bound;
  }
  if (access.space == MemorySpace::Unknown)
    leaveOpen(result, "the memory space of the " + toString(access.kind).str() +
                          symbols.atLine(access.location) + " is not known");
  OffsetFamily &family =
      shared.familyOf(access, made, scenario == Scenario::Expected);
  int64_t constant = access.offset.expr.constantTerm();
  bool isGlobal = access.space == MemorySpace::Global;
  std::optional<RequestCounts> counts;
  // A row's width says little about banks.
  if (family.requests && (!family.isOpen || isGlobal))
    counts = family.requests->countsAt(constant);
  if (counts && isGlobal && !access.base.empty())
    setPattern(family, constant, bound);
  bool isExact = false;
  if (family.isOpen && access.space == MemorySpace::Shared)
    counts = countOpenRows(access, family.offset + Expr(constant), domain,
                           shared, scenario, isExact);
  if (isExact) {
    bound.isKnown = true;
  } else if (family.isOpen) {
    leaveAddressOpen(access,
                     "depends on " + symbols.describeOpen(family.offset));
    if (counts && isGlobal) {
      assumeExpected(family.offset);
      if (int64_t step = stepOfCounter(family.offset))
        leaveNoGaps(step, granularityOf(shared.gpu, access.space), *counts);
    } else if (!counts)
      counts = countOpenOffset(access, family.offset + Expr(constant), domain,
                               shared, scenario);
  } else {
    bound.isKnown = counts.has_value();
    if (!counts)
      leaveAddressOpen(access, "cannot be evaluated");
    else
      bound.extent = extentOf(family, constant);
  }
  bound.counts =
      counts ? *counts : standIn(access, bound, domain, shared, scenario);
  result.isExact &= !bound.isKnown || bound.counts.exact;
  if (bound.isKnown)
    bindApart(access, family, bound);
  return bound;
}

/// Lanes that want the same word take a pass together, but as parts of a joined
/// load only within the few lanes that are served at once. Where no two want
/// the same, they meet at the banks as before.
void AccessBinder::bindJoined(const Access &access, BoundAccess &bound) {
  unsigned neighbours = neighboursOf(access, summary);
  if (neighbours == 1 || !bound.isKnown ||
      bound.counts.sameAddress <= bound.counts.requests)
    return;
  OffsetFamily &family = shared.familyOf(access, *domains.of(access).made,
                                         scenario == Scenario::Expected,
                                         access.bytesPerLane * neighbours);
  if (family.isOpen || !family.requests)
    return;
  auto counts = family.requests->countsAt(access.offset.expr.constantTerm());
  if (counts && counts->requests > 0)
    bound.passesOfJoined = counts->bankPasses / counts->requests;
}

void AccessBinder::run() {
  for (auto [access, chosen] : llvm::zip(summary.accesses, shared.chosen)) {
    result.accesses.push_back(chosen && scenario == Scenario::Expected
                                  ? bindChosen(access, *chosen)
                                  : bindAccess(access));
    bindJoined(access, result.accesses.back());
  }
  nameOpenAddresses();
}

void auspex::bindAccesses(SharedBinding &shared, Scenario scenario,
                          CodeDomains &domains, BoundKernel &result) {
  AccessBinder(shared, scenario, domains, result).run();
}
