// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/Remark.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

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

static std::string keyOf(const SourceLocation &location) {
  std::string key = location.str();
  for (const SourceLocation &caller : location.inlinedAt)
    key += "@" + caller.str();
  return key;
}

/// Inlined copies of one line whose requests ask for the same are one place.
static std::vector<AccessPlace> foldCopies(std::vector<AccessPlace> places) {
  std::vector<AccessPlace> folded;
  llvm::StringMap<size_t> numbers;
  for (AccessPlace &place : places) {
    const Access &access = *place.access;
    auto ratio = [&](double count) { return count / place.counts.requests; };
    std::string key = llvm::formatv(
        "{0} {1} {2} {3} {4} {5} {6} {7} {8:f3} {9:f3} {10:f3}",
        place.location.str(), toString(access.kind), access.operation,
        toString(access.space), access.bytesPerLane, place.isKnown, access.base,
        access.offset.reason, ratio(place.counts.sectors),
        ratio(place.counts.bankPasses), ratio(place.counts.sameAddress));
    auto [entry, isNew] = numbers.try_emplace(key, folded.size());
    if (isNew || !place.location.isKnown())
      folded.push_back(std::move(place));
    else
      folded[entry->second].counts.add(place.counts, 1);
  }
  return folded;
}

std::vector<AccessPlace> auspex::accessPlaces(const BoundKernel &kernel) {
  std::vector<AccessPlace> places;
  llvm::StringMap<size_t> numbers;
  for (auto [access, bound] :
       llvm::zip(kernel.summary->accesses, kernel.accesses)) {
    if (bound.counts.requests == 0)
      continue;
    AccessPlace place{&access, access.location.outsideSystemHeaders(),
                      bound.isKnown, bound.counts};
    if (!place.location.isKnown()) {
      places.push_back(std::move(place));
      continue;
    }
    std::string key = llvm::formatv(
        "{0} {1} {2} {3} {4} {5} {6} {7}", keyOf(place.location),
        toString(access.kind), access.operation, toString(access.space),
        access.base, access.bytesPerLane, bound.isKnown, access.offset.reason);
    auto [entry, isNew] = numbers.try_emplace(key, places.size());
    if (isNew)
      places.push_back(std::move(place));
    else
      places[entry->second].counts.add(bound.counts, 1);
  }
  return foldCopies(std::move(places));
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
                                     const Prediction &prediction) {
  std::vector<AccessPlace> places = accessPlaces(kernel);
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
