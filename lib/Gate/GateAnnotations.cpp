// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GitHub shows ten annotations of a kind and step; the worst come first.
#include "auspex/Gate/GateReport.h"

#include "ReportTexts.h"

using namespace auspex;

static std::string escape(llvm::StringRef text, llvm::StringRef more = "") {
  std::string result;
  for (char c : text)
    if (c == '%' || c == '\r' || c == '\n' || more.contains(c)) {
      static const char digits[] = "0123456789ABCDEF";
      result += {'%', digits[(c >> 4) & 15], digits[c & 15]};
    } else {
      result += c;
    }
  return result;
}

static std::string escapeProperty(llvm::StringRef text) {
  return escape(text, ":,");
}

void auspex::writeGateAnnotations(const GateResult &result,
                                  llvm::raw_ostream &os) {
  for (const Comparison &comparison : result.comparisons) {
    if (!comparison.trips() && comparison.verdict != Verdict::Uncertain)
      continue;
    SourceLocation location = comparison.location();
    os << (comparison.trips() ? "::error " : "::notice ");
    if (location.isKnown()) {
      os << "file=" << escapeProperty(location.file)
         << ",line=" << location.line << ',';
      if (location.column)
        os << "col=" << location.column << ',';
    }
    os << "title=" << escapeProperty("auspex: " + ruleOf(comparison))
       << "::" << escape(sentence(comparison)) << '\n';
  }
  os << headline(result) << '\n';
}
