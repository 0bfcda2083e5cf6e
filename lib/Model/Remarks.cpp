// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/Remark.h"

#include "llvm/ADT/STLExtras.h"

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
  double now = evaluateOperational(input, gpu).timeInUs;
  return std::clamp(now - evaluateOperational(ideal, gpu).timeInUs, 0.0, now);
}

/// Unrolling and inlining make several accesses of one place: what says the
/// same about the same place is said once.
static void removeRepetitions(std::vector<Finding> &findings) {
  std::vector<Finding> kept;
  for (Finding &finding : findings) {
    bool repeats = llvm::any_of(kept, [&](const Finding &other) {
      return other.id == finding.id && other.location == finding.location &&
             other.message == finding.message;
    });
    if (!repeats || !finding.location.isKnown())
      kept.push_back(std::move(finding));
  }
  findings = std::move(kept);
}

std::vector<Finding> auspex::findAll(const RemarkContext &context) {
  std::vector<Finding> all;
  for (const RemarkInfo &info : remarkInfos()) {
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
