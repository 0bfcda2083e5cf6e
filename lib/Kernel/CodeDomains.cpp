// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CodeDomains.h"
#include "BindParts.h"
#include "OpenAddresses.h"

#include "auspex/Expr/Minima.h"
#include "auspex/Kernel/KernelNames.h"

#include <algorithm>
#include <cmath>
#include <utility>

using namespace auspex;

CodeDomains::CodeDomains(SharedBinding &shared, Scenario scenario,
                         BoundKernel &result)
    : shared(shared), summary(shared.summary), scenario(scenario),
      result(result), symbols(shared.symbols), branches(shared),
      trips(summary.loops.size()) {
  result.loops.resize(summary.loops.size());
  for (auto [block, guard] : llvm::zip(summary.blocks, shared.guards))
    ofBlocks.push_back(of(block.loop, decide(guard)));
}

//===----------------------------------------------------------------------===//
// Conditions and trip counts
//===----------------------------------------------------------------------===//

/// A condition without open symbols: what cannot be known is decided by the
/// scenario, conjunct by conjunct.
Expr CodeDomains::decide(const Expr &condition) {
  if (!isOpen(condition))
    return condition;
  auto [entry, isNew] = decided.try_emplace(condition);
  if (isNew)
    entry->second = decideOpen(shared.simplified(condition));
  return entry->second;
}

Expr CodeDomains::decideOpen(const Expr &condition) {
  if (!isOpen(condition))
    return condition;
  const Atom *atom = condition.asAtom();
  if (atom &&
      (atom->kind == Atom::Kind::Min || atom->kind == Atom::Kind::Max)) {
    // What is decided already may decide the whole, and nothing is open.
    Expr decisive(atom->kind == Atom::Kind::Min ? 0 : 1);
    if (llvm::is_contained(atom->operands, decisive))
      return decisive;
    Expr joined = decide(atom->operands.front());
    for (const Expr &operand : llvm::drop_begin(atom->operands)) {
      Expr part = decide(operand);
      joined = atom->kind == Atom::Kind::Min ? Expr::conjunction(joined, part)
                                             : Expr::disjunction(joined, part);
    }
    return joined;
  }
  leaveOpen(result, "whether a branch is taken depends on " +
                        symbols.describeOpen(condition));
  return Expr(scenario == Scenario::Low ? branches.isTakenAtLeast(condition)
                                        : branches.isTaken(condition));
}

/// \p expr with 0 for those of its terms that are open minima: data count
/// iterations there.
static Expr atLeast(const Expr &expr) {
  return expr.filterTerms([&](const Expr &term) {
    const Expr::Term &only = term.sum().front();
    return only.coefficient < 0 || only.factors.size() != 1 ||
           only.factors[0].atom->kind != Atom::Kind::Min || !isOpen(term);
  });
}

/// How many rows data pick with \p row in \p domain.
double CodeDomains::countRows(const Expr &row,
                              const IterationDomain &domain) const {
  auto ranges = [&](llvm::StringRef name) { return domain.range(name); };
  double lanes = domain.laneExecutions();
  bool isKnown = !row.usesAny([&](llvm::StringRef name) {
    const DataSymbol *symbol = symbols.findDataSymbol(name);
    return symbol && !symbol->uniform && symbol->changesWith.empty();
  });
  std::vector<Expr> apart;
  row.forEachTerm([&](const Expr &term) {
    symbols.findApart(term, {.indices = false, .little = false}, ranges, apart);
  });
  Expr number = LaunchSymbols::numberApart(apart, 1, ranges);
  Interval all = number.range(ranges);
  if (!isKnown || !number.isValid() || all.low < 0)
    return lanes;
  return std::min(lanes, static_cast<double>(all.high) - all.low + 1);
}

