// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SharedBinding.h"

#include "BindParts.h"
#include "SummaryExprs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include <numeric>

using namespace auspex;

SharedBinding::SharedBinding(const KernelSummary &summary,
                             const LaunchConfig &launch, const GPU &gpu)
    : summary(summary), gpu(gpu),
      resources(bindResources(summary, launch, gpu)),
      symbols(summary, resources.launch, resources.shape) {
  decideData();
  auto inLaunch = [&](const MaybeExpr &expr) {
    return expr.isKnown() ? symbols.substitute(expr.expr) : Expr::invalid();
  };
  for (const Block &block : summary.blocks)
    guards.push_back(inLaunch(block.guard));
  for (const Branch &branch : summary.branches)
    conditions.push_back(inLaunch(branch.condition));
  for (const Loop &loop : summary.loops)
    tripCounts.push_back(inLaunch(loop.tripCount));
  for (const Access &access : summary.accesses)
    chosen.push_back(oneOfChosen(access));
}

std::optional<Access> SharedBinding::oneOfChosen(const Access &access) const {
  if (access.offset.isKnown() || access.offset.isSearch() ||
      !access.picked.isValid() || access.space != MemorySpace::Global)
    return std::nullopt;
  Expr offset = access.picked;
  for (const Expr &condition : access.picked.choices())
    if (condition.usesAny(isData))
      offset = offset.given(condition, /*holds=*/false);
  if (offset.usesAny(isData))
    return std::nullopt;
  Access one = access;
  one.offset = {offset, ""};
  one.picked = Expr::invalid();
  return one;
}

void SharedBinding::decideData() {
  /// Estimates below and above these decide a branch on data; in between it is
  /// open.
  constexpr double Unlikely = 0.1, Likely = 0.9;
  if (summary.dataSymbols.empty())
    return;
  /// What a loop is left by decides nothing here: its trip count does.
  llvm::StringSet<> decisive;
  forEachExpr(summary, [&](const Expr &expr) {
    expr.forEachSymbol([&](llvm::StringRef name) { decisive.insert(name); });
  });
  for (const DataSymbol &symbol : summary.dataSymbols) {
    if (symbol.reason == "wait") {
      symbols.set(symbol.name, 0);
      std::string line = symbols.atLine(symbol.location);
      assume(resources,
             hasRetries(summary, symbol.name)
                 ? "the compare-and-swap in the loop" + line +
                       " is tried again by as many as want the same word; "
                       "instructions are those of one round"
                 : "the loop" + line +
                       " that waits for other threads finds at once what it "
                       "waits for");
      continue;
    }
    if (symbol.reason == "quotient") {
      symbols.set(symbol.name, 0);
      assume(resources,
             "the loop" + symbols.atLine(symbol.location) +
                 " that finds a remainder of floating-point numbers turns "
                 "once: they are of about the same size");
      continue;
    }
    if (!symbol.probability ||
        (*symbol.probability > Unlikely && *symbol.probability < Likely))
      continue;
    symbols.set(symbol.name, *symbol.probability >= Likely);
    if (!decisive.contains(symbol.name))
      continue;
    assume(resources, "the unlikely side of the branch on data" +
                          symbols.atLine(symbol.location) + " is not taken");
  }
}

const Expr &SharedBinding::simplified(const Expr &condition) {
  auto [entry, isNew] = knownSimplified.try_emplace(condition);
  if (isNew)
    entry->second = condition.simplify(
        [&](llvm::StringRef name) { return symbols.range(name); });
  return entry->second;
}

const BoundDomain &SharedBinding::domain(const std::vector<DomainLoop> &nest,
                                         const Expr &condition) {
  for (const BoundDomain &known : domains)
    if (known.nest == nest && known.condition == condition)
      return known;
  BoundDomain &made = domains.emplace_back();
  made.nest = nest;
  made.condition = condition;
  if (const IterationDomain *outside = outsideOf(nest, condition))
    made.domain = std::make_shared<const IterationDomain>(outside->withLoop(
        nest.back().counter, *nest.back().tripCount.constant()));
  else if (auto domain =
               IterationDomain::create(resources.shape, nest, condition))
    made.domain = std::make_shared<const IterationDomain>(std::move(*domain));
  return made;
}

