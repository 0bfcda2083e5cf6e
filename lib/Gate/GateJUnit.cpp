// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Gate/GateReport.h"

#include "ReportTexts.h"
#include "llvm/ADT/StringExtras.h"

using namespace auspex;

/// Text for an attribute or an element; XML has no way to write most control
/// characters.
static std::string escape(llvm::StringRef text) {
  std::string result;
  for (char c : text)
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    case '\n':
      result += "&#10;";
      break;
    default:
      result += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
  return result;
}

static void writeFailure(const Comparison &comparison, llvm::raw_ostream &os) {
  os << "      <failure type=\"" << escape(ruleOf(comparison))
     << "\" message=\"" << escape(timesText(comparison)) << "\">";
  for (const std::string &difference : comparison.differences)
    os << escape(difference) << '\n';
  for (const std::string &doubt : comparison.doubts)
    os << escape(doubt) << '\n';
  for (const Cause &cause : comparison.causes) {
    std::string place = placeText(cause.location);
    os << escape(place) << (place.empty() ? "" : ": ")
       << escape(causeText(cause)) << '\n';
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
    os << "    <testcase classname=\"" << escape(record.gpu) << "\" name=\""
       << escape(launchText(record)) << '"';
    if (location.isKnown())
      os << " file=\"" << escape(location.file) << "\" line=\"" << location.line
         << '"';
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