/// How many rows there are if \p first, where one begins, is read from an array
/// of known size at a place that data pick: as many as it has elements, which
/// may be far more than those picked. 0 otherwise.
double CodeDomains::rowsToPickFrom(const Expr &first) const {
  double rows = 0;
  for (const Access &access : summary.accesses) {
    bool isPicked = !access.offset.isKnown() ||
                    symbols.isPicked(symbols.substitute(access.offset.expr));
    if (access.kind != AccessKind::Load || !isPicked ||
        !first.usesAny([&](llvm::StringRef name) {
          const DataSymbol *symbol = symbols.findDataSymbol(name);
          return symbol && symbol->location.isKnown() &&
                 symbol->location == access.location;
        }))
      continue;
    rows = std::max(rows,
                    objectInBytes(access, result.launch) / access.bytesPerLane);
  }
  return rows;
}

/// Of a loop over a row, from where data say on: what it reads has a known
/// size, and all rows are expected to be that together, as those of a sparse
/// matrix are.
std::optional<CodeDomains::Rows> CodeDomains::rowsOf(int number) {
  const Loop &loop = summary.loops[number];
  for (const Access &access : summary.accesses) {
    double size = objectInBytes(access, result.launch);
    bool isApart = !access.offset.isKnown();
    Expr offset =
        symbols.substitute(isApart ? access.picked : access.offset.expr);
    auto row = offset.linearIn(loop.iv);
    int64_t step = row ? row->factor->constant().value_or(0) : 0;
    if (summary.blocks[access.block].loop != number || size <= 0 ||
        access.space != MemorySpace::Global || step <= 0 ||
        !symbols.isPicked(*row->rest))
      continue;
    Expr before = guardBefore(number, decide(shared.guards[access.block]));
    double count = countRows(
        *row->rest,
        *makeDomain(makeNest(loopChain(loop.parent), before), before).domain);
    if (count <= 0)
      continue;
    double listed = rowsToPickFrom(*row->rest);
    count = std::max(count, listed);
    // Lanes that go over a row together have a last turn that is not full.
    double together =
        std::max(1.0, static_cast<double>(step) / access.bytesPerLane);
    double unfilled = (1 - 1 / together) / 2;
    auto mean = std::max<int64_t>(
        1, std::llround(size / (static_cast<double>(step) * count) + unfilled));
    shared.layRows(*row->rest, mean * step, /*areInOrder=*/listed == 0);
    return Rows{&access, mean, isApart ? LaunchShape::WarpSize * mean : mean};
  }
  return std::nullopt;
}

/// Whether \p trips are those of a search that halves a range and ends early
/// where it comes to what it looks for: most places are those it comes to last.
static bool endsLate(const Expr &trips, const LaunchSymbols &symbols) {
  return trips.usesAny([&](llvm::StringRef name) {
    const DataSymbol *symbol = symbols.findDataSymbol(name);
    return symbol && symbol->reason == "match";
  });
}

Expr CodeDomains::bindTripCount(int number) {
  const Loop &loop = summary.loops[number];
  std::string &why = result.loops[number].openBecause;
  if (loop.tripCount.isKnown()) {
    const Expr &trip = shared.tripCounts[number];
    if (!isOpen(trip))
      return trip;
    why = "depends on " + symbols.describeOpen(trip);
    // Data may end a loop early; what counts besides is an upper bound.
    auto most = boundByMinima(
        trip, [](const Expr &operand) { return !isOpen(operand); });
    if (Expr least = atLeast(trip); most && !isOpen(least)) {
      leaveOpen(result, "the trip count of the loop" +
                            symbols.atLine(loop.location) + " " +
                            std::exchange(why, ""));
      switch (scenario) {
      case Scenario::Low:
        return Expr::min(*most, least);
      case Scenario::Expected:
        return endsLate(trip, symbols) ? *most
                                       : Expr::floorDiv(least + *most, Expr(2));
      case Scenario::High:
        return *most;
      }
    }
  } else {
    why = "is unknown (" + loop.tripCount.reason + ")";
  }
  // A loop that is entered runs once at least; there is no upper end, unless
  // all lanes together go over what is known.
  if (std::optional<Rows> rows = rowsOf(number)) {
    leaveOpen(result, "the trip count of the loop" +
                          symbols.atLine(loop.location) + " " +
                          std::exchange(why, ""));
    const std::string &base = rows->access->base;
    std::string name = argumentName(summary, base);
    assume(result, "the loop" + symbols.atLine(loop.location) +
                       " goes over all of " + (name.empty() ? base : name) +
                       " once, " + std::to_string(rows->mean) +
                       (rows->mean == 1 ? " turn" : " turns") + " in the mean");
    return Expr(scenario == Scenario::Low        ? 1
                : scenario == Scenario::Expected ? rows->mean
                                                 : rows->most);
  }
  endlessLoops.push_back(number);
  return Expr(1);
}