/// Where the innermost loop of \p nest goes as often at every point, the
/// domain around it; else null.
const IterationDomain *SharedBinding::outsideOf(llvm::ArrayRef<DomainLoop> nest,
                                                const Expr &condition) {
  if (nest.empty() || nest.back().tripCount.constant().value_or(0) < 1 ||
      condition.uses(nest.back().counter))
    return nullptr;
  return domain(nest.drop_back().vec(), condition).domain.get();
}

/// \p offset without the open terms that are the same for all lanes of a warp
/// and a multiple of what each of them accesses.
Expr SharedBinding::withoutCommonMoves(const Expr &offset,
                                       unsigned bytesPerLane) const {
  auto differsInWarp = [&](llvm::StringRef name) {
    const DataSymbol *symbol = symbols.findDataSymbol(name);
    return symbol ? !symbol->uniform : isThreadIndex(name);
  };
  int64_t unit = std::max(MemoryGranularity::BankInBytes, bytesPerLane);
  return offset.filterTerms([&](const Expr &term) {
    return !isOpen(term) || term.usesAny(differsInWarp) ||
           term.sum().front().coefficient % unit != 0;
  });
}

/// Those of its terms that data move.
Expr SharedBinding::pickedIn(const Expr &offset) const {
  return offset.filterTerms(
      [&](const Expr &term) { return symbols.isPicked(term); });
}

/// Where \p picked is, the part of an offset that data make: elsewhere wherever
/// what it changes with is different. What lanes calculate lies side by side,
/// what is read far apart, at any position in a sector that there may be.
Expr SharedBinding::placeOf(const Expr &picked, const Access &access,
                            const IterationDomain &domain) {
  constexpr int64_t Far = int64_t(1) << 26, FarInPlace = int64_t(1) << 20,
                    MostInPlace = Far / FarInPlace, Sector = 32;
  auto ranges = [&](llvm::StringRef name) { return domain.range(name); };
  std::vector<Expr> apart;
  int64_t unit = Sector;
  picked.forEachTerm([&](const Expr &term) {
    bool isProduct = llvm::any_of(
        term.sum().front().factors, [&](const Expr::Factor &factor) {
          return factor.atom->kind == Atom::Kind::Symbol &&
                 symbols.findDataSymbol(factor.atom->name);
        });
    symbols.findApart(term, {.indices = isProduct, .little = false}, ranges,
                      apart);
    unit = std::gcd(unit, term.sum().front().coefficient);
  });
  auto known = llvm::find(picks, picked);
  int64_t number = known - picks.begin();
  if (known == picks.end())
    picks.push_back(picked);
  auto row = rows.find(picked);
  int64_t step = row != rows.end()              ? row->second.bytes
                 : access.offset.isKnown()      ? Far
                 : access.offset.isCalculated() ? access.bytesPerLane
                                                : Far + unit % Sector;
  return LaunchSymbols::numberApart(apart, step, ranges) +
         Expr(number % MostInPlace * FarInPlace);
}

/// What a term of an offset that data move is without them: the lanes that
/// (tid.x + data0) % n tells apart are those of tid.x % n.
static Expr withoutData(const Expr &term) {
  return term.substitute([](llvm::StringRef name) {
    return isData(name) ? std::optional(Expr(0)) : std::nullopt;
  });
}

