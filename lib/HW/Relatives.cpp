// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Relatives.h"

#include "auspex/Support/Table.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace auspex;
using llvm::StringRef;

/// Those that every chip has of its own.
static constexpr Q OfChip[] = {
    Q::SMCount,
    Q::SMClock,
    Q::SMClockBase,
    Q::DramBandwidth,
    Q::DramClock,
    Q::DramSize,
    Q::L2Size,
    Q::L2Effective,
    Q::MwpMemLd,
    Q::MwpDepartureDelUncoal,
    Q::MwpDepartureDelCoal,
    Q::GpuperfDepartureDelay,
};

static constexpr StringRef FactsOfChip[] = {"compute_capability", "chip",
                                            "dram_type"};

namespace {
/// A rate of the whole chip grows with \c by, and with the inverse of \c per.
struct Scaled {
  Q rate, by;
  std::optional<Q> andBy = std::nullopt, per = std::nullopt;
};
} // namespace

/// L2 has as many slices as its size says; DRAM has as many channels as its
/// bandwidth at its clock says.
static constexpr Scaled ScaledRates[] = {
    {Q::L2Bandwidth, Q::L2Size, Q::SMClock},
    {Q::L2PartialStoreRate, Q::L2Size},
    {Q::DramReadBandwidth, Q::DramBandwidth},
    {Q::DramWriteBandwidth, Q::DramBandwidth},
    {Q::DramMixedBandwidth, Q::DramBandwidth},
    {Q::DramRandomRate, Q::DramBandwidth, std::nullopt, Q::DramClock},
    {Q::DramPartialRate, Q::DramBandwidth, std::nullopt, Q::DramClock},
};

/// To four digits, as people write them.
static double rounded(double value) {
  double digits = 3 - std::floor(std::log10(value));
  double unit = std::pow(10, std::abs(digits));
  return digits < 0 ? std::round(value / unit) * unit
                    : std::round(value * unit) / unit;
}

/// \p taken from \p relative, as \p gpu has it; nothing if what sets it is not
/// known of both.
static std::optional<Quantity> scaled(const Quantity &taken, const Scaled &rule,
                                      const GPU &gpu, const GPU &relative) {
  double factor = 1;
  std::string yardsticks;
  auto multiply = [&](std::optional<Q> id, bool isInverse, StringRef word) {
    if (!id)
      return;
    double ratio = gpu.valueOr(*id, NAN) / relative.valueOr(*id, NAN);
    factor *= isInverse ? 1 / ratio : ratio;
    yardsticks += (word + info(*id).key).str();
  };
  multiply(rule.by, /*isInverse=*/false, "");
  multiply(rule.andBy, /*isInverse=*/false, " and ");
  multiply(rule.per, /*isInverse=*/true, " over ");
  if (!std::isfinite(factor))
    return std::nullopt;
  if (factor == 1)
    return taken;
  Quantity result = taken;
  result.value = rounded(taken.value * factor);
  if (result.kind == SourceKind::Documented) {
    result.kind = SourceKind::Derived;
    result.borrowedFrom = relative.name;
  }
  result.source = formatNumber(taken.value) + " " + info(rule.rate).unit.str() +
                  " of the " + relative.name + ", by " + yardsticks;
  return result;
}

/// The kind and origin that \p fact of \p relative, a Quantity or an
/// IdentityFact, has as one of \p gpu, from which it may be itself.
template <typename Fact>
static Fact asTaken(Fact fact, const GPU &gpu, const GPU &relative) {
  bool isOfRelative =
      fact.kind == SourceKind::Measured || fact.kind == SourceKind::Derived;
  if (isOfRelative && fact.borrowedFrom.empty())
    fact.borrowedFrom = relative.name;
  if (isOfRelative)
    fact.kind = SourceKind::Derived;
  if (fact.borrowedFrom == gpu.name)
    fact.borrowedFrom = "";
  return fact;
}

static void takeFacts(GPU &gpu, const GPU &relative) {
  auto isKey = [](StringRef key) {
    return [key](const IdentityFact &fact) { return fact.key == key; };
  };
  for (const IdentityFact &fact : relative.identity) {
    if (llvm::is_contained(FactsOfChip, fact.key) ||
        llvm::any_of(gpu.identity, isKey(fact.key)))
      continue;
    gpu.identity.push_back(asTaken(fact, gpu, relative));
    if (fact.key == "shared_carveouts")
      gpu.sharedCarveouts = relative.sharedCarveouts;
    else if (fact.key == "register_allocation")
      gpu.registersPerBlock = relative.registersPerBlock;
    else if (fact.key == "shared_atomic_times")
      gpu.sharedAtomicTimes = relative.sharedAtomicTimes;
    else if (fact.key == "shared_popc_inc_times")
      gpu.sharedPopcIncTimes = relative.sharedPopcIncTimes;
  }
}

void auspex::takeFromRelative(GPU &gpu, const GPU &relative) {
  takeFacts(gpu, relative);
  for (const QuantityInfo &each : quantityInfos()) {
    const std::optional<Quantity> &theirs = relative.quantity(each.id);
    if (gpu.has(each.id) || !theirs || llvm::is_contained(OfChip, each.id))
      continue;
    std::optional<Quantity> ours = asTaken(*theirs, gpu, relative);
    for (const Scaled &rule : ScaledRates)
      if (rule.rate == each.id)
        ours = scaled(*ours, rule, gpu, relative);
    if (ours)
      gpu.set(each.id, *std::move(ours));
  }
}
