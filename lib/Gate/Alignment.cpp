// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Alignment.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace auspex;

static constexpr double Alone = 0.5;
/// Of the table of distances; beyond it items are paired by their positions.
static constexpr size_t MostCells = 1 << 20;

using Distance = llvm::function_ref<double(size_t base, size_t head)>;

/// Needleman and Wunsch: the cheapest way through the table of distances.
static std::vector<AlignedPair> alignInOrder(size_t n, size_t m,
                                             Distance distance) {
  enum Step : char { Pair, Base, Head };
  size_t width = m + 1;
  std::vector<double> costs((n + 1) * width);
  std::vector<Step> steps((n + 1) * width, Pair);
  for (size_t i = 0; i <= n; ++i)
    for (size_t j = 0; j <= m; ++j) {
      if (i == 0 && j == 0)
        continue;
      double best = 1e300;
      auto consider = [&](double cost, Step step) {
        if (cost >= best)
          return;
        best = cost;
        steps[i * width + j] = step;
      };
      if (i && j)
        if (double apart = distance(i - 1, j - 1); apart < 2 * Alone)
          consider(costs[(i - 1) * width + j - 1] + apart, Pair);
      if (i)
        consider(costs[(i - 1) * width + j] + Alone, Base);
      if (j)
        consider(costs[i * width + j - 1] + Alone, Head);
      costs[i * width + j] = best;
    }
  std::vector<AlignedPair> pairs;
  for (size_t i = n, j = m; i || j;) {
    AlignedPair pair;
    Step step = steps[i * width + j];
    if (step != Head)
      pair.base = --i;
    if (step != Base)
      pair.head = --j;
    pairs.push_back(pair);
  }
  std::reverse(pairs.begin(), pairs.end());
  return pairs;
}

/// For lists too long for a table.
static std::vector<AlignedPair> alignByPosition(size_t n, size_t m,
                                                Distance distance) {
  std::vector<AlignedPair> pairs;
  for (size_t i = 0; i < std::max(n, m); ++i)
    if (i < n && i < m && distance(i, i) < 2 * Alone) {
      pairs.push_back({i, i});
    } else {
      if (i < n)
        pairs.push_back({i, AlignedPair::None});
      if (i < m)
        pairs.push_back({AlignedPair::None, i});
    }
  return pairs;
}

/// Pairs what is alone on one side with what is alone on the other, the nearest
/// first.
static void pairMoved(std::vector<AlignedPair> &pairs, Distance distance) {
  struct Candidate {
    double apart;
    AlignedPair *removed, *added;
  };
  std::vector<AlignedPair *> allRemoved, allAdded;
  for (AlignedPair &pair : pairs)
    if (pair.head == AlignedPair::None)
      allRemoved.push_back(&pair);
    else if (pair.base == AlignedPair::None)
      allAdded.push_back(&pair);
  std::vector<Candidate> candidates;
  for (AlignedPair *added : allAdded)
    for (AlignedPair *removed : allRemoved)
      if (double apart = distance(removed->base, added->head); apart < Alone)
        candidates.push_back({apart, removed, added});
  llvm::stable_sort(candidates, [](const Candidate &a, const Candidate &b) {
    return a.apart < b.apart;
  });
  for (const Candidate &candidate : candidates) {
    auto [apart, removed, added] = candidate;
    if (added->base != AlignedPair::None || removed->base == AlignedPair::None)
      continue;
    added->base = removed->base;
    removed->base = AlignedPair::None;
  }
  llvm::erase_if(pairs, [](const AlignedPair &pair) {
    return pair.base == AlignedPair::None && pair.head == AlignedPair::None;
  });
}

std::vector<AlignedPair> auspex::align(size_t baseSize, size_t headSize,
                                       Distance distance) {
  if ((baseSize + 1) * (headSize + 1) > MostCells)
    return alignByPosition(baseSize, headSize, distance);
  std::vector<AlignedPair> pairs = alignInOrder(baseSize, headSize, distance);
  pairMoved(pairs, distance);
  return pairs;
}
