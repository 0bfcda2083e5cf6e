// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Validate/ValidationReport.h"

#include "auspex/Support/Csv.h"
#include "auspex/Support/Json.h"
#include "llvm/ADT/StringExtras.h"

using namespace auspex;

static std::string number(std::optional<double> value) {
  return value ? shortestNumber(*value) : "";
}

static std::vector<std::string> header(const Validation &validation) {
  std::vector<std::string> cells{"file",       "line",    "gpu",      "kernel",
                                 "grid",       "block",   "core_MHz", "mem_MHz",
                                 "counts",     "limiter", "problem",  "source",
                                 "measured_us"};
  for (const std::string &model : validation.models) {
    cells.push_back(model + "_us");
    cells.push_back(model + "_error");
    cells.push_back(model + "_problem");
  }
  return cells;
}

static std::vector<std::string> cellsOf(const ValidatedLaunch &launch,
                                        size_t models) {
  const MeasuredLaunch &measured = launch.measured;
  const auto &[grid, block] =
      std::tie(measured.launch.grid, measured.launch.block);
  std::vector<std::string> cells{measured.place.file,
                                 std::to_string(measured.place.line),
                                 measured.gpu,
                                 measured.kernel,
                                 grid ? grid->value.str() : "",
                                 block ? block->value.str() : "",
                                 number(measured.clocks.coreInMHz),
                                 number(measured.clocks.memoryInMHz),
                                 toString(launch.counts).str(),
                                 launch.limiter,
                                 launch.problem,
                                 measured.source,
                                 shortestNumber(measured.measuredInUs)};
  for (size_t model = 0; model < models; ++model) {
    std::optional<PredictedPair> pair = launch.pairOf(model);
    cells.push_back(pair ? shortestNumber(pair->predicted) : "");
    cells.push_back(pair ? shortestNumber(pair->error()) : "");
    cells.push_back(launch.problem.empty() ? launch.problemOf(model) : "");
  }
  return cells;
}

void auspex::writeValidationCSV(const Validation &validation,
                                llvm::raw_ostream &os) {
  writeCsvRow(header(validation), os);
  for (const ValidatedLaunch &launch : validation.launches)
    writeCsvRow(cellsOf(launch, validation.models.size()), os);
}
