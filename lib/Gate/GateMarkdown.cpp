// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Gate/GateReport.h"

#include "ReportTexts.h"
#include "auspex/Support/Markup.h"
#include "llvm/ADT/STLExtras.h"

using namespace auspex;

/// A name between ticks, which no sign in it ends.
static std::string code(llvm::StringRef text) {
  std::string escaped;
  for (char c : text)
    escaped += c == '`'   ? std::string("'")
               : c == '|' ? "\\|"
                          : std::string(1, c);
  return "`" + escaped + "`";
}

static void writeRow(const Comparison &comparison, llvm::raw_ostream &os) {
  const KernelRecord &record = comparison.any();
  const LaunchConfig &launch = record.launch;
  os << "| " << toString(comparison.verdict) << " | " << code(record.demangled)
     << " | " << markdownText(record.gpu) << " | "
     << (launch.grid ? launch.grid->value.str() : "") << " | "
     << (launch.block ? launch.block->value.str() : "") << " | "
     << markdownText(timesText(comparison)) << " |\n";
}

static void writeTable(llvm::ArrayRef<const Comparison *> rows,
                       llvm::raw_ostream &os) {
  os << "| | kernel | GPU | grid | block | predicted time |\n"
        "|---|---|---|---|---|---|\n";
  for (const Comparison *comparison : rows)
    writeRow(*comparison, os);
  os << '\n';
}

static void writeReasons(const Comparison &comparison, llvm::raw_ostream &os) {
  os << "**" << markdownText(launchText(comparison.any()))
     << "**: " << markdownText(timesText(comparison)) << "\n\n";
  for (const std::string &difference : comparison.differences)
    os << "- " << markdownText(difference) << '\n';
  for (const std::string &doubt : comparison.doubts)
    os << "- " << markdownText(doubt) << '\n';
  if (comparison.allowance)
    os << "- " << markdownText(allowanceText(comparison)) << '\n';
  for (const Cause &cause : comparison.causes) {
    std::string place = placeText(cause.location);
    os << "- " << (place.empty() ? "" : code(place) + ": ")
       << markdownText(causeText(cause));
    if (!cause.remark.empty())
      os << " (" << cause.remark << ')';
    os << '\n';
  }
  os << '\n';
}

void auspex::writeGateMarkdown(const GateResult &result,
                               llvm::raw_ostream &os) {
  std::vector<const Comparison *> worth, others;
  for (const Comparison &comparison : result.comparisons) {
    bool isWorth = comparison.verdict <= Verdict::Uncertain;
    if (isWorth)
      worth.push_back(&comparison);
    else if (comparison.verdict != Verdict::Unchanged)
      others.push_back(&comparison);
  }
  os << "### Predicted times: " << (result.trips() ? "slower" : "fine")
     << "\n\n"
     << markdownText(headline(result)) << ".\n\n";
  if (!worth.empty())
    writeTable(worth, os);
  for (const Comparison *comparison : worth)
    writeReasons(*comparison, os);
  if (!others.empty()) {
    os << "<details><summary>" << others.size()
       << (others.size() == 1 ? " other change" : " other changes")
       << "</summary>\n\n";
    writeTable(others, os);
    os << "</details>\n\n";
  }
  if (size_t unchanged = result.count(Verdict::Unchanged))
    os << unchanged << " unchanged.\n";
  for (const std::string &note : result.notes)
    os << "\n- " << markdownText(note) << '\n';
}
