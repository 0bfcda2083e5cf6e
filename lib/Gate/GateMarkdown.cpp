// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Gate/GateReport.h"

#include "ReportTexts.h"
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

/// Prose in which signs stand for themselves.
static std::string plain(llvm::StringRef text) {
  std::string escaped;
  for (char c : text) {
    if (llvm::StringRef("\\`*_{}[]<>#|~").contains(c))
      escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

static void writeRow(const Comparison &comparison, llvm::raw_ostream &os) {
  const KernelRecord &record = comparison.any();
  const LaunchConfig &launch = record.launch;
  os << "| " << toString(comparison.verdict) << " | " << code(record.demangled)
     << " | " << plain(record.gpu) << " | "
     << (launch.grid ? launch.grid->value.str() : "") << " | "
     << (launch.block ? launch.block->value.str() : "") << " | "
     << plain(timesText(comparison)) << " |\n";
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
  os << "**" << plain(launchText(comparison.any()))
     << "**: " << plain(timesText(comparison)) << "\n\n";
  for (const std::string &difference : comparison.differences)
    os << "- " << plain(difference) << '\n';
  for (const std::string &doubt : comparison.doubts)
    os << "- " << plain(doubt) << '\n';
  if (comparison.allowance)
    os << "- " << plain(allowanceText(comparison)) << '\n';
  for (const Cause &cause : comparison.causes) {
    std::string place = placeText(cause.location);
    os << "- " << (place.empty() ? "" : code(place) + ": ")
       << plain(causeText(cause));
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
     << plain(headline(result)) << ".\n\n";
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
    os << "\n- " << plain(note) << '\n';
}
