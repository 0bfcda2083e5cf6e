// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Kernel/KernelNames.h"
#include "auspex/Kernel/ProfileStatistics.h"
#include "auspex/Report/PredictionReport.h"
#include "auspex/Report/RunReport.h"
#include "auspex/Support/Json.h"
#include "auspex/Support/Table.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/YAMLParser.h"

#include <cmath>

using namespace auspex;

double PredictedRun::totalInUs() const {
  double total = 0;
  for (const PredictedGroup &group : groups)
    total += group.totalInUs();
  return total;
}

/// The longest first.
static std::vector<const PredictedGroup *> sorted(const PredictedRun &run) {
  std::vector<const PredictedGroup *> groups;
  for (const PredictedGroup &group : run.groups)
    groups.push_back(&group);
  llvm::stable_sort(groups,
                    [](const PredictedGroup *a, const PredictedGroup *b) {
                      return a->totalInUs() > b->totalInUs();
                    });
  return groups;
}

namespace {
/// Launches of a kernel in one grid and block, whatever their arguments.
struct TableRow {
  /// The one that takes the longest in all.
  const PredictedGroup *group;
  uint64_t launches = 0;
  double totalInUs = 0, leastInUs = HUGE_VAL, mostInUs = 0;

  bool isOf(const PredictedGroup &other) const {
    const Prediction &a = group->prediction, &b = other.prediction;
    return a.kernel == b.kernel &&
           a.launch.grid->value == b.launch.grid->value &&
           a.launch.block->value == b.launch.block->value;
  }
  void add(const PredictedGroup &other) {
    double each = other.prediction.timeInUs.value_or(0);
    launches += other.group->times;
    totalInUs += other.totalInUs();
    leastInUs = std::min(leastInUs, each);
    mostInUs = std::max(mostInUs, each);
  }
  std::string eachText() const {
    std::string least = formatTimeInUs(leastInUs),
                most = formatTimeInUs(mostInUs);
    return least == most ? most : least + " to " + most;
  }
};
} // namespace

/// The longest first.
static std::vector<TableRow>
rowsOf(llvm::ArrayRef<const PredictedGroup *> groups) {
  std::vector<TableRow> rows;
  for (const PredictedGroup *group : groups) {
    auto row = llvm::find_if(
        rows, [&](const TableRow &each) { return each.isOf(*group); });
    if (row == rows.end())
      row = rows.insert(rows.end(), {group});
    row->add(*group);
  }
  llvm::stable_sort(rows, [](const TableRow &a, const TableRow &b) {
    return a.totalInUs > b.totalInUs;
  });
  return rows;
}

static void writeTable(const PredictedRun &run, llvm::raw_ostream &os) {
  double total = run.totalInUs();
  uint64_t launches = 0;
  for (const PredictedGroup &group : run.groups)
    launches += group.group->times;
  os << run.record->program << " on " << run.gpu << ": " << launches
     << (launches == 1 ? " launch" : " launches") << ", predicted "
     << formatTimeInUs(total) << '\n';
  Table table({"share", "total", "launches", "each", "kernel", "grid", "block",
               "limiter", "of limit", "lanes"});
  std::vector<const PredictedGroup *> groups = sorted(run);
  // Programs whose sizes change from step to step have hundreds.
  constexpr size_t MostLines = 30;
  std::vector<TableRow> rows = rowsOf(groups);
  size_t lines = std::min(rows.size(), MostLines);
  for (const TableRow &row : llvm::ArrayRef(rows).take_front(lines)) {
    const Prediction &prediction = row.group->prediction;
    table.add({formatShare(total > 0 ? row.totalInUs / total : 0),
               formatTimeInUs(row.totalInUs), std::to_string(row.launches),
               row.eachText(), qualifiedName(prediction.kernel),
               prediction.launch.grid->value.str(),
               prediction.launch.block->value.str(), prediction.limiter,
               formatShare(prediction.shareOfLimit),
               formatNumber(prediction.activeLanes)});
  }
  table.print(os);
  if (lines < rows.size()) {
    double rest = 0;
    for (const TableRow &row : llvm::drop_begin(rows, lines))
      rest += row.totalInUs;
    os << "and " << formatTimeInUs(rest) << " ("
       << formatShare(total > 0 ? rest / total : 0) << ") in "
       << rows.size() - lines << " more lines, which -o FILE writes\n";
  }
  for (const PredictedGroup *group : groups)
    if (uint64_t blocks = group->group->profile.unfinishedBlocks)
      os << qualifiedName(group->prediction.kernel)
         << " was stopped: " << blocks << " of "
         << group->group->launch.grid->value.count() * group->group->times
         << " blocks did not come to their end; the time is that of what ran\n";
  double error = 0;
  for (const PredictedGroup &group : run.groups)
    error = std::max(error, group.group->profile.samplingError);
  if (error > 0)
    os << "addresses of some blocks stand for all: with 95 % certainty sums of "
          "sectors and passes are within "
       << formatShare(error) << '\n';
}

