// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Arms.h"
#include "BindParts.h"
#include "OpenAddresses.h"
#include "SharedBinding.h"
#include "UniformBranches.h"

#include "auspex/Expr/Minima.h"
#include "auspex/Expr/Period.h"
#include "auspex/Kernel/KernelNames.h"
#include "llvm/ADT/SmallVectorExtras.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace auspex;

namespace {

/// Which warps run a block, and how often a warp comes to its innermost loop.
struct Executions {
  const BoundDomain *made = nullptr;
  double loopEntries = 0, warpsPerRunner = 1;
  /// A bit for each warp of a block of threads that ever takes part.
  uint32_t runners = 0;

  const IterationDomain &domain() const { return *made->domain; }
};

class Binder {
public:
  Binder(SharedBinding &shared, Scenario scenario)
      : shared(shared), summary(shared.summary), gpu(shared.gpu),
        scenario(scenario), result(shared.resources), symbols(shared.symbols),
        branches(shared) {}

  BoundKernel run() {
    result.scenario = scenario;
    trips.resize(summary.loops.size());
    result.loops.resize(summary.loops.size());
    bindBlocks();
    bindAccesses();
    bindBranches();
    nameOpenAddresses();
    for (std::string &sentence : callsLeftOut(result))
      leaveEndless(std::move(sentence));
    sumObjects(result, gpu, scenario);
    return std::move(result);
  }

private:
  SharedBinding &shared;
  const KernelSummary &summary;
  const GPU &gpu;
  Scenario scenario;
  BoundKernel result;
  const LaunchSymbols &symbols;
  std::vector<std::optional<Expr>> trips;
  std::vector<Executions> executions;
  std::map<std::pair<int, Expr>, Executions> knownExecutions;
  /// Open conditions; those of blocks have many in common.
  std::map<Expr, Expr> decided;
  UniformBranches branches;
  /// By what they are open for: the accesses, as they are called.
  std::map<std::string, std::vector<std::string>> openAddresses;

  void nameOpenAddresses();
  void assume(std::string sentence) {
    if (!llvm::is_contained(result.assumptions, sentence))
      result.assumptions.push_back(std::move(sentence));
  }
  void leaveOpen(std::string sentence) {
    result.isComplete = false;
    if (!llvm::is_contained(result.unknowns, sentence))
      result.unknowns.push_back(std::move(sentence));
  }
  /// Of what has no upper bound, which matters most: it stands first.
  void leaveEndless(std::string sentence) {
    result.isComplete = result.hasUpperBound = false;
    if (!llvm::is_contained(result.unknowns, sentence))
      result.unknowns.insert(result.unknowns.begin(), std::move(sentence));
  }

  Expr decide(const Expr &condition);
  Expr decideOpen(const Expr &condition);
  struct Rows {
    const Access *access;
    /// Turns of a lane in the mean, and at most of a warp if all warps have as
    /// much to do.
    int64_t mean, most;
  };
  double countRows(const Expr &row, const IterationDomain &domain) const;
  std::optional<Rows> rowsOf(int number);
  Expr bindTripCount(int number);
  std::vector<int> loopChain(int loop) const;
  std::vector<DomainLoop> makeNest(llvm::ArrayRef<int> loops,
                                   const Expr &condition);
  const BoundDomain &makeDomain(std::vector<DomainLoop> nest,
                                const Expr &condition);
  Expr guardBefore(int loop, const Expr &guard);
  llvm::SmallVector<double, 2> sharesOf(const Block &block, const Expr &before);
  const Executions &executionsOf(int loop, const Expr &guard);
  const Executions &executionsOf(const Access &access);
  void bindBlocks();
  void findLongestPath();
  void bindAccesses();
  std::optional<Interval> boundsOf(const Access &access) const;
  int64_t stepOfCounter(const Expr &offset) const;
  int64_t turnsOfSearch(const Access &access,
                        const IterationDomain &domain) const;
  void bindPicks(const Access &access, const BoundDomain &made,
                 BoundAccess &bound);
  BoundAccess bindAccess(const Access &access);
  void assumeExpected(const Expr &offset);
  void bindBranches();
};

} // namespace

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// A condition without open symbols: what cannot be known is decided by the
/// scenario, conjunct by conjunct.
Expr Binder::decide(const Expr &condition) {
  if (!isOpen(condition))
    return condition;
  auto [entry, isNew] = decided.try_emplace(condition);
  if (isNew)
    entry->second = decideOpen(shared.simplified(condition));
  return entry->second;
}