/// Still open, or invalid, if nothing is expected.
Expr SharedBinding::asExpected(const Expr &offset, const Access &access,
                               const IterationDomain &domain, bool &isPicked) {
  Expr picked = pickedIn(offset), within = offset - picked;
  picked.forEachTerm(
      [&](const Expr &term) { within = within + withoutData(term); });
  within = symbols.asExpected(within);
  // Rows in order are gone over as if nobody picked them.
  auto row = rows.find(picked);
  bool isInOrder = row != rows.end() && row->second.areInOrder;
  isPicked = !picked.isZero() && !isInOrder;
  return picked.isZero() ? within : within + placeOf(picked, access, domain);
}

bool OffsetFamily::isAlike(const OffsetFamily &other) const {
  return evaluated.isValid() && domain == other.domain &&
         bytesPerLane == other.bytesPerLane && isInBanks == other.isInBanks &&
         isInWords == other.isInWords && isPicked == other.isPicked &&
         hasRequests == other.hasRequests &&
         evaluated.differsByConstant(other.evaluated);
}

/// Rows whose pitch the launch says are a constant apart in it, though not in
/// the summary.
bool SharedBinding::takeFromAlike(OffsetFamily &family) const {
  auto known = llvm::find_if(families, [&](const OffsetFamily &other) {
    return &other != &family && other.isAlike(family);
  });
  if (known == families.end())
    return false;
  int64_t by =
      family.evaluated.constantTerm() - known->evaluated.constantTerm();
  if (known->range) {
    Interval range;
    if (__builtin_add_overflow(known->range->low, by, &range.low) ||
        __builtin_add_overflow(known->range->high, by, &range.high))
      return false;
    family.range = range;
  }
  if (known->requests)
    family.requests.emplace(known->requests->movedBy(by));
  if (known->pattern)
    family.pattern = known->pattern->movedBy(by);
  return true;
}

OffsetFamily &SharedBinding::familyOf(const Access &access,
                                      const BoundDomain &domain,
                                      bool isExpected, unsigned bytesPerLane) {
  bool isKnown = access.offset.isKnown();
  const Expr &stated = isKnown ? access.offset.expr : access.picked;
  bool isInBanks = access.space == MemorySpace::Shared;
  bool isInWords = access.space == MemorySpace::Constant;
  for (OffsetFamily &family : families)
    if (family.domain == &domain && family.bytesPerLane == bytesPerLane &&
        family.isInBanks == isInBanks && family.isInWords == isInWords &&
        (!family.isOpen || family.isOfExpected == isExpected) &&
        family.stated->differsByConstant(stated))
      return family;
  OffsetFamily &family = families.emplace_back();
  family.stated = &stated;
  family.domain = &domain;
  family.bytesPerLane = bytesPerLane;
  family.isInBanks = isInBanks;
  family.isInWords = isInWords;
  // Integers that could wrap do not in a grid of this size.
  family.offset =
      domain.domain->simplify(symbols.substitute(stated.withoutConstant()));
  bool isMoved = false;
  if (isInBanks && isOpen(family.offset)) {
    Expr inBanks = withoutCommonMoves(family.offset, bytesPerLane);
    isMoved = !isOpen(inBanks);
    if (isMoved)
      family.offset = std::move(inBanks);
  }
  family.isOpen = isOpen(family.offset);
  family.isOfExpected = isExpected;
  Expr offset = family.offset;
  if (family.isOpen) {
    if (!isExpected)
      return family;
    offset = domain.domain->simplify(
        asExpected(offset, access, *domain.domain, family.isPicked));
    if (isOpen(offset))
      return family;
  }
  family.hasRequests = isKnown;
  if (!isMoved) {
    family.evaluated = offset;
    if (takeFromAlike(family))
      return family;
  }
  if (isKnown)
    family.requests.emplace(*domain.domain, offset, bytesPerLane,
                            granularityOf(gpu, access.space));
  if (isMoved)
    return family;
  family.range = offsetRange(*domain.domain, offset);
  family.pattern =
      AccessPattern::create(domain.forAccesses(), offset, bytesPerLane);
  return family;
}
