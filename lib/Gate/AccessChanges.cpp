// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Alignment.h"
#include "PlaceChanges.h"

#include "auspex/Kernel/KernelNames.h"
#include "auspex/Support/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace auspex;

static double perRequest(double count, const AccessVolume &access) {
  return access.counts.requests > 0 ? count / access.counts.requests : 0;
}

static bool differ(double a, double b) {
  return std::abs(a - b) > 1e-3 * std::max(std::abs(a), std::abs(b));
}

static bool isFar(double a, double b) {
  return std::max(a, b) > 4 * std::min(a, b);
}

static std::string objectOf(const AccessVolume &access) {
  return access.argument.empty() ? variableName(access.object)
                                 : access.argument;
}

/// For the alignment: what makes two accesses the same one.
static double distanceOf(const AccessVolume &a, const AccessVolume &b) {
  if (a.space != b.space || a.kind != b.kind || a.operation != b.operation)
    return 1;
  double distance = 0;
  if (objectOf(a) != objectOf(b))
    distance += a.object == b.object ? 0.15 : 0.4;
  if (a.bytesPerLane != b.bytesPerLane)
    distance += 0.15;
  if (a.location.column && b.location.column &&
      a.location.column != b.location.column)
    distance += 0.05;
  if (differ(a.counts.requests, b.counts.requests))
    distance += isFar(a.counts.requests, b.counts.requests) ? 0.2 : 0.1;
  if (differ(perRequest(a.counts.sectors, a),
             perRequest(b.counts.sectors, b)) ||
      differ(perRequest(a.counts.bankPasses, a),
             perRequest(b.counts.bankPasses, b)))
    distance += 0.1;
  return distance;
}

/// A request that hits its lanes' words side by side has four sectors.
static double costOf(const AccessVolume &access) {
  const RequestCounts &counts = access.counts;
  double serial = access.kind == AccessKind::Atomic ? counts.sameAddress : 0;
  return serial + (access.space == MemorySpace::Shared
                       ? counts.requests + counts.bankPasses
                       : 4 * counts.requests + counts.sectors);
}

static llvm::StringRef preposition(const AccessVolume &access) {
  return access.kind == AccessKind::Load ? "from " : "to ";
}

/// "shared load of 4 B a lane from tile".
static std::string describe(const AccessVolume &access) {
  std::string text;
  if (access.space == MemorySpace::Shared)
    text = "shared ";
  else if (access.space == MemorySpace::Local)
    text = "local ";
  text += toString(access.kind);
  if (!access.operation.empty())
    text += " " + access.operation;
  text += " of " + std::to_string(access.bytesPerLane) + " B a lane";
  if (std::string object = objectOf(access); !object.empty())
    text += (" " + preposition(access)).str() + object;
  return text;
}

static std::string countText(double count, llvm::StringRef noun) {
  return formatCount(count, noun) + " a request";
}

static std::string describeNew(const AccessVolume &access) {
  bool isShared = access.space == MemorySpace::Shared;
  double count = isShared ? access.counts.bankPasses : access.counts.sectors;
  return describe(access) + ", not there before: " +
         formatCount(access.counts.requests, "request") + ", " +
         countText(perRequest(count, access),
                   isShared ? "bank pass" : "sector");
}

static std::string describeChange(const AccessVolume &base,
                                  const AccessVolume &head) {
  llvm::SmallVector<std::string, 4> parts;
  auto compare = [&](double before, double after, llvm::StringRef noun) {
    if (differ(before, after))
      parts.push_back(countText(after, noun) + ", " + formatNumber(before) +
                      " before");
  };
  if (base.isKnown && !head.isKnown)
    parts.push_back("its address is not known any more");
  if (base.bytesPerLane != head.bytesPerLane)
    parts.push_back(std::to_string(base.bytesPerLane) + " B before");
  if (objectOf(base) != objectOf(head) && base.object != head.object)
    parts.push_back(objectOf(base) + " before");
  if (head.space == MemorySpace::Shared)
    compare(perRequest(base.counts.bankPasses, base),
            perRequest(head.counts.bankPasses, head), "bank pass");
  else
    compare(perRequest(base.counts.sectors, base),
            perRequest(head.counts.sectors, head), "sector");
  if (head.kind == AccessKind::Atomic)
    compare(perRequest(base.counts.sameAddress, base),
            perRequest(head.counts.sameAddress, head), "serial step");
  if (differ(base.counts.requests, head.counts.requests))
    parts.push_back(formatNumber(head.counts.requests, 4) + " requests, " +
                    formatNumber(base.counts.requests, 4) + " before");
  return describe(head) + ": " + llvm::join(parts, "; ");
}

std::vector<AccessChange>
auspex::accessChanges(const KernelRecord &base, const KernelRecord &head,
                      llvm::function_ref<bool(const AccessVolume &)> counts) {
  auto distance = [&](size_t a, size_t b) {
    return distanceOf(base.accesses[a], head.accesses[b]);
  };
  std::vector<AccessChange> changes;
  for (AlignedPair pair :
       align(base.accesses.size(), head.accesses.size(), distance)) {
    if (pair.head == AlignedPair::None)
      continue;
    const AccessVolume &after = head.accesses[pair.head];
    if (!counts(after))
      continue;
    AccessChange change{&after, "", costOf(after)};
    if (pair.base == AlignedPair::None) {
      change.message = describeNew(after);
    } else {
      const AccessVolume &before = base.accesses[pair.base];
      change.growth -= costOf(before);
      // Wider lanes ask for more even where the sectors are the same.
      change.message = describeChange(before, after);
    }
    if (change.growth > 1e-3 * costOf(after))
      changes.push_back(std::move(change));
  }
  llvm::stable_sort(changes, [](const AccessChange &a, const AccessChange &b) {
    return a.growth > b.growth;
  });
  return changes;
}
