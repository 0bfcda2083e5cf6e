// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Validate/ValidationReport.h"

#include "ReportTexts.h"
#include "auspex/Support/Table.h"
#include "llvm/ADT/STLExtras.h"

using namespace auspex;

static void writeRows(std::vector<std::vector<std::string>> rows,
                      llvm::raw_ostream &os) {
  Table table(rows.front());
  for (std::vector<std::string> &row : llvm::drop_begin(rows))
    table.add(std::move(row));
  table.print(os);
}

static void writeWorst(const ValidationSet &set, llvm::raw_ostream &os) {
  if (set.worst.empty())
    return;
  os << "furthest off, by " << set.scores.front().model << ":\n";
  Table table({"error", "predicted", "measured", "limiter", "launch", ""});
  for (const ValidatedLaunch *launch : set.worst) {
    PredictedPair pair = *launch->pairOf(0);
    table.add({signedShare(pair.error()), formatTimeInUs(pair.predicted),
               formatTimeInUs(pair.measured), launch->limiter,
               launchText(launch->measured),
               placeText(launch->measured.place)});
  }
  table.print(os);
}

static void writeCauses(llvm::StringRef heading, const ValidationSet &set,
                        llvm::ArrayRef<ValidationSet::Cause> causes,
                        llvm::raw_ostream &os) {
  if (causes.empty())
    return;
  size_t all = 0;
  for (const ValidationSet::Cause &cause : causes)
    all += cause.launches;
  os << heading << ": " << all << " of " << set.launches.size() << '\n';
  for (const ValidationSet::Cause &cause : causes)
    os << "  " << cause.launches << " (" << placeText(cause.first)
       << (cause.launches > 1 ? " ...): " : "): ") << cause.text << '\n';
}

void auspex::writeValidationText(const Validation &validation,
                                 llvm::raw_ostream &os) {
  for (const ValidationSet &set : validation.sets) {
    size_t runs = 0;
    for (const ValidatedLaunch *launch : set.launches)
      runs += launch->counts == CountOrigin::Run;
    os << (&set == &validation.sets.front() ? "" : "\n") << setText(set) << ": "
       << formatCount(set.launches.size(), "record", 9);
    if (runs)
      os << ", " << runs << " with counts of a run";
    os << '\n';
    writeRows(scoreRows(set), os);
    if (!set.counts.empty())
      writeRows(countRows(set), os);
    writeWorst(set, os);
    writeCauses("expected, as something is open", set, set.expected, os);
    writeCauses("not predicted", set, set.notPredicted, os);
  }
}
