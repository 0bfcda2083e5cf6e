// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WindowFootprints.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace auspex;

static bool belongsTo(AccessKind kind, Kinds kinds) {
  switch (kinds) {
  case Kinds::Loads:
    return kind == AccessKind::Load;
  case Kinds::Reads:
    return kind != AccessKind::Store;
  case Kinds::Writes:
    return kind != AccessKind::Load;
  }
  return false;
}

Interval Iterations::cut(unsigned depth, Interval all) const {
  int64_t size = depth + 1 == cutLoops ? count : 1;
  int64_t extent = all.high - all.low + 1;
  if (depth >= cutLoops || extent <= size)
    return all;
  int64_t first = all.low + extent / 2 / size * size;
  return {first, std::min(first + size - 1, all.high)};
}

WindowFootprints::WindowFootprints(const BoundKernel &kernel, int64_t sector)
    : kernel(kernel), sector(sector), known(kernel.objects.size(), true) {
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses)) {
    std::vector<int> &chain = chains.emplace_back();
    for (int loop = kernel.summary->blocks[access.block].loop; loop >= 0;
         loop = kernel.summary->loops[loop].parent)
      chain.insert(chain.begin(), loop);
    if (bound.object >= 0 && !bound.pattern)
      known[bound.object] = false;
  }
}

int64_t WindowFootprints::mostTrips(unsigned depth) const {
  int64_t most = 1;
  for (const BoundAccess &access : kernel.accesses)
    if (access.pattern && depth < access.pattern->iterations().size()) {
      Interval all = access.pattern->iterations()[depth];
      most = std::max(most, all.high - all.low + 1);
    }
  return most;
}

std::vector<Iterations> WindowFootprints::windowsOfIterations() const {
  size_t mostLoops = 0;
  for (const std::vector<int> &chain : chains)
    mostLoops = std::max(mostLoops, chain.size());
  std::vector<Iterations> windows;
  for (unsigned depth = mostLoops; depth > 0; --depth)
    for (int64_t count = 1; count < 2 * mostTrips(depth - 1); count *= 2)
      windows.push_back({depth, count});
  windows.push_back({});
  return windows;
}

size_t WindowFootprints::mostAccesses() const {
  std::vector<size_t> counts(known.size() + 1);
  for (const BoundAccess &access : kernel.accesses)
    if (access.object >= 0)
      ++counts[access.object];
  return *llvm::max_element(counts);
}

const std::vector<WindowFootprints::Group> &
WindowFootprints::groups(Kinds kinds, const Window &window) {
  unsigned cutLoops = window.iterations.cutLoops;
  auto [entry, isNew] =
      knownGroups.try_emplace({kinds, cutLoops, window.accesses});
  if (!isNew)
    return entry->second;
  std::map<std::pair<int, CodePlace>, unsigned> numbers;
  std::map<int, unsigned> accessesOfLoop;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    int object = kernel.accesses[i].object;
    if (object < 0)
      continue;
    size_t depth = std::min<size_t>(cutLoops, chains[i].size());
    CodePlace place{depth ? chains[i][depth - 1] : -1};
    if (window.accesses)
      place.part = accessesOfLoop[place.loop]++ / window.accesses;
    if (!known[object] || !belongsTo(kernel.summary->accesses[i].kind, kinds))
      continue;
    auto [number, isFirst] =
        numbers.try_emplace({object, place}, entry->second.size());
    if (isFirst)
      entry->second.push_back({object, place, {}});
    entry->second[number->second].accesses.push_back(i);
  }
  return entry->second;
}

/// False if an access takes too many strided ones.
bool WindowFootprints::collect(const Group &group, const Window &window,
                               GroupFootprint &footprint) const {
  AddressSet all;
  for (unsigned number : group.accesses) {
    const BoundAccess &access = kernel.accesses[number];
    footprint.lanes += access.counts.lanes;
    llvm::SmallVector<Interval, 4> iterations(access.pattern->iterations());
    for (auto [depth, side] : llvm::enumerate(iterations))
      side = window.iterations.cut(depth, side);
    for (const BlockBox &blocks : window.blocks) {
      auto added = access.pattern->append(blocks, iterations, all);
      if (!added)
        return false;
      footprint.executions += *added;
    }
  }
  std::optional<AddressSet> simple = simplify(all, sector);
  if (simple)
    footprint.set = std::move(*simple);
  return simple.has_value();
}

Footprint WindowFootprints::of(const Window &window, Kinds kinds) {
  Footprint result;
  for (const Group &group : groups(kinds, window)) {
    GroupFootprint &footprint = result.emplace_back();
    footprint.object = group.object;
    footprint.place = group.place;
    if (known[group.object] && !collect(group, window, footprint))
      known[group.object] = false;
  }
  return result;
}

/// Remembers where it did not work. The set of one footprint is simple for
/// sectors; of several it is not.
std::optional<int64_t> WindowFootprints::count(int object,
                                               const AddressSet &set,
                                               int64_t unit, bool isOne) {
  std::optional<int64_t> units = isOne && unit == sector
                                     ? countSimplified(set, unit)
                                     : countUnits(set, unit);
  if (!units)
    known[object] = false;
  return units;
}

Bytes WindowFootprints::scaled(const Footprint &window, int64_t unit,
                               const Footprint *before) {
  Bytes bytes(known.size(), 0);
  for (size_t i = 0; i < window.size(); ++i) {
    const GroupFootprint &group = window[i];
    if (group.executions == 0)
      continue;
    AddressSet all = group.set;
    int64_t old = 0;
    if (before) {
      const AddressSet &set = (*before)[i].set;
      old = count(group.object, set, unit, true).value_or(0);
      all.append(set.begin(), set.end());
    }
    int64_t units = count(group.object, all, unit, !before).value_or(0) - old;
    bytes[group.object] +=
        static_cast<double>(units * unit) * group.lanes / group.executions;
  }
  return bytes;
}

double WindowFootprints::touched(llvm::ArrayRef<const Footprint *> windows,
                                 int64_t unit) {
  struct Union {
    AddressSet set;
    unsigned parts = 0;
  };
  std::map<std::pair<CodePlace, int>, Union> unions;
  for (const Footprint *window : windows)
    for (const GroupFootprint &group : *window) {
      Union &joined = unions[{group.place, group.object}];
      joined.set.append(group.set.begin(), group.set.end());
      ++joined.parts;
    }
  std::map<CodePlace, double> perPlace;
  double most = 0;
  for (const auto &[key, joined] : unions) {
    auto [place, object] = key;
    double &sum = perPlace[place];
    int64_t units =
        count(object, joined.set, unit, joined.parts == 1).value_or(0);
    sum += static_cast<double>(units * unit);
    most = std::max(most, sum);
  }
  return most;
}
