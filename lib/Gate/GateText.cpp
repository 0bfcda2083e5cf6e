// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Gate/GateReport.h"

#include "ReportTexts.h"

using namespace auspex;

static void writeComparison(const Comparison &comparison,
                            llvm::raw_ostream &os) {
  os << toString(comparison.verdict) << ": " << launchText(comparison.any())
     << ": " << timesText(comparison) << '\n';
  for (const std::string &difference : comparison.differences)
    os << "  " << difference << '\n';
  for (const std::string &doubt : comparison.doubts)
    os << "  " << doubt << '\n';
  if (comparison.allowance)
    os << "  " << allowanceText(comparison) << '\n';
  for (const Cause &cause : comparison.causes) {
    std::string place = placeText(cause.location);
    os << "  " << place << (place.empty() ? "" : ": ") << causeText(cause);
    os << " [" << (cause.remark.empty() ? cause.id : cause.remark) << "]\n";
  }
}

void auspex::writeGateText(const GateResult &result, llvm::raw_ostream &os) {
  for (const Comparison &comparison : result.comparisons)
    if (comparison.verdict != Verdict::Unchanged ||
        !comparison.differences.empty())
      writeComparison(comparison, os);
  for (const std::string &note : result.notes)
    os << "note: " << note << '\n';
  os << headline(result);
  if (size_t unchanged = result.count(Verdict::Unchanged))
    os << "; " << unchanged << " unchanged";
  os << '\n';
}
