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
  std::vector<std::vector<unsigned>> accesses;
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
        numbers.try_emplace({object, place}, accesses.size());
    if (isFirst) {
      entry->second.push_back({object, place, {}});
      accesses.emplace_back();
    }
    entry->second[number->second].lanes += kernel.accesses[i].counts.lanes;
    accesses[number->second].push_back(i);
  }
  for (auto [group, numbersOfAccesses] : llvm::zip(entry->second, accesses))
    group.families = familiesOf(numbersOfAccesses);
  return entry->second;
}

std::vector<AccessFamily>
WindowFootprints::familiesOf(llvm::ArrayRef<unsigned> accesses) const {
  // Few shapes.
  llvm::SmallVector<std::vector<AccessPattern>, 2> patterns;
  for (unsigned i : accesses) {
    const AccessPattern &pattern = *kernel.accesses[i].pattern;
    auto same = llvm::find_if(patterns, [&](const auto &others) {
      return &others.front().sharedShape() == &pattern.sharedShape();
    });
    if (same == patterns.end())
      patterns.push_back({pattern});
    else
      same->push_back(pattern);
  }
  std::vector<AccessFamily> families;
  for (std::vector<AccessPattern> &members : patterns)
    families.emplace_back(std::move(members));
  return families;
}

/// False if an access takes too many strided ones.
bool WindowFootprints::collect(const Group &group, const Window &window,
                               GroupFootprint &footprint) const {
  footprint.lanes = group.lanes;
  bool isNormalized = true;
  for (const AccessFamily &family : group.families) {
    isNormalized &= family.isNormalized();
    llvm::SmallVector<Interval, 4> iterations(family.iterations());
    for (auto [depth, side] : llvm::enumerate(iterations))
      side = window.iterations.cut(depth, side);
    for (const BlockBox &blocks : window.blocks) {
      auto added = family.append(blocks, iterations, sector, footprint.set);
      if (!added)
        return false;
      footprint.executions += *added;
    }
  }
  if (isNormalized)
    return true;
  std::optional<AddressSet> simple = simplify(footprint.set, sector);
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

/// Remembers where it did not work.
int64_t WindowFootprints::count(int object, const AddressSet &set,
                                int64_t unit) {
  std::optional<int64_t> units = countNormalized(set, Ruler{unit}).front();
  if (!units)
    known[object] = false;
  return units.value_or(0);
}

int64_t WindowFootprints::count(GroupFootprint &group, int64_t unit) {
  for (auto [size, number] : group.units)
    if (size == unit)
      return number;
  int64_t units = count(group.object, group.set, unit);
  group.units.emplace_back(unit, units);
  return units;
}

Bytes WindowFootprints::scaled(Footprint &window, int64_t unit) {
  Bytes bytes(known.size(), 0);
  for (GroupFootprint &group : window)
    if (group.executions != 0)
      bytes[group.object] += static_cast<double>(count(group, unit) * unit) *
                             group.lanes / group.executions;
  return bytes;
}

Bytes WindowFootprints::scaledAfter(Footprint &window, Footprint &before,
                                    Footprint &both, int64_t unit) {
  Bytes bytes(known.size(), 0);
  for (auto [group, old, all] : llvm::zip(window, before, both)) {
    if (group.executions == 0)
      continue;
    int64_t units = count(all, unit) - count(old, unit);
    bytes[group.object] +=
        static_cast<double>(units * unit) * group.lanes / group.executions;
  }
  return bytes;
}

double WindowFootprints::touched(llvm::ArrayRef<Footprint *> windows,
                                 int64_t unit) {
  std::map<std::pair<CodePlace, int>, llvm::SmallVector<GroupFootprint *, 2>>
      unions;
  for (Footprint *window : windows)
    for (GroupFootprint &group : *window)
      unions[{group.place, group.object}].push_back(&group);
  std::map<CodePlace, double> perPlace;
  double most = 0;
  for (const auto &[key, parts] : unions) {
    auto [place, object] = key;
    int64_t units = 0;
    if (parts.size() == 1) {
      units = count(*parts.front(), unit);
    } else {
      AddressSet all;
      for (const GroupFootprint *part : parts)
        all.append(part->set.begin(), part->set.end());
      units = count(object, all, unit);
    }
    double &sum = perPlace[place];
    sum += static_cast<double>(units * unit);
    most = std::max(most, sum);
  }
  return most;
}