static std::string ratio(double a, double b) {
  return b > 0 ? formatNumber(a / b) : "";
}

static void writeLines(const PredictedGroup &group, llvm::raw_ostream &os) {
  os << '\n'
     << group.prediction.demangled << ", grid "
     << group.group->launch.grid->value.str() << ", block "
     << group.group->launch.block->value.str() << '\n';
  Table table({"line", "requests", "lanes", "sectors", "fewest", "passes",
               "fewest", "on one address", "branches", "divergent"});
  for (const LineProfile &line :
       profileByLine(*group.summary, group.group->profile)) {
    std::string place = "?";
    if (line.location.isKnown())
      place = (llvm::sys::path::filename(line.location.file) + ":" +
               llvm::Twine(line.location.line) + ":" +
               llvm::Twine(line.location.column))
                  .str();
    auto each = 1 / static_cast<double>(group.group->times);
    table.add(
        {place, line.requests > 0 ? formatNumber(line.requests * each, 6) : "",
         ratio(line.lanes, line.requests), ratio(line.sectors, line.requests),
         line.sectors > 0 ? ratio(line.fewestSectors, line.requests) : "",
         line.bankPasses > 0 ? ratio(line.bankPasses, line.requests) : "",
         line.bankPasses > 0 ? ratio(line.fewestBankPasses, line.requests) : "",
         ratio(line.sameAddress, line.atomics),
         line.branches > 0 ? formatNumber(line.branches * each, 6) : "",
         line.branches > 0 ? formatShare(line.divergent / line.branches) : ""});
  }
  if (!table.empty())
    table.print(os);
}

void auspex::writeRunText(llvm::ArrayRef<PredictedRun> runs, RunDetail detail,
                          llvm::raw_ostream &os) {
  for (const PredictedRun &run : runs) {
    if (&run != runs.begin())
      os << '\n';
    writeTable(run, os);
    for (const std::string &reason : run.refused)
      os << "not predicted: " << reason << '\n';
    if (detail == RunDetail::Predictions)
      for (const PredictedGroup *group : sorted(run)) {
        os << '\n';
        writePredictionsText(group->prediction, os);
      }
  }
  if (detail == RunDetail::Table || runs.empty())
    return;
  // What lines did is the same for every GPU.
  for (const PredictedGroup *group : sorted(runs.front()))
    writeLines(*group, os);
}

/// What a launches file calls an argument: its name, but of a struct's member
/// and of what could be taken for a symbol itself.
static std::string statedName(const KernelSummary *kernel,
                              const std::string &symbol) {
  std::string name = kernel ? argumentName(*kernel, symbol) : "";
  bool isClear = !name.empty() && !llvm::StringRef(symbol).contains('.') &&
                 !llvm::StringRef(name).starts_with("arg");
  return isClear ? name : symbol;
}

/// A key of YAML: in quotes where signs of YAML are in it.
static std::string yamlKey(llvm::StringRef name) {
  bool isPlain = llvm::all_of(
      name, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
  return isPlain ? name.str() : "\"" + llvm::yaml::escape(name) + "\"";
}

std::string auspex::writeLaunchFile(const RunRecord &record) {
  std::string text = "# Launches of " + record.program + ".\nlaunches:\n";
  llvm::raw_string_ostream os(text);
  auto size = [](const Dim3 &value) {
    return "[" + std::to_string(value.x) + ", " + std::to_string(value.y) +
           ", " + std::to_string(value.z) + "]";
  };
  for (const LaunchGroup &group : record.launches) {
    const LaunchConfig &launch = group.launch;
    os << "  - kernel: " << launch.kernel << "  # "
       << qualifiedName(launch.kernel) << ", " << group.times << " times\n"
       << "    grid: " << size(launch.grid->value) << '\n'
       << "    block: " << size(launch.block->value) << '\n';
    if (launch.dynamicShared)
      os << "    shared: " << launch.dynamicShared->value << '\n';
    if (launch.arguments.empty() && launch.floatArguments.empty())
      continue;
    const KernelSummary *kernel = record.find(launch.kernel);
    std::vector<std::string> arguments;
    for (const auto &[symbol, argument] : launch.arguments)
      arguments.push_back(yamlKey(statedName(kernel, symbol)) + ": " +
                          std::to_string(argument.value));
    for (const auto &[symbol, argument] : launch.floatArguments)
      arguments.push_back(yamlKey(statedName(kernel, symbol)) + ": " +
                          floatText(argument.value));
    os << "    args: {" << llvm::join(arguments, ", ") << "}\n";
  }
  if (record.launches.empty())
    return "# " + record.program + " launched nothing.\nlaunches: []\n";
  return text;
}
