// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReportTexts.h"

#include "auspex/Support/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace auspex;

std::string auspex::setText(const ValidationSet &set) {
  return set.file + (set.kernel.empty() ? "" : ", " + set.kernel) + " on " +
         set.gpu;
}

std::string auspex::signedShare(double share) {
  return llvm::formatv("{0}{1:F1} %", share < 0 ? "-" : "+",
                       100 * std::abs(share));
}

std::string auspex::launchText(const MeasuredLaunch &launch) {
  std::string text = launch.kernel;
  if (launch.launch.grid)
    text += ", grid " + launch.launch.grid->value.str();
  if (launch.launch.block)
    text += ", block " + launch.launch.block->value.str();
  if (launch.clocks.coreInMHz)
    text += " at " + formatNumber(*launch.clocks.coreInMHz, 4) + " MHz";
  if (launch.clocks.memoryInMHz)
    text +=
        ", memory at " + formatNumber(*launch.clocks.memoryInMHz, 4) + " MHz";
  return text;
}

std::string auspex::placeText(const Place &place) {
  return llvm::sys::path::filename(place.file).str() + ":" +
         std::to_string(place.line);
}

static std::string share(double value) {
  return llvm::formatv("{0:F1} %", 100 * value);
}

static std::string correlation(std::optional<double> value) {
  return value ? llvm::formatv("{0:F3}", *value).str() : "-";
}

static std::vector<std::string> scoreCells(const ModelScore &score) {
  std::string none = "-";
  if (score.predicted == 0)
    return {score.model, "0", none, none, none, none, none, none, none, none};
  return {score.model,
          std::to_string(score.predicted),
          share(score.errors.mean),
          share(score.errors.median),
          share(score.errors.percentile90),
          signedShare(score.errors.bias),
          correlation(score.spearman),
          correlation(score.kendall),
          share(score.pick),
          score.clocks ? share(*score.clocks) : none};
}

std::vector<std::vector<std::string>>
auspex::scoreRows(const ValidationSet &set) {
  std::vector<std::vector<std::string>> rows{
      {"model", "launches", "MAPE", "median", "90th", "bias", "Spearman",
       "Kendall", "pick", "clocks"}};
  for (const ModelScore &score : set.scores)
    rows.push_back(scoreCells(score));
  if (llvm::none_of(set.scores,
                    [](const ModelScore &score) { return score.clocks; }))
    for (std::vector<std::string> &row : rows)
      row.pop_back();
  return rows;
}

std::vector<std::vector<std::string>>
auspex::countRows(const ValidationSet &set) {
  std::vector<std::vector<std::string>> rows{
      {"count", "launches", "median", "90th", "bias", "within 1 %"}};
  for (const CountScore &score : set.counts)
    rows.push_back({score.name, std::to_string(score.launches),
                    share(score.errors.median),
                    share(score.errors.percentile90),
                    signedShare(score.errors.bias), share(score.right)});
  return rows;
}
