// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PlaneCounter.h"

#include "auspex/Expr/Expr.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace auspex;

int64_t auspex::lastByte(const StridedAccess &access) {
  int64_t last = access.first + access.bytes - 1;
  for (const StridedAccess::Dimension &dimension : access.dimensions)
    last += dimension.stride * (dimension.count - 1);
  return last;
}

namespace {
/// What an access has in a plane, and in which ones.
struct InPlane {
  StridedAccess access;
  int64_t begin, end;
};
} // namespace

/// Cuts \p access where planes begin that are \p step apart, the first of them
/// at \p origin: before the first such place, in whole planes, and behind.
static void cutAtPlanes(StridedAccess access, int64_t origin, int64_t step,
                        llvm::SmallVectorImpl<InPlane> &parts) {
  auto add = [&](int64_t count, int64_t planes) {
    if (count == 0 || planes == 0)
      return;
    int64_t begin = (access.first - origin) / step;
    StridedAccess &part =
        parts.emplace_back(access, begin, begin + planes).access;
    part.first -= begin * step;
    part.dimensions.back().count = count;
    access.first += part.dimensions.back().stride * count * planes;
  };
  if (access.dimensions.empty())
    access.dimensions.push_back({step, 1});
  auto [stride, count] = access.dimensions.back();
  if (stride == step)
    return add(1, count);
  int64_t inFirst = (step - (access.first - origin) % step - 1) / stride + 1;
  if (step % stride || inFirst >= count)
    return add(count, 1);
  int64_t inEach = step / stride, left = count - inFirst;
  add(inFirst, 1);
  add(inEach, left / inEach);
  add(left % inEach, 1);
}

std::optional<Planes> Planes::of(AccessRefs sorted) {
  constexpr size_t MostKinds = 16;
  Planes planes;
  planes.origin = sorted.front()->first;
  planes.rows = countRows(sorted);
  planes.accesses = sorted.size();
  for (const StridedAccess *access : sorted)
    if (!access->dimensions.empty())
      planes.pitch = std::max(planes.pitch, access->dimensions.back().stride);
  if (planes.pitch == 0)
    return std::nullopt;
  llvm::SmallVector<InPlane, 16> parts;
  for (const StridedAccess *access : sorted)
    cutAtPlanes(*access, planes.origin, planes.pitch, parts);
  llvm::SmallVector<int64_t, 16> cuts;
  for (const InPlane &part : parts) {
    planes.last = std::max(planes.last, lastByte(part.access));
    cuts.push_back(part.begin);
    cuts.push_back(part.end);
  }
  llvm::sort(cuts);
  cuts.erase(llvm::unique(cuts), cuts.end());
  if (cuts.size() > MostKinds)
    return std::nullopt;
  for (size_t i = 0; i + 1 < cuts.size(); ++i) {
    Kind kind = {cuts[i], cuts[i + 1], {}};
    for (const InPlane &part : parts)
      if (part.begin <= kind.begin && kind.begin < part.end)
        kind.plane.push_back(part.access);
    if (!kind.plane.empty())
      planes.kinds.push_back(std::move(kind));
  }
  return planes;
}

/// \p plane in normal form for \p unit.
static AddressSet normalized(AddressSet plane, int64_t unit) {
  for (StridedAccess &access : plane)
    normalize(access, unit);
  return plane;
}

bool Planes::shareNoUnit(llvm::ArrayRef<Ruler> rulers) const {
  return llvm::all_of(rulers, [&](const Ruler &ruler) {
    auto [unit, shift] = ruler;
    return pitch % unit == 0 && floorDiv(last + shift, unit) <
                                    floorDiv(origin + pitch + shift, unit);
  });
}

void Planes::addAlike(
    llvm::ArrayRef<Ruler> rulers,
    llvm::MutableArrayRef<std::optional<int64_t>> counts) const {
  int64_t common = 0;
  for (const Ruler &ruler : rulers)
    common = std::gcd(common, ruler.unit);
  for (const Kind &kind : kinds) {
    auto units = countNormalized(normalized(kind.plane, common), rulers);
    for (auto [count, number] : llvm::zip(counts, units))
      count = count && number
                  ? std::optional(*count + *number * (kind.end - kind.begin))
                  : std::nullopt;
  }
}

/// From the first byte to the last.
static Interval extentOf(const AddressSet &plane) {
  Interval bytes = {INT64_MAX, INT64_MIN};
  for (const StridedAccess &access : plane) {
    bytes.low = std::min(bytes.low, access.first);
    bytes.high = std::max(bytes.high, lastByte(access));
  }
  return bytes;
}

/// The unit that \p byte of plane number \p plane is in.
static int64_t unitOf(int64_t byte, int64_t plane, int64_t pitch, Ruler ruler) {
  return floorDiv(byte + plane * pitch + ruler.shift, ruler.unit);
}

std::optional<int64_t> Planes::countInTurns(const Kind &kind,
                                            Ruler ruler) const {
  int64_t turns = ruler.unit / std::gcd(pitch, ruler.unit);
  int64_t count = kind.end - kind.begin;
  Interval bytes = extentOf(kind.plane);
  AddressSet plane = normalized(kind.plane, ruler.unit);
  int64_t total = 0;
  for (int64_t turn = 0; turn < std::min(turns, count); ++turn) {
    int64_t number = kind.begin + turn;
    Ruler moved = {ruler.unit,
                   floorMod(ruler.shift + number * pitch, ruler.unit)};
    auto units = countNormalized(plane, moved).front();
    if (!units)
      return std::nullopt;
    total += *units * ceilDiv(count - turn, turns);
    // What the next one begins in is counted there.
    if (unitOf(bytes.high, number, pitch, ruler) ==
        unitOf(bytes.low, number + 1, pitch, ruler))
      total -= ceilDiv(count - 1 - turn, turns);
  }
  return total;
}

std::optional<int64_t> Planes::countInTurns(Ruler ruler) const {
  constexpr int64_t MostTurns = 64;
  constexpr double Few = 8;
  int64_t turns = ruler.unit / std::gcd(pitch, ruler.unit);
  double looks = static_cast<double>(turns) * static_cast<double>(accesses);
  if (turns > MostTurns || rows <= Few * looks || last >= origin + pitch)
    return std::nullopt;
  int64_t total = 0;
  std::optional<int64_t> lastUnit;
  for (const Kind &kind : kinds) {
    auto units = countInTurns(kind, ruler);
    if (!units)
      return std::nullopt;
    Interval bytes = extentOf(kind.plane);
    total += *units;
    if (lastUnit == unitOf(bytes.low, kind.begin, pitch, ruler))
      --total;
    lastUnit = unitOf(bytes.high, kind.end - 1, pitch, ruler);
  }
  return total;
}
