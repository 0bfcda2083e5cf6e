// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EvenLoops.h"

#include "Intervals.h"
#include "auspex/Footprint/SymbolKinds.h"
#include "llvm/ADT/StringMap.h"

using namespace auspex;

using Kind = bool (*)(llvm::StringRef);

/// \p trips with symbols of a \p kind in their middle, or at an end of their
/// range where no loop would run in the middle.
static Expr evened(const Expr &trips, Kind kind,
                   const IterationDomain &domain) {
  Expr result = trips;
  for (int64_t part : {1, 0, 2}) {
    result = trips.substitute([&](llvm::StringRef name) {
      Interval all = domain.range(name);
      return kind(name) ? std::optional(
                              Expr(all.low + (all.high - all.low) / 2 * part))
                        : std::nullopt;
    });
    Interval range =
        result.range([&](llvm::StringRef name) { return domain.range(name); });
    if (range.high > 0)
      break;
  }
  return result;
}

/// Null if there is no such domain.
static std::shared_ptr<const AccessDomain>
withLoops(const AccessDomain &domain, llvm::ArrayRef<DomainLoop> loops) {
  auto cut = IterationDomain::create(domain.shape(), loops, domain.condition);
  if (!cut)
    return nullptr;
  return std::make_shared<const AccessDomain>(
      std::make_shared<const IterationDomain>(std::move(*cut)), loops,
      domain.condition);
}

std::shared_ptr<const AccessDomain>
auspex::withEvenLoops(const AccessDomain &domain, size_t most) {
  const IterationDomain &whole = *domain.domain;
  if (whole.isExact() && whole.pieces().size() <= most)
    return nullptr;
  // What is evened, of which loops: those that use all of some kinds.
  struct Step {
    Kind evened;
    llvm::SmallVector<Kind, 2> uses;
  };
  const Step steps[] = {{isThreadIndex, {isThreadIndex, isBlockIndex}},
                        {isBlockIndex, {isBlockIndex}},
                        {isThreadIndex, {isThreadIndex}}};
  std::vector<DomainLoop> loops = domain.loops;
  for (const Step &step : steps) {
    bool isChanged = false;
    for (DomainLoop &loop : loops)
      if (llvm::all_of(step.uses, [&](Kind kind) {
            return loop.tripCount.usesAny(kind);
          })) {
        loop.tripCount = evened(loop.tripCount, step.evened, whole);
        isChanged = true;
      }
    auto even = isChanged ? withLoops(domain, loops) : nullptr;
    if (even && even->domain->isExact() &&
        even->domain->pieces().size() <= most)
      return even;
  }
  return nullptr;
}

std::shared_ptr<const AccessDomain>
auspex::withConstantLoops(const AccessDomain &domain) {
  Kind isAny = [](llvm::StringRef) { return true; };
  std::vector<DomainLoop> loops = domain.loops;
  llvm::StringMap<int64_t> middles;
  bool isChanged = false;
  for (DomainLoop &loop : loops) {
    isChanged |= !loop.tripCount.isConstant();
    Expr inMiddle = loop.tripCount.substitute([&](llvm::StringRef name) {
      auto middle = middles.find(name);
      return middle == middles.end() ? std::nullopt
                                     : std::optional(Expr(middle->second));
    });
    loop.tripCount = evened(inMiddle, isAny, *domain.domain);
    middles[loop.counter] = loop.tripCount.constant().value_or(0) / 2;
  }
  return isChanged ? withLoops(domain, loops) : nullptr;
}
