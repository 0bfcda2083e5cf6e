// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RandomPicks.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace auspex;

double auspex::bytesOf(llvm::ArrayRef<RandomPicks> all) {
  double bytes = 0;
  for (const RandomPicks &picks : all)
    bytes += picks.bytes;
  return bytes;
}

/// What of a share of \p picks has been at places for the first time.
static double touchedIn(double share, const RandomPicks &picks) {
  return std::isinf(picks.reach) ? picks.bytes * share
         : picks.reach > 0
             ? picks.reach * -std::expm1(-picks.bytes / picks.reach * share)
             : 0;
}

double auspex::shareKept(llvm::ArrayRef<RandomPicks> all, double capacity) {
  auto touched = [&](double share) {
    double bytes = 0;
    for (const RandomPicks &picks : all)
      bytes += touchedIn(share, picks);
    return bytes;
  };
  constexpr double Most = 0x1p40;
  constexpr unsigned Halvings = 50;
  double low = 0, high = 1;
  while (high < Most && touched(high) < capacity)
    high *= 2;
  if (high >= Most)
    return std::numeric_limits<double>::infinity();
  for (unsigned i = 0; i < Halvings; ++i) {
    double middle = (low + high) / 2;
    (touched(middle) < capacity ? low : high) = middle;
  }
  return high;
}

void auspex::throughCaches(std::vector<RandomPicks> &picks, double kept,
                           double caches) {
  for (RandomPicks &some : picks) {
    double first = std::min(some.bytes, some.reach * caches);
    double dropped = some.reach > 0 && !std::isinf(kept)
                         ? std::exp(-some.bytes / some.reach * kept)
                         : 0;
    some.bytes = first + (some.bytes - first) * dropped;
  }
}

std::vector<RandomPicks> auspex::turnsOfSearch(const Access &access,
                                               const BoundAccess &bound,
                                               double reach, double sector) {
  std::vector<RandomPicks> turns;
  auto halvings = static_cast<double>(bound.halvings);
  double lanes = bound.counts.lanes / std::max(1.0, bound.counts.requests);
  double end = std::min(reach, std::exp2(halvings) * access.bytesPerLane);
  for (int64_t turn = 0; turn < bound.halvings; ++turn) {
    double places = std::exp2(turn), touched = places * sector;
    double picked = placesPicked(places, lanes) * sector;
    if (touched >= end)
      touched = 0;
    turns.push_back({bound.counts.requests / halvings * picked, touched});
  }
  return turns;
}