Expr Binder::decideOpen(const Expr &condition) {
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
  leaveOpen("whether a branch is taken depends on " +
            symbols.describeOpen(condition));
  return Expr(scenario != Scenario::Low && branches.isTaken(condition));
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
double Binder::countRows(const Expr &row, const IterationDomain &domain) const {
  auto ranges = [&](llvm::StringRef name) { return domain.range(name); };
  double lanes = domain.laneExecutions();
  bool isKnown = true;
  row.forEachSymbol([&](llvm::StringRef name) {
    const DataSymbol *symbol = symbols.findDataSymbol(name);
    isKnown &= !symbol || symbol->uniform || !symbol->changesWith.empty();
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

/// Of a loop over a row, from where data say on: what it reads has a known
/// size, and all rows are expected to be that together, as those of a sparse
/// matrix are.
std::optional<Binder::Rows> Binder::rowsOf(int number) {
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
    auto mean = std::max<int64_t>(
        1, std::llround(size / (static_cast<double>(step) * count)));
    shared.layRows(*row->rest, mean * step);
    return Rows{&access, mean, isApart ? LaunchShape::WarpSize * mean : mean};
  }
  return std::nullopt;
}

Expr Binder::bindTripCount(int number) {
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
      leaveOpen("the trip count of the loop" + symbols.atLine(loop.location) +
                " " + std::exchange(why, ""));
      switch (scenario) {
      case Scenario::Low:
        return Expr::min(*most, least);
      case Scenario::Expected:
        return Expr::floorDiv(least + *most, Expr(2));
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
    leaveOpen("the trip count of the loop" + symbols.atLine(loop.location) +
              " " + std::exchange(why, ""));
    const std::string &base = rows->access->base;
    std::string name = argumentName(summary, base);
    assume("the loop" + symbols.atLine(loop.location) + " goes over all of " +
           (name.empty() ? base : name) + " once, " +
           std::to_string(rows->mean) + (rows->mean == 1 ? " turn" : " turns") +
           " in the mean");
    return Expr(scenario == Scenario::Low        ? 1
                : scenario == Scenario::Expected ? rows->mean
                                                 : rows->most);
  }
  leaveEndless("the trip count of the loop" + symbols.atLine(loop.location) +
               " " + why);
  return Expr(1);
}

//===----------------------------------------------------------------------===//
// Domains
//===----------------------------------------------------------------------===//

/// The loops around a block, outermost first.
std::vector<int> Binder::loopChain(int loop) const {
  std::vector<int> chain;
  for (; loop >= 0; loop = summary.loops[loop].parent)
    chain.insert(chain.begin(), loop);
  return chain;
}

std::vector<DomainLoop> Binder::makeNest(llvm::ArrayRef<int> loops,
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
const BoundDomain &Binder::makeDomain(std::vector<DomainLoop> nest,
                                      const Expr &condition) {
  const BoundDomain *made = &shared.domain(nest, condition);
  if (!made->domain) {
    leaveEndless("a trip count has no upper bound");
    for (DomainLoop &loop : nest)
      loop.tripCount = Expr(1);
    made = &shared.domain(nest, condition);
  }
  result.isExact &= made->domain->isExact();
  result.pieces += made->domain->pieces().size();
  return *made;
}

/// Of \p guard what decides before \p loop whether a warp comes to it.
Expr Binder::guardBefore(int loop, const Expr &guard) {
  Expr before(1);
  for (const Expr &part : guard.conjuncts())
    if (!part.uses(summary.loops[loop].iv))
      before = Expr::conjunction(before, part);
  return before;
}

const Executions &Binder::executionsOf(int loop, const Expr &guard) {
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

/// Those of its block, by the lanes that take part.
const Executions &Binder::executionsOf(const Access &access) {
  if (access.lanes >= LaunchShape::WarpSize)
    return executions[access.block];
  Expr takesPart =
      Expr::isLess(symbols.substitute(laneOfThread()), access.lanes);
  return executionsOf(
      summary.blocks[access.block].loop,
      Expr::conjunction(decide(shared.guards[access.block]), takesPart));
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

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

/// BoundBlock::shares of \p block, whose loop warps come to if \p before holds.
/// Lanes that go on for different numbers of turns do side by side what is left
/// of them after whole groups, as much as any has left.
llvm::SmallVector<double, 2> Binder::sharesOf(const Block &block,
                                              const Expr &before) {
  std::vector<DomainLoop> nest = makeNest(loopChain(block.loop), before);
  const IterationDomain &turns = *makeDomain(nest, before).domain;
  auto wholeGroups = sharesOfVersions(block, turns, nest.back().counter);
  if (wholeGroups.empty() || !isDivergent(nest.back(), turns))
    return wholeGroups;
  llvm::SmallVector<double, 2> shares;
  Expr left = nest.back().tripCount;
  for (const MachineCode &code : block.code) {
    Expr unroll(code.unroll);
    nest.back().tripCount = Expr::floorDiv(left, unroll);
    const auto &groups = shared.domain(nest, before).domain;
    if (!groups || !groups->isExact())
      return wholeGroups;
    shares.push_back(groups->warpExecutions() * code.unroll /
                     turns.warpExecutions());
    left = Expr::mod(left, unroll);
  }
  return shares;
}

void Binder::bindBlocks() {
  CodeSums sums;
  for (auto [block, guard] : llvm::zip(summary.blocks, shared.guards)) {
    Expr decided = decide(guard);
    executions.push_back(executionsOf(block.loop, decided));
    const Executions &runs = executions.back();
    result.blocks.push_back({runs.domain().warpExecutions(),
                             runs.domain().laneExecutions(), runs.loopEntries,
                             runs.warpsPerRunner});
    if (block.loop >= 0 && block.code.size() > 1)
      result.blocks.back().shares =
          sharesOf(block, guardBefore(block.loop, decided));
  }
  auto runners = llvm::map_to_vector(
      executions, [](const Executions &runs) { return runs.runners; });
  bool hasArms = findArms(runners, gpu, result);
  for (auto [block, runs] : llvm::zip(summary.blocks, result.blocks))
    sums.add(block, runs);
  sums.finish(result);
  // All warps pass the same barriers, in whichever arm these stand.
  if (hasArms)
    result.path[InstructionClass::Barrier] =
        result.instructions[InstructionClass::Barrier];
  findLongestPath();
}

/// One thread that goes through an array alone takes the launch as long as it
/// takes that thread, however little that is in the mean.
void Binder::findLongestPath() {
  constexpr double Much = 2;
  // A sample says nothing about single blocks.
  if (!result.isExact)
    return;
  std::vector<InstructionMix> paths;
  for (auto [block, runs] : llvm::zip(summary.blocks, result.blocks))
    paths.push_back(pathOf(block, runs));
  // Of its runs, those that one block of threads has.
  auto shareOf = [](const IterationDomain &domain,
                    const std::array<int64_t, 3> &block) {
    double all = domain.blockExecutions();
    return all > 0 ? domain.blockExecutions(block) / all : 0;
  };
  std::optional<std::array<int64_t, 3>> busiest;
  double most = 0;
  for (auto [runs, path] : llvm::zip(executions, paths))
    if (auto block = runs.domain().busiestBlock()) {
      double work = shareOf(runs.domain(), *block) * path.total();
      if (work > most) {
        most = work;
        busiest = block;
      }
    }
  if (!busiest)
    return;
  InstructionMix path;
  double warps = result.shape.warpsPerBlock();
  for (auto [runs, part] : llvm::zip(executions, paths))
    path.add(part, shareOf(runs.domain(), *busiest) / warps);
  if (path.total() > Much * result.path.total())
    result.longestPath = path;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

void Binder::assumeExpected(const Expr &offset) {
  offset.forEachSymbol([&](llvm::StringRef name) {
    if (isSetByHost(name))
      assume("in addresses " + std::to_string(symbols.widthOfLaunch()) +
             ", the threads along x, stands for " + symbols.describe(name));
    else if (symbols.changesLittle(name))
      assume("addresses change little by " + symbols.describe(name));
    else if (name.starts_with("data"))
      assume("addresses that differ by " + symbols.describe(name) +
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
void Binder::nameOpenAddresses() {
  for (const auto &[why, accesses] : openAddresses) {
    std::string others = std::to_string(accesses.size() - 1) + " more";
    leaveOpen("the address of the " + accesses.front() +
              (accesses.size() > 1 ? ", and of " + others + ", " : " ") + why);
  }
}

/// What the offset stays within whatever the data; nothing if that is not
/// known.
std::optional<Interval> Binder::boundsOf(const Access &access) const {
  if (!access.hasBounds())
    return std::nullopt;
  auto low = symbols.substitute(access.lowest.expr).constant();
  auto high = symbols.substitute(access.highest.expr).constant();
  if (!low || !high || *low > *high)
    return std::nullopt;
  return Interval{*low, *high + access.bytesPerLane - 1};
}

/// Of the innermost loop, for which a search stands.
int64_t Binder::turnsOfSearch(const Access &access,
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
void Binder::bindPicks(const Access &access, const BoundDomain &made,
                       BoundAccess &bound) {
  if (scenario == Scenario::Expected && access.picked.isValid() &&
      access.space == MemorySpace::Global && !access.base.empty())
    setPattern(shared.familyOf(access, made, /*isExpected=*/true),
               access.picked.constantTerm(), bound);
}

/// From one place to the next, where \p offset has what lanes found a counter
/// at that they all add to; else 0.
int64_t Binder::stepOfCounter(const Expr &offset) const {
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

BoundAccess Binder::bindAccess(const Access &access) {
  const BoundDomain &made = *executionsOf(access).made;
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
  auto leaveAddressOpen = [&](const std::string &why) {
    std::vector<std::string> &accesses = openAddresses[why];
    std::string name =
        toString(access.kind).str() + symbols.atLine(access.location);
    if (!llvm::is_contained(accesses, name))
      accesses.push_back(std::move(name));
  };
  if (!access.offset.isKnown()) {
    leaveAddressOpen("is unknown (" + access.offset.reason + ")");
    if (access.offset.isSearch() && scenario == Scenario::Expected)
      bound.halvings = turnsOfSearch(access, domain);
    bound.extent = boundsOf(access);
    bound.counts = standIn(access, bound, domain, shared, scenario);
    bindPicks(access, made, bound);
    return bound;
  }
  if (access.space == MemorySpace::Unknown)
    leaveOpen("the memory space of the " + toString(access.kind).str() +
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
    leaveAddressOpen("depends on " + symbols.describeOpen(family.offset));
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
      leaveAddressOpen("cannot be evaluated");
    else
      bound.extent = extentOf(family, constant);
  }
  bound.counts =
      counts ? *counts : standIn(access, bound, domain, shared, scenario);
  result.isExact &= !bound.isKnown || bound.counts.exact;
  return bound;
}

void Binder::bindAccesses() {
  for (const Access &access : summary.accesses)
    result.accesses.push_back(bindAccess(access));
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// The warps of \p taken that run with some of their lanes but not all; none if
/// not every warp that comes to the branch has all of its lanes, as \p coming
/// says.
static std::optional<double> partialWarps(const IterationDomain &coming,
                                          const IterationDomain &taken) {
  std::vector<uint32_t> full = coming.shape().fullMasks();
  for (const IterationDomain::Piece &piece : coming.pieces())
    if (*piece.masks != full)
      return std::nullopt;
  double warps = 0;
  for (const IterationDomain::Piece &piece : taken.pieces())
    for (auto [mask, all] : llvm::zip(*piece.masks, full))
      if (mask && mask != all)
        warps += piece.points;
  return warps;
}

/// A warp diverges where some lane takes the branch and some lane does not: the
/// warps of both sides together, less the warps that come to the branch. The
/// side not taken may be the negation of many conditions, of which any may
/// hold: it is looked at only where the side taken does not tell.
void Binder::bindBranches() {
  for (auto [branch, stated] : llvm::zip(summary.branches, shared.conditions)) {
    const Block &block = summary.blocks[branch.block];
    BoundBranch bound;
    bound.executions = result.blocks[branch.block].warpExecutions;
    const Expr &guard = shared.guards[branch.block];
    Expr condition = stated;
    bound.isKnown = !isOpen(guard) && !isOpen(condition);
    auto domainIf = [&](const Expr &side) -> const IterationDomain & {
      return executionsOf(block.loop, Expr::conjunction(guard, side)).domain();
    };
    if (bound.isKnown && bound.executions > 0) {
      // Many conditions of which any may hold are the harder side.
      const Atom *atom = condition.asAtom();
      if (atom && atom->kind == Atom::Kind::Max)
        condition = Expr::negate(condition);
      const IterationDomain &taken = domainIf(condition);
      if (auto partial = partialWarps(executions[branch.block].domain(), taken))
        bound.divergent = *partial;
      else
        bound.divergent = std::max(
            0.0, taken.warpExecutions() +
                     domainIf(Expr::negate(condition)).warpExecutions() -
                     bound.executions);
    } else if (!bound.isKnown && scenario != Scenario::Low)
      bound.divergent = bound.executions;
    result.branches.push_back(bound);
  }
}

LaunchBinding::LaunchBinding(const KernelSummary &summary,
                             const LaunchConfig &launch, const GPU &gpu)
    : shared(std::make_unique<SharedBinding>(summary, launch, gpu)) {}

LaunchBinding::~LaunchBinding() = default;

BoundKernel LaunchBinding::bind(Scenario scenario) {
  return Binder(*shared, scenario).run();
}

BoundKernel auspex::bind(const KernelSummary &summary,
                         const LaunchConfig &launch, const GPU &gpu,
                         Scenario scenario) {
  return LaunchBinding(summary, launch, gpu).bind(scenario);
}
