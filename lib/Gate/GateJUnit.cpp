// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Gate/GateReport.h"

#include "ReportTexts.h"
#include "auspex/Support/Markup.h"
#include "llvm/ADT/StringExtras.h"

using namespace auspex;

static void writeFailure(const Comparison &comparison, llvm::raw_ostream &os) {
  os << "      <failure type=\"" << xmlText(ruleOf(comparison))
     << "\" message=\"" << xmlText(timesText(comparison)) << "\">";
  for (const std::string &difference : comparison.differences)
    os << xmlText(difference) << '\n';
  for (const std::string &doubt : comparison.doubts)
    os << xmlText(doubt) << '\n';
  for (const Cause &cause : comparison.causes) {
    std::string place = placeText(cause.location);
    os << xmlText(place) << (place.empty() ? "" : ": ")
       << xmlText(causeText(cause)) << '\n';
  }
  os << "</failure>\n";
}

void auspex::writeGateJUnit(const GateResult &result, llvm::raw_ostream &os) {
  size_t tests = result.comparisons.size() - result.count(Verdict::Removed);
  size_t failures = result.count(Verdict::Tripped);
  os << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
     << "<testsuites tests=\"" << tests << "\" failures=\"" << failures
     << "\">\n  <testsuite name=\"auspex gate\" tests=\"" << tests
     << "\" failures=\"" << failures << "\" errors=\"0\" skipped=\"0\">\n";
  for (const Comparison &comparison : result.comparisons) {
    if (comparison.verdict == Verdict::Removed)
      continue;
    const KernelRecord &record = comparison.any();
    SourceLocation location = comparison.location();
    os << "    <testcase classname=\"" << xmlText(record.gpu) << "\" name=\""
       << xmlText(launchText(record)) << '"';
    if (location.isKnown())
      os << " file=\"" << xmlText(location.file) << "\" line=\""
         << location.line << '"';
    if (!comparison.trips()) {
      os << "/>\n";
      continue;
    }
    os << ">\n";
    writeFailure(comparison, os);
    os << "    </testcase>\n";
  }
  os << "  </testsuite>\n</testsuites>\n";
}
