// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WindowFootprints.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace auspex;

static bool belongsTo(const Access &access, Kinds kinds) {
  switch (kinds) {
  case Kinds::LoadsThroughL1:
    return access.goesThroughL1();
  case Kinds::Reads:
    return access.kind != AccessKind::Store;
  case Kinds::Writes:
    return access.kind != AccessKind::Load;
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
    allReadsGoThroughL1 &= bound.object < 0 || access.goesThroughL1() ||
                           access.kind == AccessKind::Store;
    shapeOf.push_back(bound.pattern ? numberOfShape(*bound.pattern) : 0);
  }
  // What few lanes ask for beside the known, nobody else need find.
  constexpr double Few = 0.02;
  std::vector<double> lanes(known.size(), 0), unknownLanes = lanes;
  for (const BoundAccess &bound : kernel.accesses)
    if (bound.object >= 0) {
      lanes[bound.object] += bound.counts.lanes;
      unknownLanes[bound.object] += bound.pattern ? 0 : bound.counts.lanes;
    }
  for (size_t i = 0; i < known.size(); ++i)
    known[i] = unknownLanes[i] <= Few * lanes[i];
}

void WindowFootprints::forgetPicked() {
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses))
    if (bound.isPicked && bound.object >= 0 && !access.offset.isKnown())
      known[bound.object] = false;
}

/// Few shapes.
unsigned WindowFootprints::numberOfShape(const AccessPattern &pattern) {
  for (auto [number, other] : llvm::enumerate(shapes))
    if (&other.sharedShape() == &pattern.sharedShape())
      return number;
  shapes.push_back(pattern.movedBy(-pattern.first()));
  return shapes.size() - 1;
}

unsigned WindowFootprints::mostLoops() const {
  size_t most = 0;
  for (const std::vector<int> &chain : chains)
    most = std::max(most, chain.size());
  return most;
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
  std::vector<Iterations> windows;
  for (unsigned depth = mostLoops(); depth > 0; --depth) {
    int64_t most = mostTrips(depth - 1);
    int64_t count = 1;
    for (; count < most && count <= INT64_MAX / 2; count *= 2)
      windows.push_back({depth, count});
    windows.push_back({depth, count});
  }
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
WindowFootprints::groups(Kinds kinds, unsigned cutLoops, unsigned accesses) {
  if (kinds == Kinds::LoadsThroughL1 && allReadsGoThroughL1)
    kinds = Kinds::Reads;
  auto [entry, isNew] = knownGroups.try_emplace({kinds, cutLoops, accesses});
  if (isNew)
    entry->second = makeGroups(kinds, cutLoops, accesses);
  return entry->second;
}

std::vector<WindowFootprints::Group>
WindowFootprints::makeGroups(Kinds kinds, unsigned cutLoops,
                             unsigned accesses) const {
  struct Member {
    unsigned group, shape;
    int64_t constant;
    double sectors;

    auto operator<=>(const Member &) const = default;
  };
  std::vector<Member> members;
  std::vector<double> mostSectors; // of an access of each group
  std::vector<Group> result;
  llvm::SmallDenseMap<std::tuple<int, int, unsigned, unsigned>, unsigned, 64>
      numbers;
  // By loop, object and whether they store.
  llvm::SmallDenseMap<std::tuple<int, int, unsigned>, unsigned, 16>
      accessesBefore;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const BoundAccess &access = kernel.accesses[i];
    if (access.object < 0)
      continue;
    size_t depth = std::min<size_t>(cutLoops, chains[i].size());
    CodePlace place{depth ? chains[i][depth - 1] : -1};
    AccessKind kind = kernel.summary->accesses[i].kind;
    if (accesses)
      place.part = accessesBefore[{place.loop, access.object,
                                   unsigned(kind == AccessKind::Store)}]++ /
                   accesses;
    if (!known[access.object] || !belongsTo(kernel.summary->accesses[i], kinds))
      continue;
    auto [number, isFirst] =
        numbers.try_emplace({access.object, place.loop, place.part,
                             unsigned(access.pattern.has_value())},
                            result.size());
    if (isFirst) {
      result.push_back({access.object, place, {}});
      mostSectors.push_back(0);
    }
    result[number->second].lanes += access.counts.lanes;
    result[number->second].sectors += access.counts.sectors;
    result[number->second].lines += access.counts.lines;
    double &most = mostSectors[number->second];
    most = std::max(most, access.counts.sectors);
    if (access.pattern)
      members.push_back({number->second, shapeOf[i], access.pattern->first(),
                         access.counts.sectors});
  }
  // What the last thread does for the rest adds nothing to what others touch,
  // and its pattern may not know that no other thread does it.
  constexpr double Few = 0.005;
  llvm::erase_if(members, [&](const Member &member) {
    return member.sectors < Few * mostSectors[member.group];
  });
  llvm::sort(members, std::less<>());
  llvm::SmallVector<int64_t, 32> constants;
  for (size_t i = 0; i < members.size();) {
    unsigned group = members[i].group, shape = members[i].shape;
    constants.clear();
    for (; i < members.size() && members[i].group == group &&
           members[i].shape == shape;
         ++i)
      constants.push_back(members[i].constant);
    result[group].families.emplace_back(
        shape, AccessFamily(shapes[shape].sharedShape(), constants));
  }
  return result;
}