//===----------------------------------------------------------------------===//
// Domains
//===----------------------------------------------------------------------===//

/// The loops around a block, outermost first.
std::vector<int> CodeDomains::loopChain(int loop) const {
  std::vector<int> chain;
  for (; loop >= 0; loop = summary.loops[loop].parent)
    chain.insert(chain.begin(), loop);
  return chain;
}

std::vector<DomainLoop> CodeDomains::makeNest(llvm::ArrayRef<int> loops,
                                              const Expr &condition) {
  std::vector<DomainLoop> nest;
  // A loop that never runs need not be known.
  for (int loop : loops) {
    if (!trips[loop] && !condition.isZero())
      trips[loop] = bindTripCount(loop);
    nest.push_back({summary.loops[loop].iv, trips[loop].value_or(Expr(0))});
  }
  return nest;
}

/// A loop without an upper bound of its trip count runs once.
const BoundDomain &CodeDomains::makeDomain(std::vector<DomainLoop> nest,
                                           const Expr &condition) {
  const BoundDomain *made = &shared.domain(nest, condition);
  if (!made->domain) {
    leaveEndless(result, "a trip count has no upper bound");
    for (DomainLoop &loop : nest)
      loop.tripCount = Expr(1);
    made = &shared.domain(nest, condition);
  }
  if (!made->domain->isExact()) {
    result.isExact = false;
    assume(result, "how often code runs is counted at samples of the launch: "
                   "its conditions or trip counts have too many cases, or no "
                   "value for some threads");
  }
  result.pieces += made->domain->pieces().size();
  return *made;
}

/// Of \p guard what decides before \p loop whether a warp comes to it.
Expr CodeDomains::guardBefore(int loop, const Expr &guard) const {
  Expr before(1);
  for (const Expr &part : guard.conjuncts())
    if (!part.uses(summary.loops[loop].iv))
      before = Expr::conjunction(before, part);
  return before;
}

const Executions &CodeDomains::of(int loop, const Expr &guard) {
  auto [entry, isNew] = knownExecutions.try_emplace({loop, guard});
  Executions &runs = entry->second;
  if (!isNew)
    return runs;
  std::vector<int> chain = loopChain(loop);
  runs.made = &makeDomain(makeNest(chain, guard), guard);
  const IterationDomain &domain = runs.domain();
  if (domain.warpExecutions() > 0)
    runs.warpsPerRunner = domain.blockExecutions() *
                          result.shape.warpsPerBlock() /
                          domain.warpExecutions();
  // Points of a sample do not show who never takes part.
  if (!domain.isExact())
    runs.runners = ~uint32_t(0);
  for (const IterationDomain::Piece &piece : domain.pieces())
    for (auto [warp, mask] : llvm::enumerate(*piece.masks))
      runs.runners |= uint32_t(mask != 0) << warp;
  if (!chain.empty()) {
    // Coming to the loop: the same without its own counter.
    Expr before = guardBefore(loop, guard);
    chain.pop_back();
    runs.loopEntries =
        makeDomain(makeNest(chain, before), before).domain->warpExecutions();
  }
  return runs;
}

/// When a lane takes part in \p access.
Expr CodeDomains::conditionOf(const Access &access) {
  Expr guard = decide(shared.guards[access.block]);
  if (access.lanes >= LaunchShape::WarpSize)
    return guard;
  Expr takesPart =
      Expr::isLess(symbols.substitute(laneOfThread()), access.lanes);
  return Expr::conjunction(guard, takesPart);
}

const Executions &CodeDomains::of(const Access &access) {
  if (access.lanes >= LaunchShape::WarpSize)
    return ofBlocks[access.block];
  return of(summary.blocks[access.block].loop, conditionOf(access));
}

