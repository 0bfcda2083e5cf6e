// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Validate/ValidationReport.h"

#include "ReportTexts.h"
#include "auspex/Support/Markup.h"
#include "auspex/Support/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace auspex;

namespace {

/// The launches of a kernel that one thing limits, as the first model has it.
struct Misses {
  std::string kernel, limiter;
  std::vector<PredictedPair> pairs;
  const ValidatedLaunch *worst = nullptr;

  /// What the group adds to the sum of absolute errors of its set.
  double weight() const {
    return errorStatistics(pairs).mean * static_cast<double>(pairs.size());
  }
};

} // namespace

/// Launches further off than this are misses.
static constexpr double Limit = 0.25;

/// What adds most to the error comes first.
static std::vector<Misses> missesOf(const ValidationSet &set) {
  std::vector<Misses> groups;
  for (const ValidatedLaunch *launch : set.launches) {
    auto pair = launch->pairOf(0);
    if (!pair || std::abs(pair->error()) <= Limit)
      continue;
    const std::string &kernel = launch->measured.kernel;
    auto group = llvm::find_if(groups, [&](const Misses &known) {
      return known.kernel == kernel && known.limiter == launch->limiter;
    });
    if (group == groups.end())
      group = groups.insert(group, {kernel, launch->limiter, {}, launch});
    group->pairs.push_back(*pair);
    if (pair->distance() > group->worst->pairOf(0)->distance())
      group->worst = launch;
  }
  llvm::stable_sort(groups, [](const Misses &a, const Misses &b) {
    return a.weight() > b.weight();
  });
  return groups;
}

static void writeRow(std::vector<std::string> cells, llvm::raw_ostream &os) {
  for (std::string &cell : cells)
    cell = markdownText(cell);
  os << "| " << llvm::join(cells, " | ") << " |\n";
}

static void writeHeader(const std::vector<std::string> &cells,
                        llvm::raw_ostream &os) {
  writeRow(cells, os);
  for (size_t i = 0; i < cells.size(); ++i)
    os << "|---";
  os << "|\n";
}

static void writeRows(std::vector<std::vector<std::string>> rows,
                      llvm::raw_ostream &os) {
  writeHeader(rows.front(), os);
  for (std::vector<std::string> &row : llvm::drop_begin(rows))
    writeRow(std::move(row), os);
}

static void writeMisses(const ValidationSet &set, llvm::raw_ostream &os) {
  std::vector<Misses> groups = missesOf(set);
  if (groups.empty())
    return;
  os << "\nMore than " << formatShare(Limit)
     << " off, by what limits them:\n\n";
  writeHeader({"limiter", "kernel", "launches", "MAPE", "bias", "furthest off"},
              os);
  for (const Misses &group : groups) {
    ErrorStatistics errors = errorStatistics(group.pairs);
    PredictedPair worst = *group.worst->pairOf(0);
    writeRow({group.limiter, group.kernel, std::to_string(group.pairs.size()),
              signedShare(errors.mean).substr(1), signedShare(errors.bias),
              signedShare(worst.error()) + ": " +
                  formatTimeInUs(worst.predicted) + " for " +
                  formatTimeInUs(worst.measured) + ", " +
                  launchText(group.worst->measured)},
             os);
  }
}

static void writeCauses(const ValidationSet &set, llvm::raw_ostream &os) {
  if (set.notPredicted.empty())
    return;
  os << "\nNot predicted:\n\n";
  for (const ValidationSet::Cause &cause : set.notPredicted)
    os << "- " << cause.launches << ": " << markdownText(cause.text) << '\n';
}

void auspex::writeValidationMarkdown(const Validation &validation,
                                     llvm::raw_ostream &os) {
  for (const ValidationSet &set : validation.sets) {
    if (&set != &validation.sets.front())
      os << '\n';
    os << "### " << markdownText(setText(set)) << "\n\n";
    writeRows(scoreRows(set), os);
    if (!set.counts.empty()) {
      os << '\n';
      writeRows(countRows(set), os);
    }
    writeMisses(set, os);
    writeCauses(set, os);
  }
}