/// Stops where collect() will.
void WindowFootprints::lookAt(const Group &group, View &view) const {
  size_t size = 0;
  for (const auto &[shape, family] : group.families) {
    if (size > MostAccesses)
      return;
    if (!view.at(shape, 0).isKnown)
      lookAtShape(shape, view);
    size += view.at(shape, 0).set.size() * family.size();
  }
}

void WindowFootprints::lookAtShape(unsigned shape, View &view) const {
  const AccessPattern &pattern = shapes[shape];
  for (size_t i = 0; i < view.windows.size(); ++i) {
    View::Alone &alone = view.at(shape, i);
    alone.isKnown = true;
    alone.executions = 0;
    for (const BlockBox &blocks : view.windows[i].blocks) {
      llvm::SmallVector<Interval, 4> iterations;
      for (unsigned depth = 0; depth < pattern.iterations().size(); ++depth)
        iterations.push_back(view.iterations().cut(
            depth, pattern.iterations(depth, blocks, iterations)));
      auto added = pattern.append(blocks, iterations, alone.set);
      if (!added)
        alone.executions.reset();
      if (!alone.executions)
        break;
      *alone.executions += *added;
    }
    if (pattern.sharedShape().isOneAccess()) {
      for (StridedAccess &access : alone.set)
        if (!normalize(access, sector))
          alone.executions.reset();
    } else if (auto simple = simplify(alone.set, sector)) {
      // What many points touch goes into every group.
      alone.set = std::move(*simple);
    } else {
      alone.executions.reset();
    }
    view.size += alone.set.size();
  }
}

/// False if an access takes too many strided ones.
bool WindowFootprints::collect(const Group &group, View &view, size_t window,
                               GroupFootprint &footprint) const {
  size_t size = 0;
  for (const auto &[shape, family] : group.families) {
    const View::Alone &alone = view.at(shape, window);
    size += alone.set.size() * family.size();
    if (!alone.executions || size > MostAccesses ||
        !family.append(alone.set, sector, footprint.set))
      return false;
    footprint.executions +=
        *alone.executions * static_cast<double>(family.size());
  }
  return true;
}

/// By how much the first window has to be moved to touch what \p window does.
std::optional<int64_t> WindowFootprints::shiftOf(const Group &group, View &view,
                                                 size_t window) {
  std::optional<int64_t> shift;
  for (const auto &[shape, family] : group.families) {
    const View::Alone &first = view.at(shape, 0);
    const View::Alone &other = view.at(shape, window);
    if (first.executions != other.executions ||
        first.set.size() != other.set.size())
      return std::nullopt;
    for (auto [from, to] : llvm::zip(first.set, other.set)) {
      if (!shift)
        shift = to.first - from.first;
      if (to.first - from.first != *shift || from.dimensions != to.dimensions)
        return std::nullopt;
    }
  }
  return shift;
}

std::vector<Footprint> WindowFootprints::ofEach(View &view, Kinds kinds,
                                                llvm::ArrayRef<int64_t> sizes,
                                                unsigned accesses) {
  return ofGroups(groups(kinds, view.iterations().cutLoops, accesses), view,
                  sizes);
}

std::vector<Footprint>
WindowFootprints::ofEachByLoop(View &view, Kinds kinds,
                               llvm::ArrayRef<int64_t> sizes) {
  return ofGroups(groups(kinds, mostLoops(), 0), view, sizes);
}