/// Whether lanes of a warp go through \p loop a different number of times, in
/// so few ways that each can be looked at.
static bool isDivergent(const DomainLoop &loop, const IterationDomain &turns) {
  constexpr double Few = 256;
  const Expr &trips = loop.tripCount;
  if (!usesThread(trips))
    return false;
  double ways = 1;
  for (const std::string &symbol : turns.symbols())
    if (symbol != loop.counter && trips.uses(symbol)) {
      Interval range = turns.range(symbol);
      ways *= static_cast<double>(range.high - range.low + 1);
    }
  return ways <= Few;
}

namespace {
/// Of the turns of a loop, those that one version of its code does: whole
/// groups of what the versions before have left.
struct TurnsOfVersion {
  unsigned groupSize = 1;
  Expr groups, before;
};
} // namespace

static llvm::SmallVector<TurnsOfVersion, 2>
turnsOfVersions(const Block &block, const Expr &trips, bool isRestFirst) {
  llvm::SmallVector<TurnsOfVersion, 2> versions;
  Expr left = trips;
  for (const MachineCode &code : block.versions()) {
    Expr size(code.unroll);
    versions.push_back({code.unroll, Expr::floorDiv(left, size), trips - left});
    left = Expr::mod(left, size);
  }
  TurnsOfVersion &last = versions.back();
  if (!isRestFirst)
    return versions;
  Expr rest = last.groups * Expr(last.groupSize);
  for (TurnsOfVersion &version : versions)
    version.before = &version == &last ? Expr(0) : version.before + rest;
  return versions;
}

/// Lanes that go on for different numbers of turns do side by side what is left
/// of them after whole groups, as much as any has left.
llvm::SmallVector<double, 2> CodeDomains::sharesOf(unsigned number) {
  const Block &block = summary.blocks[number];
  Expr before = guardBefore(block.loop, decide(shared.guards[number]));
  std::vector<DomainLoop> nest = makeNest(loopChain(block.loop), before);
  const IterationDomain &turns = *makeDomain(nest, before).domain;
  auto wholeGroups = sharesOfVersions(block, turns, nest.back().counter);
  if (wholeGroups.empty() || !isDivergent(nest.back(), turns))
    return wholeGroups;
  llvm::SmallVector<double, 2> shares;
  for (TurnsOfVersion &version :
       turnsOfVersions(block, nest.back().tripCount,
                       summary.loops[block.loop].isRestFirst)) {
    nest.back().tripCount = std::move(version.groups);
    const auto &groups = shared.domain(nest, before).domain;
    if (!groups || !groups->isExact())
      return wholeGroups;
    shares.push_back(groups->warpExecutions() * version.groupSize /
                     turns.warpExecutions());
  }
  return shares;
}

Expr CodeDomains::VersionTurns::asCounted(const Expr &expr) const {
  return expr.substitute([&](llvm::StringRef name) {
    return name == counter ? std::optional(Expr::symbol(name) + turnsBefore)
                           : std::nullopt;
  });
}

llvm::SmallVector<CodeDomains::VersionTurns, 2>
CodeDomains::versionsOf(const Access &access) {
  const Block &block = summary.blocks[access.block];
  const auto &shares = result.blocks[access.block].shares;
  if (shares.size() != block.versions().size() || shares.size() < 2)
    return {};
  Expr guard = conditionOf(access);
  std::vector<DomainLoop> nest = makeNest(loopChain(block.loop), guard);
  llvm::SmallVector<VersionTurns, 2> versions;
  for (TurnsOfVersion &version :
       turnsOfVersions(block, nest.back().tripCount,
                       summary.loops[block.loop].isRestFirst)) {
    nest.back().tripCount = version.groups * Expr(version.groupSize);
    VersionTurns &added = versions.emplace_back();
    added.counter = nest.back().counter;
    added.turnsBefore = std::move(version.before);
    const auto &turns = shared.domain(nest, added.asCounted(guard)).domain;
    if (!turns || !turns->isExact())
      return {};
    added.turns = &*turns;
  }
  return versions;
}
