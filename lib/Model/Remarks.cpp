// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/Remark.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

using namespace auspex;

// Every rule is a function of its own file.
#define AUSPEX_REMARK(ID, KIND, DOC)                                           \
  namespace auspex::remarks {                                                  \
  void find##ID(const RemarkContext &context, std::vector<Finding> &findings); \
  }
#include "auspex/Model/Remarks.def"

llvm::ArrayRef<RemarkInfo> auspex::remarkInfos() {
  static const RemarkInfo infos[] = {
#define AUSPEX_REMARK(ID, KIND, DOC)                                           \
  {#ID, Finding::Kind::KIND, DOC, remarks::find##ID},
#define AUSPEX_NOTICE(ID, DOC) {#ID, Finding::Kind::Analysis, DOC, nullptr},
#include "auspex/Model/Remarks.def"
  };
  return infos;
}

const RemarkInfo *auspex::findRemark(llvm::StringRef id) {
  for (const RemarkInfo &info : remarkInfos())
    if (id.equals_insensitive(info.id))
      return &info;
  return nullptr;
}

llvm::StringRef auspex::toString(Finding::Kind kind) {
  return kind == Finding::Kind::Missed ? "missed" : "analysis";
}

double RemarkContext::gainInUs(const OperationalInput &ideal) const {
  return std::clamp(timeInUs - evaluateOperational(ideal, gpu).timeInUs, 0.0,
                    timeInUs);
}

namespace {
/// What accesses have in common that are one place.
struct PlaceKey {
  llvm::StringRef file;
  unsigned line, column;
  llvm::ArrayRef<SourceLocation> inlinedAt;
  AccessKind kind;
  MemorySpace space;
  unsigned bytesPerLane;
  bool isKnown;
  llvm::StringRef operation, base, reason;
  /// Of each request, in thousandths: sectors, bank passes, lanes on one
  /// address.
  std::array<double, 3> counts{};

  bool operator==(const PlaceKey &) const = default;
};

struct PlaceHash {
  size_t operator()(const PlaceKey &key) const {
    return llvm::hash_combine(key.line, key.column, key.kind, key.bytesPerLane,
                              key.inlinedAt.size());
  }
};

using PlaceNumbers = std::unordered_map<PlaceKey, size_t, PlaceHash>;

/// Accesses that are one place, and what their counts are together.
struct FoundPlace {
  PlaceKey key;
  const Access *access;
  RequestCounts counts;
};
} // namespace

static PlaceKey keyOf(const Access &access, bool isKnown) {
  auto [place, callers] = access.location.partOutsideSystemHeaders();
  return {place->file,      place->line,  place->column,       callers,
          access.kind,      access.space, access.bytesPerLane, isKnown,
          access.operation, access.base,  access.offset.reason};
}

/// Adds \p place to the one in \p places with the same key, if its line is
/// known.
static void addPlace(const PlaceKey &key, const FoundPlace &place,
                     std::vector<FoundPlace> &places, PlaceNumbers &numbers) {
  if (key.line != 0) {
    auto [entry, isNew] = numbers.try_emplace(key, places.size());
    if (!isNew)
      return places[entry->second].counts.add(place.counts, 1);
  }
  places.push_back(place);
}

/// Inlined copies of one line whose requests ask for the same are one place.
static PlaceKey withoutCallers(const FoundPlace &place) {
  PlaceKey key = place.key;
  key.inlinedAt = {};
  auto ratio = [&](double count) {
    return std::nearbyint(1e3 * count / place.counts.requests);
  };
  key.counts = {ratio(place.counts.sectors), ratio(place.counts.bankPasses),
                ratio(place.counts.sameAddress)};
  return key;
}

std::vector<AccessPlace> auspex::accessPlaces(const BoundKernel &kernel) {
  std::vector<FoundPlace> inCallers, found;
  PlaceNumbers numbers;
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses))
    if (bound.counts.requests != 0) {
      PlaceKey key = keyOf(access, bound.isKnown);
      addPlace(key, {key, &access, bound.counts}, inCallers, numbers);
    }
  numbers.clear();
  for (const FoundPlace &place : inCallers)
    addPlace(withoutCallers(place), place, found, numbers);
  std::vector<AccessPlace> places;
  for (const FoundPlace &place : found)
    places.push_back({place.access,
                      place.access->location.outsideSystemHeaders(),
                      place.key.isKnown, place.counts});
  return places;
}

/// Inlining and templates make several findings of one place: what says the
/// same about the same place is said once.
static void removeRepetitions(std::vector<Finding> &findings) {
  llvm::StringSet<> seen;
  llvm::erase_if(findings, [&](const Finding &finding) {
    return finding.location.isKnown() &&
           !seen.insert(finding.id + finding.location.str() + finding.message)
                .second;
  });
}

std::vector<Finding> auspex::findAll(const BoundKernel &kernel, const GPU &gpu,
                                     const OperationalInput &input,
                                     double timeInUs,
                                     const Prediction &prediction,
                                     llvm::ArrayRef<AccessPlace> places) {
  RemarkContext context{kernel, gpu, input, timeInUs, prediction, places};
  std::vector<Finding> all;
  for (const RemarkInfo &info : remarkInfos()) {
    if (!info.rule)
      continue;
    std::vector<Finding> findings;
    info.rule(context, findings);
    for (Finding &finding : findings) {
      finding.id = info.id.str();
      finding.kind = info.kind;
      finding.location = finding.location.outsideSystemHeaders();
      if (!finding.location.isKnown())
        finding.location = context.kernel.summary->location;
      all.push_back(std::move(finding));
    }
  }
  removeRepetitions(all);
  // Facts in the order of the table and the source, then advice by its gain.
  auto advice = llvm::find_if(all, [](const Finding &finding) {
    return finding.kind == Finding::Kind::Missed;
  });
  std::stable_sort(advice, all.end(), [](const Finding &a, const Finding &b) {
    return a.gainInUs > b.gainInUs;
  });
  return all;
}