std::vector<Footprint>
WindowFootprints::ofGroups(const std::vector<Group> &all, View &view,
                           llvm::ArrayRef<int64_t> sizes) {
  view.shapes.resize(shapes.size() * view.windows.size());
  std::vector<Footprint> result(view.windows.size());
  for (Footprint &footprint : result)
    footprint.resize(all.size());
  for (auto [number, group] : llvm::enumerate(all)) {
    // Kernels of irregular accesses have too many to keep.
    if (view.size > 4 * MostAccesses)
      view.forgetAll();
    if (known[group.object])
      lookAt(group, view);
    // Windows that are the first one at another place are counted with it.
    llvm::SmallVector<GroupFootprint *, 4> together;
    llvm::SmallVector<Ruler, 8> rulers;
    for (auto [window, footprint] : llvm::enumerate(result)) {
      GroupFootprint &part = footprint[number];
      part.object = group.object;
      part.place = group.place;
      part.lanes = group.lanes;
      part.sectors = group.sectors;
      part.lines = group.lines;
      if (!known[group.object])
        continue;
      std::optional<int64_t> shift;
      if (window > 0)
        shift = shiftOf(group, view, window);
      if (shift) {
        const GroupFootprint &first = result.front()[number];
        part.executions = first.executions;
        part.set = first.set;
        for (StridedAccess &access : part.set)
          access.first += *shift;
      } else if (!collect(group, view, window, part)) {
        known[group.object] = false;
        continue;
      } else if (window > 0) {
        continue;
      }
      together.push_back(&part);
      for (int64_t size : sizes)
        rulers.push_back({size, shift.value_or(0)});
    }
    if (!known[group.object])
      continue;
    auto counts = countNormalized(result.front()[number].set, rulers);
    for (auto [i, count] : llvm::enumerate(counts)) {
      known[group.object] = known[group.object] && count;
      together[i / sizes.size()]->units.emplace_back(sizes[i % sizes.size()],
                                                     count.value_or(0));
    }
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

/// What the requests of a group touch, each by itself: sectors of a line lie
/// side by side.
double WindowFootprints::unitsAsked(const GroupFootprint &group,
                                    int64_t unit) const {
  double sideBySide =
      group.sectors * static_cast<double>(sector) / static_cast<double>(unit);
  return std::max(std::min(group.lines, group.sectors), sideBySide);
}

Bytes WindowFootprints::scaled(llvm::MutableArrayRef<Footprint> windows,
                               int64_t unit) {
  Bytes bytes(known.size(), 0);
  for (auto [number, group] : llvm::enumerate(windows.front())) {
    double units = 0;
    unsigned runs = 0;
    for (Footprint &window : windows) {
      GroupFootprint &part = window[number];
      if (part.executions == 0)
        continue;
      units += static_cast<double>(count(part, unit)) / part.executions;
      ++runs;
    }
    bytes[group.object] +=
        static_cast<double>(unit) *
        (runs == 0 ? unitsAsked(group, unit) : units * group.lanes / runs);
  }
  return bytes;
}

Bytes WindowFootprints::scaledAfter(Footprint &window, Footprint &before,
                                    Footprint &both, int64_t unit) {
  Bytes bytes(known.size(), 0);
  for (auto [group, old, all] : llvm::zip(window, before, both)) {
    double units = unitsAsked(group, unit);
    if (group.executions != 0)
      units = static_cast<double>(count(all, unit) - count(old, unit)) *
              group.lanes / group.executions;
    bytes[group.object] += units * static_cast<double>(unit);
  }
  return bytes;
}

double WindowFootprints::touched(llvm::ArrayRef<Footprint *> windows,
                                 int64_t unit, llvm::ArrayRef<double> times) {
  llvm::SmallVector<GroupFootprint *, 64> parts;
  for (Footprint *window : windows)
    for (GroupFootprint &group : *window)
      parts.push_back(&group);
  auto where = [](const GroupFootprint *part) {
    return std::tuple(part->place, part->object);
  };
  auto isBefore = [&](const GroupFootprint *a, const GroupFootprint *b) {
    return where(a) < where(b);
  };
  if (!llvm::is_sorted(parts, isBefore))
    llvm::sort(parts, isBefore);
  double most = 0, sum = 0;
  for (size_t i = 0; i < parts.size();) {
    size_t from = i++;
    while (i < parts.size() && where(parts[i]) == where(parts[from]))
      ++i;
    int64_t units = 0;
    if (i - from == 1) {
      units = count(*parts[from], unit);
    } else {
      AddressSet all;
      for (const GroupFootprint *part :
           llvm::ArrayRef(parts).slice(from, i - from))
        all.append(part->set.begin(), part->set.end());
      units = count(parts[from]->object, all, unit);
    }
    if (from > 0 && parts[from]->place != parts[from - 1]->place)
      sum = 0;
    sum += static_cast<double>(units * unit) *
           (times.empty() ? 1 : times[parts[from]->object]);
    most = std::max(most, sum);
  }
  return most;
}
