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

/// The lines that a share of \p picks comes to for the first time, in bytes.
static double touchedIn(double share, const RandomPicks &picks) {
  double picked = picks.bytes * picks.linesPerByte * share;
  double all = picks.linesInBytes;
  return std::isinf(all) ? picked
         : all > 0       ? all * -std::expm1(-picked / all)
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

/// A sector is found if all picks of its line since the one that brought it
/// came before the cache had dropped the line: how many there were is
/// geometric.
static double shareFound(const RandomPicks &picks, double kept) {
  if (std::isinf(kept) || picks.reach <= 0)
    return 1;
  if (std::isinf(picks.reach))
    return 0;
  double lineKept = -std::expm1(-picks.bytes * picks.linesPerByte /
                                picks.linesInBytes * kept);
  double isOfSector = picks.linesInBytes / (picks.reach * picks.linesPerByte);
  return isOfSector * lineKept / (1 - (1 - isOfSector) * lineKept);
}

void auspex::throughCaches(std::vector<RandomPicks> &picks, double kept,
                           double caches) {
  for (RandomPicks &some : picks) {
    double first = std::min(some.bytes, some.reach * caches);
    some.bytes = first + (some.bytes - first) * (1 - shareFound(some, kept));
  }
}

std::vector<RandomPicks> auspex::turnsOfSearch(const Access &access,
                                               const BoundAccess &bound,
                                               double reach, double sector,
                                               double line) {
  std::vector<RandomPicks> turns;
  auto halvings = static_cast<double>(bound.halvings);
  double lanes = bound.counts.lanes / std::max(1.0, bound.counts.requests);
  double end = std::min(reach, std::exp2(halvings) * access.bytesPerLane);
  // Turns at so many places that they come to every other line or to all: they
  // go from one to the next, and what lies between has been found before.
  RandomPicks dense{0, end, end, line / sector};
  for (int64_t turn = 0; turn < bound.halvings; ++turn) {
    double places = std::exp2(turn), touched = places * sector;
    double picked =
        bound.counts.requests / halvings * placesPicked(places, lanes) * sector;
    double lines = std::min(end, places * line);
    if (touched >= end) {
      turns.push_back({picked, 0, 0, line / sector});
    } else if (2 * lines >= end) {
      dense.bytes += picked;
    } else {
      turns.push_back({picked, touched, lines, line / sector});
      dense.reach -= touched;
      dense.linesInBytes -= lines;
    }
  }
  if (dense.bytes > 0)
    turns.push_back(dense);
  return turns;
}
